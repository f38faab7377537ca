#include "widgets/views/scale/scale_figure.h"

#include "model/analysis/maps/cell_arithmetic.h"
#include "model/analysis/maps/recomputed_map.h"
#include "widgets/drawing/axis_numbers.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/views/scale/score_plots.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/trace_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace headscope::widgets {

namespace {

struct ScaleFigureWords {
    Q_DECLARE_TR_FUNCTIONS(Scale)
};

trace::DataTable initialisationsAt(int headWidth) {
    QStringList names;
    std::vector<double> variances;
    for (const auto initialisation : analysis::initialisations) {
        names += initialisationName(initialisation);
        variances.push_back(analysis::varianceAtFirst(initialisation, headWidth));
    }
    return {.name = "initialisations",
            .columns = {dataColumn("initialisation", names), dataColumn("variance", variances)}};
}

} // namespace

QString scoresCaption(const ScaleAnswer& answer) {
    const auto& question = answer.question;
    const auto& scores = answer.scores;
    const auto& model = *question.run->model;
    const QString whose =
        question.scope == ScoreScope::Head ? headTitle(model, question.head)
        : question.scope == ScoreScope::Layer
            ? ScaleFigureWords::tr("%1, all heads").arg(layerTitle(model, question.head.site))
            : ScaleFigureWords::tr("All %1 heads").arg(analysis::headsOf(*question.run).size());
    const auto scale = analysis::scoreScale(*question.run, model.headWidth);
    const QString factor = scale.isInverseRoot && scale.temperature == 1
                               ? ScaleFigureWords::tr("%1 = 1/√d_k").arg(axisNumber(scores.factor))
                               : axisNumber(scores.factor);
    QString words =
        ScaleFigureWords::tr(
            "%1: the scores q · k of this sentence's %2 allowed cells, times %3 as input of the "
            "softmax (filled) and without the factor (outline). Each histogram adds up to 1.%4")
            .arg(ofModel(model, whose), QString::number(scores.ofScaled.cells), factor,
                 scores.hasBias
                     ? QChar(' ') + ScaleFigureWords::tr("The filled scores contain the distance bias.")
                     : QString());
    if (scores.temperature != 1)
        words +=
            QChar(' ') + ScaleFigureWords::tr(
                             "Dashed: the filled scores divided by the temperature %1, mean %2, variance %3.")
                             .arg(axisNumber(scores.temperature), axisNumber(scores.ofDivided.mean),
                                  axisNumber(scores.ofDivided.variance));
    return words;
}

QString headsCaption(const ScaleAnswer& answer) {
    const auto& question = answer.question;
    const auto& model = *question.run->model;
    const QString whose =
        question.scope == ScoreScope::Head ? headTitle(model, question.head)
        : question.scope == ScoreScope::Layer
            ? ScaleFigureWords::tr("%1, all heads").arg(layerTitle(model, question.head.site))
            : ScaleFigureWords::tr("All %1 heads").arg(headsOf(question).size());
    QString words =
        ScaleFigureWords::tr(
            "%1: softmax(score / %2). Left: entropy of each head's rows, from least to largest, with the "
            "mean "
            "as a mark and uniform attention as a stroke; below it the mean weight of the key with the "
            "largest score (1: attention is hard). Right: the mean entropy over the temperature.")
            .arg(ofModel(model, whose), axisNumber(question.temperature));
    const auto heads = headsOf(question);
    const auto rows = analysis::rowsLookedAt(*question.run, heads);
    if (std::ranges::any_of(answer.heads, [rows](const auto& head) { return head.allRows > rows; }))
        words += QChar(' ') +
                 ScaleFigureWords::tr("Of heads with more than %1 rows, %1 evenly chosen rows are used.")
                     .arg(rows);
    words += QChar(' ') + ScaleFigureWords::tr(
                              "Rows of padding and rows with a single allowed key do not count. Each head is "
                              "computed alone: later layers are not recomputed.");
    return words;
}

QString varianceCaption(const trace::ModelSummary& model, double temperature) {
    QStringList given;
    for (const auto initialisation : analysis::initialisations)
        given += QStringLiteral("%1 %2").arg(
            initialisationName(initialisation),
            axisNumber(analysis::varianceAtFirst(initialisation, model.headWidth)));
    QString words =
        ScaleFigureWords::tr(
            "Variance of q · k over this sentence's allowed cells, before any factor: %1 at d_k = %2; in the "
            "band, layers side by side. Lines: independent components with common initialisations (%3). The "
            "components of a trained model are neither independent nor standardised.")
            .arg(ofModel(model, ScaleFigureWords::tr("every head")), QString::number(model.headWidth),
                 given.join(ScaleFigureWords::tr(", ")));
    if (temperature != 1)
        words += QChar(' ') +
                 ScaleFigureWords::tr("Temperature %1 multiplies the variance of the softmax's input by %2.")
                     .arg(axisNumber(temperature), axisNumber(1 / (temperature * temperature)));
    return words;
}

/// The entropy of each row, and its key with the largest score.
trace::DataTable entropyRows(const analysis::OpenScores& scores, const trace::Matrix& weights,
                             const std::vector<TokenLabel>& queries) {
    QStringList names;
    std::vector<double> entropies, hard;
    const auto bits = analysis::entropiesOfRows(scores, weights);
    for (std::size_t row = 0; row < bits.size(); ++row) {
        names += row < queries.size() ? queries[row].full() : QString();
        entropies.push_back(bits[row].value_or(noNumber));
        const auto key = analysis::hardKey(scores.scores.row(row), scores.open.row(row));
        hard.push_back(key ? static_cast<double>(*key) : noNumber);
    }
    return {.name = "rows",
            .columns = {dataColumn("query", names), dataColumn("entropy_bits", entropies),
                        dataColumn("hard_key", hard)}};
}

/// The histogram and the statistics of each kind of score; those divided by the temperature only if it is not
/// 1.
trace::FigureData scoresData(const analysis::ScoresOnOneAxis& scores) {
    const auto bins = static_cast<double>(scores.scaled.size());
    std::vector<double> edges;
    for (std::size_t bin = 0; bin < scores.scaled.size(); ++bin)
        edges.push_back(scores.lowest + (scores.highest - scores.lowest) * static_cast<double>(bin) / bins);
    trace::DataTable shares{.name = "shares_of_cells",
                            .columns = {dataColumn("from", edges), dataColumn("scaled", scores.scaled),
                                        dataColumn("products", scores.products)}};
    QStringList names{QStringLiteral("scaled"), QStringLiteral("products")};
    std::vector<double> factors{scores.factor, 1};
    std::vector<double> means{scores.ofScaled.mean, scores.ofProducts.mean};
    std::vector<double> variances{scores.ofScaled.variance, scores.ofProducts.variance};
    if (scores.temperature != 1) {
        shares.columns.push_back(dataColumn("at_temperature", scores.divided));
        names += QStringLiteral("at_temperature");
        factors.push_back(scores.factor / scores.temperature);
        means.push_back(scores.ofDivided.mean);
        variances.push_back(scores.ofDivided.variance);
    }
    return {.tables = {std::move(shares),
                       {.name = "spreads",
                        .columns = {dataColumn("scores", names), dataColumn("factor", factors),
                                    dataColumn("mean", means), dataColumn("variance", variances)}}}};
}

trace::FigureData varianceData(const ScaleAnswer& answer, const std::vector<analysis::HeadSpread>& twins,
                               double temperature) {
    QStringList heads;
    std::vector<double> mean, variance, divided, twin;
    for (const auto& spread : answer.spreads) {
        heads += address(spread.head);
        mean.push_back(spread.products.mean);
        variance.push_back(spread.products.variance);
        divided.push_back(analysis::dividedBy(temperature, spread.scores).variance);
        const auto same = std::ranges::find(twins, spread.head, &analysis::HeadSpread::head);
        twin.push_back(same == twins.end() ? noNumber : same->products.variance);
    }
    const std::vector<double> at(divided.size(), temperature);
    return {.tables = {{.name = "products",
                        .columns = {dataColumn("head", heads), dataColumn("mean", mean),
                                    dataColumn("variance", variance), dataColumn("twin_variance", twin),
                                    dataColumn("temperature", at), dataColumn("score_variance", divided)}},
                       initialisationsAt(answer.question.run->model->headWidth)}};
}

trace::FigureData headsData(const ScaleAnswer& answer) {
    QStringList heads;
    std::vector<double> rows, allRows, least, mean, most, even, hard;
    for (const auto& head : answer.heads) {
        heads += address(head.head);
        rows.push_back(static_cast<double>(head.rows));
        allRows.push_back(static_cast<double>(head.allRows));
        least.push_back(head.least);
        mean.push_back(head.mean);
        most.push_back(head.most);
        even.push_back(head.even);
        hard.push_back(head.hard);
    }
    QStringList curveHeads;
    std::vector<double> temperatures, bits;
    for (const auto& [head, curve] : answer.curves)
        for (std::size_t i = 0; i < curve.temperatures.size(); ++i) {
            curveHeads += address(head);
            temperatures.push_back(curve.temperatures[i]);
            bits.push_back(curve.entropies[i]);
        }
    const std::vector<double> at(answer.heads.size(), answer.question.temperature);
    return {.tables = {{.name = "heads",
                        .columns = {dataColumn("head", heads), dataColumn("temperature", at),
                                    dataColumn("rows", rows), dataColumn("all_rows", allRows),
                                    dataColumn("least_bits", least), dataColumn("mean_bits", mean),
                                    dataColumn("most_bits", most), dataColumn("even_bits", even),
                                    dataColumn("hard_key_weight", hard)}},
                       {.name = "entropy",
                        .columns = {dataColumn("head", curveHeads), dataColumn("temperature", temperatures),
                                    dataColumn("bits", bits)}}}};
}

} // namespace headscope::widgets
