#pragma once

#include <QString>

#include "model/analysis/scores/heads_at_temperature.h"
#include "model/analysis/scores/score_spread.h"
#include "model/analysis/scores/softmax_temperature.h"
#include "model/trace/figure_data.h"
#include "widgets/drawing/token_label.h"
#include "widgets/map/map_picture.h"
#include "widgets/plots/plot.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/views/scale/scale_question.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// The scheme that uses this initialisation.
QString initialisationName(analysis::Initialisation initialisation);

/// Marks of heads, in the shape, the colour and with the name of their kind; still without points.
PlotSeries kindMarks(trace::AttentionKind kind);

/// Histograms of scores on one axis: with the factor of q k (filled), without it (outline) and, at a
/// temperature other than 1, divided by the temperature (dashed).
Plot scoresPlot(const analysis::ScoresOnOneAxis& scores);

/// Variances of q . k over d_k, both logarithmic. Each head is a mark near the model's d_k, with layers side
/// by side; lines show the variances of common initialisations. `twin` may be empty.
Plot variancePlot(const std::vector<analysis::HeadSpread>& heads,
                  const std::vector<analysis::HeadSpread>& twin, int headWidth);

/// The mean entropy of the rows over the temperature. Marks the current temperature, 1, and the temperature
/// that is equal to dropping the factor of q k.
struct EntropyOverTemperature {
    analysis::EntropyCurve curve;
    double temperature = 1;
    std::optional<double> entropy; ///< at `temperature`
    QString stillOf; ///< head of an outdated curve; empty if the curve belongs to the shown head
    std::optional<double> without; ///< the temperature equal to dropping the factor
};
Plot entropyPlot(const EntropyOverTemperature& shown);

/// The entropies of the rows of each head at a temperature, one column per head. Mark: mean; line: least to
/// most; stroke: uniform attention. `chosen`: the highlighted head, if any.
Plot headEntropiesPlot(const std::vector<analysis::HeadAtTemperature>& heads,
                       std::optional<trace::HeadAddress> chosen);

/// The mean weight of the key with the largest score, one column per head.
Plot hardHeadsPlot(const std::vector<analysis::HeadAtTemperature>& heads,
                   std::optional<trace::HeadAddress> chosen);

/// The mean entropy of each head's rows over the temperature; one row per head.
Plot headCurvesPlot(const std::vector<analysis::HeadCurve>& curves, double temperature,
                    std::optional<trace::HeadAddress> chosen);

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

// What a figure of the scale says, and the numbers behind it.

QString scoresCaption(const ScaleAnswer& answer);
/// "q · k times 0.1768 = 1/√d_k, d_k = 32". `factor`: of the scores; 1: none.
QString scalingInShort(const trace::ModelSummary& model, double factor);
QString headsCaption(const ScaleAnswer& answer);
QString varianceCaption(const trace::ModelSummary& model, double temperature);

/// The entropy of each row, and its key with the largest score.
trace::DataTable entropyRows(const analysis::OpenScores& scores, const trace::Matrix& weights,
                             const std::vector<TokenLabel>& queries);
/// The histogram and the statistics of each kind of score; those divided by the temperature only if it is not
/// 1.
trace::FigureData scoresData(const analysis::ScoresOnOneAxis& scores);
trace::FigureData varianceData(const ScaleAnswer& answer, const std::vector<analysis::HeadSpread>& twins,
                               double temperature);
trace::FigureData headsData(const ScaleAnswer& answer);

} // namespace headscope::widgets
