// The numbers behind the pages of the scale.
#include "widgets/export/figure_data_parts.h"
#include "widgets/views/scale/scale_view.h"
#include "widgets/views/scale/score_pictures.h"
#include "widgets/words/captions.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

/// Of every row its entropy, and where hard attention looks.
trace::DataTable rowsOf(const analysis::OpenScores& scores, const trace::Matrix& weights,
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

/// The bins, and what they are counts of; what a temperature divides, where it is not 1.
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

} // namespace

trace::FigureData ScaleView::figureData() const {
    if (!hasFigure())
        return {};
    if (showsHeads())
        return headsData();
    if (page() == Page::Temperature) {
        const auto kind = selection_->head().site.kind;
        const auto weights = analysis::softmaxOf(*scores_, temperature_);
        trace::FigureData data;
        data.arrays.push_back(dataArray("weights", trace::view(weights), &scores_->open,
                                        dataAxis("query", tokenLabels(run_->queryTokens(kind))),
                                        dataAxis("key", tokenLabels(run_->keyTokens(kind)))));
        // A curve that stays until the next is known is none of these weights.
        const auto* answer = known();
        data.tables.push_back(rowsOf(*scores_, weights, tokenLabels(run_->queryTokens(kind))));
        const bool isOwn =
            answer && answer->question.run == run_ && answer->question.head == selection_->head();
        if (isOwn && !answer->curve.entropies.empty()) {
            const std::vector<double> even(answer->curve.entropies.size(), answer->curve.even);
            data.tables.push_back(
                {.name = "entropy",
                 .columns = {dataColumn("temperature", answer->curve.temperatures),
                             dataColumn("bits", answer->curve.entropies), dataColumn("even_bits", even)}});
        }
        return data;
    }
    return page() == Page::Scores ? scoresData(known()->scores) : varianceData();
}

/// A part of figureData().
trace::FigureData ScaleView::varianceData() const {
    QStringList heads;
    std::vector<double> mean, variance, divided, twin;
    for (const auto& spread : known()->spreads) {
        heads += QString::fromStdString(trace::toString(spread.head));
        mean.push_back(spread.products.mean);
        variance.push_back(spread.products.variance);
        divided.push_back(analysis::dividedBy(temperature_, spread.scores).variance);
        const auto same = std::ranges::find(twin_, spread.head, &analysis::HeadSpread::head);
        twin.push_back(same == twin_.end() ? noNumber : same->products.variance);
    }
    const std::vector<double> at(divided.size(), temperature_);
    return {.tables = {{.name = "products",
                        .columns = {dataColumn("head", heads), dataColumn("mean", mean),
                                    dataColumn("variance", variance), dataColumn("twin_variance", twin),
                                    dataColumn("temperature", at), dataColumn("score_variance", divided)}},
                       initialisationsAt(run_->model->headWidth)}};
}

} // namespace headscope::widgets
