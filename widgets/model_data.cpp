// The numbers behind the views of a cell's arithmetic, of the model's blocks, of the scale and of
// classifiers.
#include "model/analysis/architecture_memory.h"
#include "widgets/architecture_view.h"
#include "widgets/architecture_words.h"
#include "widgets/arithmetic_view.h"
#include "widgets/batch_view.h"
#include "widgets/captions.h"
#include "widgets/classifier_view.h"
#include "widgets/figure_data_parts.h"
#include "widgets/linked_maps.h"
#include "widgets/scale_view.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

using analysis::ArchitectureBlock;

trace::DataTable dimensionsOf(const analysis::CellArithmetic& cell) {
    return {.name = "dimensions",
            .columns = {dataColumn("q", cell.q), dataColumn("k", cell.k),
                        dataColumn("product", cell.products), dataColumn("v", cell.v),
                        dataColumn("weight_times_v", cell.adds), dataColumn("output", cell.output)}};
}

trace::DataTable rowOf(const trace::Run& run, const analysis::CellArithmetic& cell) {
    const auto& keys = run.keyTokens(cell.head.site.kind);
    QStringList tokens;
    std::vector<double> open, scores, exponentials, weights;
    for (std::size_t i = 0; i < cell.row.size(); ++i) {
        tokens += tokenLabel(keys.at(i)).full();
        open.push_back(cell.row[i].open ? 1 : 0);
        scores.push_back(cell.row[i].score);
        exponentials.push_back(cell.row[i].exponential);
        weights.push_back(cell.row[i].weight);
    }
    return {.name = "row",
            .columns = {dataColumn("key", tokens), dataColumn("open", open), dataColumn("score", scores),
                        dataColumn("exponential", exponentials), dataColumn("weight", weights)}};
}

trace::DataTable cellOf(const analysis::CellArithmetic& cell) {
    return {
        .name = "cell",
        .columns = {
            dataColumn("number", QStringList{"query", "key", "dot", "scale", "distance", "score",
                                             "sum_of_exponentials", "weight", "shown_score", "shown_weight"}),
            dataColumn("value",
                       std::vector<double>{static_cast<double>(cell.query), static_cast<double>(cell.key),
                                           cell.dot, cell.scale.factor, cell.distance, cell.score, cell.sum,
                                           cell.weight, cell.shownScore, cell.shownWeight})}};
}

struct BlockColumns {
    QStringList roles;
    std::vector<double> parameters, activations, before, added, after, cosine, units, dead;

    void add(const ArchitectureFacts& facts, const std::vector<ArchitectureBlock>& blocks) {
        const auto lengths = facts.lengths();
        for (const auto& block : blocks) {
            const auto* flow = facts.flowOf(block);
            const auto mean = [&](const std::vector<double> trace::SublayerFlow::*part) {
                return flow ? meanOf(facts, block.side, flow->*part) : noNumber;
            };
            roles += QString::fromStdString(block.role);
            parameters.push_back(static_cast<double>(block.parameters));
            activations.push_back(lengths ? analysis::activationBytes(block, *lengths) : noNumber);
            before.push_back(mean(&trace::SublayerFlow::before));
            added.push_back(mean(&trace::SublayerFlow::added));
            after.push_back(mean(&trace::SublayerFlow::after));
            cosine.push_back(mean(&trace::SublayerFlow::cosine));
            units.push_back(flow && flow->units > 0 ? static_cast<double>(flow->units) : noNumber);
            dead.push_back(flow && flow->units > 0 ? static_cast<double>(flow->deadUnits) : noNumber);
            add(facts, block.children);
        }
    }
};

} // namespace

trace::FigureData ArithmeticView::figureData() const {
    if (!cell_)
        return {};
    trace::FigureData data{.tables = {cellOf(*cell_), dimensionsOf(*cell_), rowOf(*shown_, *cell_)}};
    if (addition_)
        data.tables.push_back(
            {.name = "residual_stream",
             .columns = {dataColumn("added", addition_->added), dataColumn("head", addition_->head)}});
    return data;
}

trace::FigureData ArchitectureView::figureData() const {
    if (!hasFigure())
        return {};
    BlockColumns all;
    all.add(facts_, facts_.architecture.source);
    all.add(facts_, facts_.architecture.target);
    return {.tables = {{.name = "blocks",
                        .columns = {dataColumn("block", all.roles), dataColumn("parameters", all.parameters),
                                    dataColumn("activation_bytes", all.activations),
                                    dataColumn("stream_before", all.before), dataColumn("added", all.added),
                                    dataColumn("stream_after", all.after), dataColumn("cosine", all.cosine),
                                    dataColumn("units", all.units), dataColumn("dead_units", all.dead)}}}};
}

trace::FigureData BatchView::figureData() const {
    trace::FigureData data;
    if (!hasFigure())
        return data;
    QStringList kinds, tokens;
    std::vector<double> sentences, positions;
    for (std::size_t i = 0; i < answer_->sentences.size(); ++i) {
        const auto& row = answer_->sentences[i].row;
        const auto add = [&](const char* kind, std::size_t position, const trace::Token& token) {
            sentences.push_back(static_cast<double>(i));
            kinds += QLatin1String(kind);
            positions.push_back(static_cast<double>(position));
            tokens += tokenLabel(token).full();
        };
        for (std::size_t at = 0; at < row.source.size(); ++at)
            add("source", at, row.source[at]);
        for (std::size_t at = 0; at < row.input.size(); ++at)
            add("input", at, row.input[at]);
        for (std::size_t at = 0; at < row.labels.size(); ++at)
            if (row.labels[at])
                add("label", at, *row.labels[at]);
    }
    data.tables.push_back({.name = "tokens",
                           .columns = {dataColumn("sentence", sentences), dataColumn("row", kinds),
                                       dataColumn("position", positions), dataColumn("token", tokens)}});
    addLinkedMaps(data, masks_->maps());
    return data;
}

trace::FigureData ScaleView::figureData() const {
    if (!hasFigure())
        return {};
    if (page() == Page::Temperature) {
        const auto kind = selection_->head().site.kind;
        const auto weights = analysis::softmaxOf(*scores_, temperature_);
        trace::FigureData data;
        data.arrays.push_back(dataArray("weights", trace::view(weights), &scores_->open,
                                        dataAxis("query", tokenLabels(run_->queryTokens(kind))),
                                        dataAxis("key", tokenLabels(run_->keyTokens(kind)))));
        // A curve that stays until the next is known is none of these weights.
        const auto* answer = known();
        const bool isOwn =
            answer && answer->question.run == run_ && answer->question.head == selection_->head();
        if (isOwn && !answer->curve.entropies.empty())
            data.tables.push_back({.name = "entropy",
                                   .columns = {dataColumn("temperature", answer->curve.temperatures),
                                               dataColumn("bits", answer->curve.entropies)}});
        return data;
    }
    if (page() == Page::Scores) {
        const auto& scores = known()->scores;
        std::vector<double> edges;
        for (std::size_t bin = 0; bin < scores.scaled.size(); ++bin)
            edges.push_back(scores.lowest + (scores.highest - scores.lowest) * static_cast<double>(bin) /
                                                static_cast<double>(scores.scaled.size()));
        return {.tables = {{.name = "shares_of_cells",
                            .columns = {dataColumn("from", edges), dataColumn("scaled", scores.scaled),
                                        dataColumn("products", scores.products)}}}};
    }
    QStringList heads;
    std::vector<double> mean, variance, twin;
    for (const auto& spread : known()->spreads) {
        heads += QString::fromStdString(trace::toString(spread.head));
        mean.push_back(spread.products.mean);
        variance.push_back(spread.products.variance);
        const auto same = std::ranges::find(twin_, spread.head, &analysis::HeadSpread::head);
        twin.push_back(same == twin_.end() ? noNumber : same->products.variance);
    }
    return {.tables = {{.name = "products",
                        .columns = {dataColumn("head", heads), dataColumn("mean", mean),
                                    dataColumn("variance", variance), dataColumn("twin_variance", twin)}}}};
}

trace::FigureData ClassifierView::figureData() const {
    if (!hasFigure())
        return {};
    trace::FigureData data;
    if (page() == Page::Words) {
        std::vector<double> logLost, lost;
        QStringList words;
        for (const auto& word : words_) {
            QString text;
            for (std::size_t token = word.firstToken; token < word.lastToken; ++token)
                text += tokenLabel(run_->source.at(token)).full();
            words += text;
            logLost.push_back(word.logProbabilityLost);
            lost.push_back(word.probabilityLost);
        }
        data.tables.push_back(
            {.name = "words",
             .columns = {dataColumn("word", words), dataColumn("log_probability_lost", logLost),
                         dataColumn("probability_lost", lost)}});
        return data;
    }
    QStringList names;
    for (std::size_t i = 0; i < reading_->logits.size(); ++i)
        names += nameOf(i);
    data.tables.push_back({.name = "classes",
                           .columns = {dataColumn("class", names), dataColumn("logit", reading_->logits),
                                       dataColumn("log_probability", reading_->logProbabilities),
                                       dataColumn("bias", reading_->bias)}});
    trace::DataArray contributions{.name = "contributions",
                                   .axes = {{.name = "class"}, dataAxis("token", tokenLabels(run_->source))},
                                   .shape = {reading_->contributions.size(), run_->source.size()}};
    for (const auto& row : reading_->contributions)
        contributions.values.insert(contributions.values.end(), row.begin(), row.end());
    for (const QString& name : names)
        contributions.axes[0].labels.push_back(name.toStdString());
    data.arrays.push_back(std::move(contributions));
    return data;
}

} // namespace headscope::widgets
