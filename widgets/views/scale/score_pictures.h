#pragma once

#include "model/analysis/scores/score_spread.h"
#include "widgets/drawing/plot_frame.h"
#include "widgets/drawing/plot_legend.h"
#include "widgets/plots/readable_plot.h"

#include <vector>

namespace headscope::widgets {

/// The scheme that uses this initialisation.
QString initialisationName(analysis::Initialisation initialisation);

/// Draws the mark of a head. Kinds differ in shape and colour.
void drawKindMark(QPainter& painter, QPointF at, trace::AttentionKind kind, bool hollow, const Theme& theme);

/// Histograms of scores on one axis: with the factor of q k (filled), without it (outline) and, at a
/// temperature other than 1, divided by the temperature (dashed).
class ScoresPicture : public PlotPicture {
  public:
    explicit ScoresPicture(analysis::ScoresOnOneAxis scores) : scores_(std::move(scores)) {}

    int rows() const override { return scores_.temperature == 1 ? 2 : 3; }
    int columns() const override { return static_cast<int>(scores_.scaled.size()); }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override;
    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override;
    std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const override;
    QString inWords(MapCell mark) const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;

  private:
    PlotFrame frame(const QRectF& area, const QFont& font) const;
    std::vector<LegendEntry> legend(const Theme& theme) const;
    double edge(int bin) const;
    const std::vector<double>& shares(int row) const;
    double share(MapCell mark) const { return shares(mark.row)[static_cast<std::size_t>(mark.column)]; }

    analysis::ScoresOnOneAxis scores_;
};

/// Variances of q . k over d_k, both logarithmic. Each head is a mark near the model's d_k, with layers side
/// by side; lines show the variances of common initialisations.
class VariancePicture : public PlotPicture {
  public:
    /// `twin` may be empty.
    VariancePicture(std::vector<analysis::HeadSpread> heads, std::vector<analysis::HeadSpread> twin,
                    int headWidth);

    int rows() const override { return twin_.empty() ? 1 : 2; }
    int columns() const override { return static_cast<int>(heads_.size()); }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override;
    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override;
    QString inWords(MapCell mark) const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;

  private:
    PlotFrame frame(const QRectF& area, const QFont& font) const;
    std::vector<LegendEntry> legend(const Theme& theme) const;
    const std::vector<analysis::HeadSpread>& of(int row) const { return row == 0 ? heads_ : twin_; }
    double widthOf(MapCell mark) const;

    std::vector<analysis::HeadSpread> heads_;
    std::vector<analysis::HeadSpread> twin_;
    std::vector<trace::AttentionSite> sites_;
    int headWidth_;
};

} // namespace headscope::widgets
