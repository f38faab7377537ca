#pragma once

#include <QStringList>
#include <QWidget>

#include "model/analysis/architecture/stream_addition.h"
#include "model/analysis/maps/cell_arithmetic.h"
#include "model/analysis/maps/viewed_weight.h"
#include "model/trace/refusal.h"
#include "widgets/map/map_layout.h"
#include "widgets/map/map_options.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/words/quantity.h"

#include <memory>
#include <optional>

class QLabel;
class QScrollArea;
class QSplitter;
class QTabWidget;

namespace headscope::widgets {

class ColumnTable;

/// Explains how the selected cell was computed: q, k and their product, scale, mask, softmax and value, each
/// compared with the map; and its addition to the residual stream. A cell stays until another one is
/// highlighted. Initially it is the strongest cell of the current step's row.
class ArithmeticView : public View {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit ArithmeticView(Selection* selection, QWidget* parent = nullptr);

    void setRun(std::shared_ptr<const trace::Run> run) override;
    /// The run again with its projections, then the contributions of the head in the row of the cell.
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    /// Options of the map next to this view. The view always explains the weight, and what the map makes of
    /// it.
    /// Nullopt if there is no cell to explain.
    const std::optional<analysis::CellArithmetic>& cell() const { return cell_; }
    /// Nullopt if not computed.
    const std::optional<analysis::StreamAddition>& addition() const { return addition_; }

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    bool hasFigure() const override { return cell_.has_value(); }
    /// Why there is no cell.
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
    trace::Question projecting() const;
    /// Empty unless the cell is of the run.
    std::optional<trace::Question> contributing() const;
    void refreshProjections();
    void refreshContributions();
    /// Sets the shown run, and the same run with its projections, or why they are missing.
    void setRuns(std::shared_ptr<const trace::Run> shown, std::shared_ptr<const trace::Run> projected,
                 const QString& refusal = {});
    /// The highlighted cell, else the previous one, else the strongest cell of the step's row.
    std::optional<MapCell> chosenCell();
    void viewCell();
    void showCell();
    QStringList steps() const;

    QString turnedTip(const QString& tip) const;
    void showDimensions();
    void showRow();
    void showAddition();
    void fitParts();

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_; ///< of the document
    /// The run of the shown cell: the previous one until the projections of the next arrive.
    std::shared_ptr<const trace::Run> shown_;
    std::shared_ptr<const trace::Run> projected_;
    QString refusal_;
    TokenFocus lastLit_;
    bool headExists_ = false;
    std::optional<analysis::CellArithmetic> cell_;
    std::optional<analysis::ViewedWeight> viewed_; ///< set if the map shows more than the cell's own weight
    std::shared_ptr<const trace::RowContributions> contributions_;
    QString whyNoContributions_;
    std::optional<Row> contributionsOf_; ///< the row whose contributions were answered last
    std::optional<analysis::StreamAddition> addition_;
    MapOptions options_; ///< of the map next to this view
    QSplitter* parts_;
    QScrollArea* scroll_;
    QLabel* words_;
    QTabWidget* vectors_; ///< of the head, and of the residual stream
    ColumnTable* dimensions_;
    ColumnTable* row_;
    ColumnTable* stream_;
    QLabel* streamWords_;
    bool wasHidden_ = false;  ///< and not shown again
    bool partsMoved_ = false; ///< by the user: keep their sizes
};

/// "cross.2.5: after “seiner”, choosing “Tochter” → “daughter”"
QString arithmeticTitle(const trace::Run& run, const analysis::CellArithmetic& cell);

/// The steps from product to value, one per entry, each compared with the map. `viewed` is null if the map
/// shows the weights of single tokens.
QStringList arithmeticInWords(const analysis::CellArithmetic& cell, const analysis::ViewedWeight* viewed);

/// How much the key adds to the residual stream, compared with the head and the whole sublayer.
QString streamInWords(const analysis::StreamAddition& addition, trace::NormAfter norm);

/// A note that the weight is explained although the map shows another quantity; empty if it does not.
QString otherQuantityInWords(Quantity shown);

/// "The map shows the same." or the difference.
QString differenceInWords(double computed, double shown);

} // namespace headscope::widgets
