#pragma once

#include <QWidget>

#include "model/analysis/cell_arithmetic.h"
#include "model/trace/refusal.h"
#include "widgets/figure_source.h"
#include "widgets/map_layout.h"
#include "widgets/selection.h"

#include <memory>
#include <optional>

class QLabel;
class QScrollArea;
class QSplitter;

namespace headscope::widgets {

class NumbersTable;

/// How the cell that is looked at was computed: q, k and their products, scale, mask, softmax and value, each
/// beside what the map shows. A cell stays until another one is lit; before any is, it is the strongest one
/// of the current step's row.
class ArithmeticView : public QWidget, public FigureSource {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit ArithmeticView(Selection* selection, QWidget* parent = nullptr);

    /// The run that is shown, and the same with its projections; null as long as they are computed. Either
    /// may be null.
    void setRuns(std::shared_ptr<const trace::Run> shown, std::shared_ptr<const trace::Run> projected);
    /// There are no projections, and why.
    void showRefusal(const trace::RefusalText& text);
    /// Nothing where there is none to look at.
    const std::optional<analysis::CellArithmetic>& cell() const { return cell_; }

    void drawFigure(QPainter& painter, QSize size) const override;
    FigureText figureText() const override;
    QSize figureSize() const override { return {800, 560}; }
    bool hasFigure() const override { return cell_.has_value(); }
    QSize sizeHint() const override { return {900, 300}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void follow();
    /// The cell that is lit, else the one that was, else the strongest of the step's row.
    std::optional<MapCell> chosenCell();
    void showCell();
    void showRow();
    QString whyEmpty() const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> shown_;
    std::shared_ptr<const trace::Run> projected_;
    QString refusal_;
    TokenFocus lastLit_;
    bool headExists_ = false;
    std::optional<analysis::CellArithmetic> cell_;
    QSplitter* parts_;
    QScrollArea* scroll_;
    QLabel* words_;
    NumbersTable* dimensions_;
    NumbersTable* row_;
};

} // namespace headscope::widgets
