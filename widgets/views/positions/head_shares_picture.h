#pragma once

#include "model/analysis/scores/score_shares.h"
#include "widgets/plots/readable_plot.h"

#include <QString>

#include <vector>

namespace headscope::widgets {

/// A stacked bar a head: the shares of content, position and others in the variance of its scores. What
/// counteracts the scores stands left of zero.
class HeadSharesPicture : public PlotPicture {
  public:
    struct Row {
        QString head;
        analysis::HeadScoreShares shares;
    };
    /// `origins`: those that occur. The row `chosen` stands out.
    HeadSharesPicture(std::vector<Row> rows, std::vector<analysis::ScoreOrigin> origins, int chosen);

    int rows() const override { return rows_.size(); }
    int columns() const override { return origins_.size(); }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override;
    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override;
    /// Anywhere in a row; between parts, the nearest.
    std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const override;
    QString inWords(MapCell mark) const override;
    QString rowName(int row) const override { return rows_[row].head; }
    QString columnName(int column) const override;

  private:
    double share(int row, int column) const {
        return rows_[row].shares.origins[static_cast<std::size_t>(origins_[column])];
    }
    double legend(QPainter* painter, const QRectF& area, const QFont& font, const Theme& theme) const;
    QRectF rowPlace(int row, const QRectF& area, const QFont& font) const;
    double namesWidth(const QFont& font) const;

    std::vector<Row> rows_;
    std::vector<analysis::ScoreOrigin> origins_;
    int chosen_;
    double least_ = 0; ///< of all bars, so that they can be compared
    double most_ = 1;
};

} // namespace headscope::widgets
