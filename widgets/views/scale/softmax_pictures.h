#pragma once

#include "model/analysis/scores/softmax_temperature.h"
#include "widgets/drawing/plot_frame.h"
#include "widgets/drawing/plot_legend.h"
#include "widgets/map/map_picture.h"
#include "widgets/plots/readable_plot.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// A row of a head: soft attention (filled) beside hard attention (outline).
struct AttentionRow {
    std::vector<TokenLabel> keys;
    std::vector<float> soft;         ///< [keys]
    std::vector<std::uint8_t> open;  ///< [keys]
    std::optional<std::size_t> hard; ///< key with the largest score; nullopt if all keys are masked
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
        double row = 0;   ///< height of a row
        double label = 0; ///< width
        double number = 0;
    };
    Layout layOut(const QRectF& area, const QFont& font) const;
    QRectF barAt(MapCell mark, const Layout& at) const;
    std::vector<LegendEntry> legend(const Theme& theme) const;
    double weight(MapCell mark) const;

    AttentionRow row_;
    QStringList numbers_; ///< texts next to the bars
};

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

    int rows() const override { return static_cast<int>(map_.weights.rows()); }
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

/// The mean entropy of the rows over the temperature. Marks the current temperature, 1, and the temperature
/// that is equal to dropping the factor of q k.
struct EntropyOverTemperature {
    analysis::EntropyCurve curve;
    double temperature = 1;
    std::optional<double> entropy; ///< at `temperature`
    QString stillOf; ///< head of an outdated curve; empty if the curve belongs to the shown head
    std::optional<double> without; ///< the temperature equal to dropping the factor
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
