#pragma once

#include "model/analysis/output/classifier_tokens.h"
#include "widgets/drawing/token_label.h"
#include "widgets/plots/readable_plot.h"

#include <vector>

namespace headscope::widgets {

/// The tokens that a classifier read, in lines. Each is shaded by its contribution to the logit of a class,
/// which is written below it, and has a bar for the number of pooled features it gave. A last line counts the
/// tokens that do not fit.
class GivenTokensPicture : public PlotPicture {
  public:
    /// `labels` and `shares` have one entry per token, in reading order.
    GivenTokensPicture(std::vector<TokenLabel> labels, std::vector<analysis::TokenShare> shares,
                       bool spaceMarks);

    int rows() const override { return labels_.size(); }
    /// Contribution, and features given.
    int columns() const override { return 2; }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override;
    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override;
    std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const override;
    QString inWords(MapCell mark) const override;
    QString rowName(int row) const override { return quoted(labels_[row]); }
    QString columnName(int column) const override;
    /// The token highlighted in other views.
    void setLit(std::optional<int> token) { lit_ = token; }
    /// Whether to count the tokens that do not fit; off for a figure without notes.
    void setCutSaid(bool said) { cutSaid_ = said; }
    /// Height needed for all tokens.
    double heightFor(double width, const QFont& font) const;

  private:
    std::vector<QRectF> flow(const QRectF& area, const QFont& font) const;
    /// Number of tokens that are drawn, from the first.
    static std::size_t fitting(const std::vector<QRectF>& places, const QRectF& area, const QFont& font);

    std::vector<TokenLabel> labels_;
    std::vector<analysis::TokenShare> shares_;
    bool spaceMarks_;
    bool cutSaid_ = true;
    std::size_t mostFeatures_ = 1;
    double largest_ = 0; ///< largest absolute contribution
    std::optional<int> lit_;
};

} // namespace headscope::widgets
