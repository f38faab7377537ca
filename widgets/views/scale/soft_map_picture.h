#pragma once

#include "widgets/map/map_picture.h"
#include "widgets/plots/readable_plot.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// The map of a head at a temperature, with the entropy of each row as a bar.
struct SoftMap {
    trace::Matrix weights;
    trace::MaskMatrix open;
    std::vector<std::optional<double>> entropies; ///< [queries], bits
    std::vector<TokenLabel> queries;
    std::vector<TokenLabel> keys;
    int row = -1; ///< the current row; -1: none
    bool spaceMarks = true;
};

class SoftMapPicture : public PlotPicture {
  public:
    explicit SoftMapPicture(SoftMap map) : map_(std::move(map)) {}

    int rows() const override { return map_.weights.rows(); }
    /// The keys and the entropy.
    int columns() const override { return static_cast<int>(map_.weights.columns()) + 1; }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override;
    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override;
    std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const override;
    QString inWords(MapCell mark) const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    /// If not all rows and columns are named, a space and how many are.
    QString namedInWords(const QRectF& area, const QFont& font) const;
    void setRow(int row) { map_.row = row; }

  private:
    MapPicture picture(const Theme& theme) const;
    MapLayout layOut(const QRectF& area, const QFont& font) const;
    QRectF strip(const QRectF& area, const MapLayout& layout, const QFont& font) const;
    QRectF entropyBar(int row, const MapLayout& layout, const QRectF& beside) const;
    double mostBits() const;
    bool isEntropy(MapCell mark) const { return mark.column + 1 == columns(); }

    SoftMap map_;
};

} // namespace headscope::widgets
