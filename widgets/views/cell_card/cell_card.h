#pragma once

#include "model/analysis/maps/recomputed_map.h"
#include "widgets/map/map_layout.h"
#include "widgets/selection.h"
#include "widgets/view.h"

#include <optional>
#include <vector>

class QLabel;
class QPushButton;

namespace headscope::widgets {

/// A cell of the selected head's map: its weight, the rank in its row and its score, and a button for each
/// view and action that is about a cell. Of the pinned cell, else of the highlighted one, else of the largest
/// in the row of the step.
class CellCard : public View {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit CellCard(Selection* selection, QWidget* parent = nullptr);

    void refresh() override;
    QString note() const override { return cell_ ? title() : QString(); }
    /// A row of the run and a column of it; empty if the run has no map of the selected head.
    std::optional<MapCell> cell() const { return cell_; }
    /// Empty if there is no such cell, or if it is masked.
    std::optional<double> weight() const;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override { return cell_.has_value(); }
    trace::FigureData figureData() const override;
    QString whyEmpty() const override;

  private:
    void addButtons();
    void addButton(const QString& text, const QString& tip, const Intent& intent);
    void showCell();
    void pin();
    bool isMasked() const { return row_.open.at(cell_->column) == 0; }
    QString title() const;
    QString number() const;
    QStringList words() const;

    Selection* selection_;
    std::optional<MapCell> cell_;
    analysis::HeadRow row_; ///< of that cell
    QLabel* number_;
    QLabel* words_;
    std::vector<QPushButton*> buttons_;
};

} // namespace headscope::widgets
