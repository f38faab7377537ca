// The numbers behind the views of a cell's arithmetic, of batches and of classifiers.
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/linked_maps.h"
#include "widgets/views/arithmetic/arithmetic_view.h"
#include "widgets/views/batch/batch_view.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/words/captions.h"

namespace headscope::widgets {

namespace {

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
    data.tables.push_back(featureData());
    return data;
}

} // namespace headscope::widgets
