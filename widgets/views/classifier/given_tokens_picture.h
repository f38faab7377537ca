#pragma once

#include "model/analysis/output/classifier_tokens.h"
#include "widgets/drawing/token_label.h"
#include "widgets/plots/readable_plot.h"

#include <vector>

namespace headscope::widgets {

/// The tokens a classifier read, in lines: each shaded by its contribution to a class's logit, which is below
/// it, with a bar of how many of the pooled features it gave. Below them it is said how many do not fit.
class GivenTokensPicture : public PlotPicture {
  public:
    /// `labels` and `shares` one a token, in reading order.
    GivenTokensPicture(std::vector<TokenLabel> labels, std::vector<analysis::TokenShare> shares,
                       bool spaceMarks);

    int rows() const override { return static_cast<int>(labels_.size()); }
    /// Contribution, features given.
    int columns() const override { return 2; }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override;
    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override;
    std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const override;
    QString inWords(MapCell mark) const override;
    QString rowName(int row) const override { return quoted(labels_[static_cast<std::size_t>(row)]); }
    QString columnName(int column) const override;
    /// The token that other views light.
    void setLit(std::optional<int> token) { lit_ = token; }
    /// Whether it is said how many do not fit; it is unless a figure is drawn without notes.
    void setCutSaid(bool said) { cutSaid_ = said; }
    /// As high as all of it would be.
    double heightFor(double width, const QFont& font) const;

  private:
    std::vector<QRectF> flow(const QRectF& area, const QFont& font) const;
    /// How many of them, in order, are drawn.
    static std::size_t fitting(const std::vector<QRectF>& places, const QRectF& area, const QFont& font);

    std::vector<TokenLabel> labels_;
    std::vector<analysis::TokenShare> shares_;
    bool spaceMarks_;
    bool cutSaid_ = true;
    std::size_t mostFeatures_ = 1;
    double largest_ = 0; ///< contribution, either sign
    std::optional<int> lit_;
};

} // namespace headscope::widgets
