#pragma once

#include "model/analysis/scores/softmax_temperature.h"
#include "widgets/drawing/plot_frame.h"
#include "widgets/drawing/plot_legend.h"
#include "widgets/map/map_picture.h"
#include "widgets/plots/readable_plot.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// One row of a head: soft attention, filled, beside hard attention, an outline.
struct AttentionRow {
    std::vector<TokenLabel> keys;
    std::vector<float> soft;         ///< [keys]
    std::vector<std::uint8_t> open;  ///< [keys]
    std::optional<std::size_t> hard; ///< where hard attention looks; nothing: no key is open
    bool spaceMarks = true;
};

class RowPicture : public PlotPicture {
  public:
    explicit RowPicture(AttentionRow row);

    int rows() const override { return static_cast<int>(row_.keys.size()); }
    int columns() const override { return 2; }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override;
    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override;
    std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const override;
    QString inWords(MapCell mark) const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;

  private:
    struct Layout {
        QRectF bars;      ///< of all rows
        double row = 0;   ///< height of one
        double label = 0; ///< width
        double number = 0;
    };
    Layout layOut(const QRectF& area, const QFont& font) const;
    QRectF barAt(MapCell mark, const Layout& at) const;
    std::vector<LegendEntry> legend(const Theme& theme) const;
    double weight(MapCell mark) const;

    AttentionRow row_;
    QStringList numbers_; ///< as they stand beside the bars
};

/// A head's whole map at a temperature, and the entropy of every row as a bar beside it.
struct SoftMap {
    trace::Matrix weights;
    trace::MaskMatrix open;
    std::vector<std::optional<double>> entropies; ///< [queries], bits
    std::vector<TokenLabel> queries;
    std::vector<TokenLabel> keys;
    int row = -1; ///< the current one; -1: none is marked
    bool spaceMarks = true;
};

class SoftMapPicture : public PlotPicture {
  public:
    explicit SoftMapPicture(SoftMap map) : map_(std::move(map)) {}

    int rows() const override { return static_cast<int>(map_.weights.rows()); }
    /// The keys, and the entropy.
    int columns() const override { return static_cast<int>(map_.weights.columns()) + 1; }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override;
    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override;
    std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const override;
    QString inWords(MapCell mark) const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    /// Where not all of them are named, how many are, after a space.
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

/// The rows' mean entropy over the temperature, with the current one, 1, and what dropping the factor of q k
/// amounts to.
struct EntropyOverTemperature {
    analysis::EntropyCurve curve;
    double temperature = 1;
    std::optional<double> entropy; ///< at the temperature
    QString stillOf; ///< the head whose curve stays until the shown one's is known; empty: it is that one's
    std::optional<double> without; ///< the temperature that dropping the factor amounts to
};

class EntropyPicture : public PlotPicture {
  public:
    explicit EntropyPicture(EntropyOverTemperature shown) : shown_(std::move(shown)) {}

    int rows() const override { return 1; }
    int columns() const override { return static_cast<int>(shown_.curve.temperatures.size()); }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override;
    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override;
    std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const override;
    QString inWords(MapCell mark) const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    double temperatureAt(MapCell mark) const {
        return shown_.curve.temperatures[static_cast<std::size_t>(mark.column)];
    }

  private:
    PlotFrame frame(const QRectF& area, const QFont& font) const;
    void drawMarkedTemperatures(QPainter& painter, const PlotFrame& axes, const QFont& font,
                                const Theme& theme) const;

    EntropyOverTemperature shown_;
};

} // namespace headscope::widgets
