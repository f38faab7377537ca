#pragma once

#include "widgets/tiles/tile_grid.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// Every head, or those of the selected kind, as a small map: layers down, heads across, or a list.
class HeadGridView : public TileGrid {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit HeadGridView(Selection* selection, QWidget* parent = nullptr);

    /// Importance of every head, ranked, and a sentence that says what it is of; empty: it was not measured.
    void setImportance(const std::vector<analysis::HeadScore>& ranked, const QString& caption,
                       bool areNumbers = false);
    /// Numbers that replace importance; nothing: importance again.
    void setStatistic(std::optional<HeadTint> statistic);
    /// True if there are numbers to tint and sort by.
    bool hasTint() const { return !numbers().isEmpty(); }
    /// A bar under every picture; ignored if there are no numbers.
    void setTinted(bool tinted);
    /// The heads in the order of the numbers, each with its address; ignored if there are none.
    void setSorted(bool sorted);
    /// Only the heads of the selected kind; else those of all kinds.
    void setOneKind(bool oneKind);
    /// Only the heads of the selected head's layer, each with its address.
    void setLayerOnly(bool layerOnly);
    /// False where there is no room for a caption in the window.
    void setCaptioned(bool captioned);

    QString caption() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    /// As high as the pictures need.
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    QSize sizeHint() const override { return {560, 320}; }
    QSize minimumSizeHint() const override { return {8 * fontMetrics().averageCharWidth(), 120}; }

  protected:
    TileArrangement arranged() const override;
    QString purpose() const override;
    QString whyEmpty() const override;
    QStringList headInWords(const trace::HeadAddress& head) const override;

  private:
    trace::AttentionSite site() const { return selection().head().site; }
    const HeadTint& numbers() const { return statistic_ ? *statistic_ : importance_; }
    bool isSorted() const { return sorted_ && hasTint(); }
    void showNumbers();

    HeadTint importance_;
    std::optional<HeadTint> statistic_; ///< replaces importance
    bool tinted_ = false;
    bool sorted_ = false;
    bool layerOnly_ = false;
    bool oneKind_ = true;
    bool captioned_ = true;
};

} // namespace headscope::widgets
