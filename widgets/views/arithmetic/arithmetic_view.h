#pragma once

#include <QWidget>

#include "model/analysis/architecture/stream_addition.h"
#include "model/analysis/maps/cell_arithmetic.h"
#include "model/analysis/maps/viewed_weight.h"
#include "model/trace/refusal.h"
#include "widgets/map/map_layout.h"
#include "widgets/map/map_options.h"
#include "widgets/selection.h"
#include "widgets/view.h"

#include <memory>
#include <optional>

class QLabel;
class QScrollArea;
class QSplitter;
class QTabWidget;

namespace headscope::widgets {

class ColumnTable;

/// How the cell that is looked at was computed: q, k and their products, scale, mask, softmax and value, each
/// beside what the map shows; and what it adds to the residual stream. A cell stays until another one is lit;
/// before any is, it is the strongest one of the current step's row.
class ArithmeticView : public View {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit ArithmeticView(Selection* selection, QWidget* parent = nullptr);

    void setRun(std::shared_ptr<const trace::Run> run) override;
    std::optional<Errand> errand() override;
    /// The run that is shown, and the same with its projections; null as long as they are computed. Either
    /// may be null.
    void setRuns(std::shared_ptr<const trace::Run> shown, std::shared_ptr<const trace::Run> projected);
    /// There are no projections, and why.
    void showRefusal(const trace::RefusalText& text);
    /// What the head adds in a row; null as long as it is computed. Of another row than the cell's it waits.
    void setContributions(std::shared_ptr<const trace::RowContributions> row);
    /// There is none for the cell's row, and why.
    void setWhyNoContributions(const QString& why);
    /// How the map beside it is drawn: what is explained here is the weight all the same, and what the map
    /// makes of it.
    void setMapOptions(const MapOptions& options) override;
    const MapOptions& mapOptions() const { return options_; }
    /// Nothing where there is none to look at.
    const std::optional<analysis::CellArithmetic>& cell() const { return cell_; }
    /// Nothing where it is not there.
    const std::optional<analysis::StreamAddition>& addition() const { return addition_; }

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    QSize figureSize() const override;
    bool hasFigure() const override { return cell_.has_value(); }
    /// Why there is no cell, where there is none.
    QString whyEmpty() const override;
    trace::FigureData figureData() const override;
    QSize sizeHint() const override { return {900, 300}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown) override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    /// A row of a head.
    struct Row {
        std::shared_ptr<const trace::Run> run;
        trace::HeadAddress head;
        std::size_t query = 0;
        friend bool operator==(const Row&, const Row&) = default;
    };

    void follow();
    std::optional<Row> rowOfCell() const;
    /// The cell that is lit, else the one that was, else the strongest of the step's row.
    std::optional<MapCell> chosenCell();
    void viewCell();
    void showCell();
    QStringList steps() const;

    // arithmetic_view_tables.cpp
    QString turnedTip(const QString& tip) const;
    void showDimensions();
    void showRow();
    void showAddition();
    void fitParts();

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_; ///< of the document
    /// Whose cells are shown: the run before, until the projections of the next arrive.
    std::shared_ptr<const trace::Run> shown_;
    std::shared_ptr<const trace::Run> projected_;
    QString refusal_;
    TokenFocus lastLit_;
    bool headExists_ = false;
    std::optional<analysis::CellArithmetic> cell_;
    std::optional<analysis::ViewedWeight> viewed_; ///< where the map shows more than the cell's own weight
    std::shared_ptr<const trace::RowContributions> contributions_;
    QString whyNoContributions_;
    std::optional<Row> contributionsOf_; ///< what was asked for last, and told
    std::optional<analysis::StreamAddition> addition_;
    MapOptions options_; ///< of the map beside it
    QSplitter* parts_;
    QScrollArea* scroll_;
    QLabel* words_;
    QTabWidget* vectors_; ///< of the head, and of the residual stream
    ColumnTable* dimensions_;
    ColumnTable* row_;
    ColumnTable* stream_;
    QLabel* streamWords_;
    bool partsMoved_ = false; ///< by a person: they stay where they are
};

} // namespace headscope::widgets
