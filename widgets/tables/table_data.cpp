// The numbers behind the views that list.
#include "model/analysis/statistic.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/tables/head_table_filter.h"
#include "widgets/tables/head_table_model.h"
#include "widgets/views/attribution/attribution_view.h"
#include "widgets/views/beam_tree/beam_tree_view.h"
#include "widgets/views/beam_tree/beam_tree_words.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/head_page/head_page.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/importance/importance_model.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/lens/lens_grid.h"
#include "widgets/views/lens/lens_view.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"

#include <cmath>

namespace headscope::widgets {

namespace {

QString piece(const trace::Token& token) {
    return tokenLabel(token).full();
}

QString partColumnName(const trace::LogitPart& part) {
    using Kind = trace::LogitPart::Kind;
    const QString place = part.sublayer ? QString::fromStdString(trace::toString(*part.sublayer)) : QString();
    switch (part.kind) {
    case Kind::Bias:
        return QStringLiteral("bias");
    case Kind::Embedding:
        return QStringLiteral("embedding");
    case Kind::Position:
        return QStringLiteral("position");
    case Kind::Head:
        return QStringLiteral("%1.%2").arg(place).arg(part.head);
    case Kind::AttentionBias:
        return place + QStringLiteral(".bias");
    case Kind::FeedForward:
        return place;
    }
    return {};
}

} // namespace

trace::FigureData CandidatesView::figureData() const {
    if (!hasFigure())
        return {};
    QStringList pieces;
    std::vector<double> ids, probabilities, logProbabilities, sums;
    for (const auto& candidate : model_->candidates()) {
        pieces += piece(candidate.token);
        ids.push_back(static_cast<double>(candidate.token.id));
        logProbabilities.push_back(candidate.logProbability);
        probabilities.push_back(std::exp(logProbabilities.back()));
        sums.push_back(model_->sum(sums.size()));
    }
    trace::DataTable table{.name = "candidates",
                           .columns = {dataColumn("token", pieces), dataColumn("id", ids),
                                       dataColumn("probability", probabilities),
                                       dataColumn("log_probability", logProbabilities)}};
    if (!hasClasses())
        table.columns.push_back(dataColumn("sum_of_log_probabilities", sums));
    return {.tables = {table}};
}

trace::FigureData AttributionView::figureData() const {
    const auto* shown = attribution();
    if (!shown)
        return {};
    QStringList names;
    std::vector<double> values;
    for (const auto& part : shown->parts) {
        names += partColumnName(part);
        values.push_back(part.value);
    }
    return {
        .tables = {{.name = "parts", .columns = {dataColumn("part", names), dataColumn("logit", values)}}}};
}

trace::FigureData ImportanceView::figureData() const {
    if (!hasFigure())
        return {};
    QStringList heads;
    std::vector<double> importance, divergence, twin;
    const auto ofTwin = twinScores();
    for (const auto& score : model_->scores()) {
        heads += address(score.head);
        importance.push_back(score.importance);
        divergence.push_back(score.divergence);
        twin.push_back(noNumber);
        for (const auto& other : ofTwin.value_or(std::vector<analysis::HeadScore>()))
            if (other.head == score.head)
                twin.back() = other.importance;
    }
    trace::DataTable table{.name = "importance",
                           .columns = {dataColumn("head", heads), dataColumn("importance", importance),
                                       dataColumn("divergence", divergence)}};
    if (ofTwin)
        table.columns.push_back(dataColumn("twin", twin));
    return {.tables = {std::move(table)}};
}

trace::FigureData HeadTable::figureData() const {
    if (!hasFigure())
        return {};
    QStringList heads, roles;
    std::vector<double> here, importance;
    std::vector<std::vector<double>> statistics(analysis::statisticCount);
    auto uniform = statistics, twin = statistics;
    bool hasTwin = false;
    for (int row = 0; row < filter_->rowCount(); ++row) {
        const auto listed = filter_->mapToSource(filter_->index(row, 0));
        const auto head = model_->head(listed.row());
        heads += address(head);
        roles += listed.siblingAtColumn(HeadTableModel::Role).data(Qt::DisplayRole).toString();
        here.push_back(model_->weightAtCell(head).value_or(noNumber));
        importance.push_back(model_->importanceOf(head).value_or(noNumber));
        const auto* ofTwin = model_->twinOf(head);
        hasTwin = hasTwin || ofTwin;
        for (const auto statistic : analysis::allStatistics()) {
            const auto column = static_cast<std::size_t>(statistic);
            statistics[column].push_back(model_->of(head)->values[statistic].value_or(noNumber));
            uniform[column].push_back(model_->of(head)->uniform[statistic].value_or(noNumber));
            twin[column].push_back(ofTwin ? ofTwin->values[statistic].value_or(noNumber) : noNumber);
        }
    }
    trace::DataTable table{.name = "heads",
                           .columns = {dataColumn("head", heads), dataColumn("role", roles)}};
    if (model_->cell())
        table.columns.push_back(dataColumn("weight_at_cell", here));
    table.columns.push_back(dataColumn("importance", importance));
    const auto add = [&](const std::vector<std::vector<double>>& numbers, const char* of) {
        for (const auto statistic : analysis::allStatistics())
            table.columns.push_back(dataColumn(std::string(analysis::name(statistic)) + of,
                                               numbers[static_cast<std::size_t>(statistic)]));
    };
    add(statistics, "");
    add(uniform, "_uniform");
    if (hasTwin)
        add(twin, "_twin");
    return {.tables = {std::move(table)}};
}

trace::FigureData HeadPage::figureData() const {
    if (!hasFigure())
        return {};
    QStringList names;
    std::vector<double> values, uniform, twin;
    for (const auto statistic : analysis::allStatistics()) {
        names += QString::fromStdString(std::string(analysis::name(statistic)));
        values.push_back(facts_->statistics.values[statistic].value_or(noNumber));
        uniform.push_back(facts_->statistics.uniform[statistic].value_or(noNumber));
        twin.push_back(facts_->twin ? facts_->twin->values[statistic].value_or(noNumber) : noNumber);
    }
    trace::FigureData data{
        .tables = {{.name = "statistics",
                    .columns = {dataColumn("statistic", names), dataColumn("value", values),
                                dataColumn("uniform", uniform)}}}};
    if (facts_->twin)
        data.tables.front().columns.push_back(dataColumn("twin", twin));
    if (facts_->driving.empty())
        return data;
    QStringList sentences;
    std::vector<double> numbers;
    for (const auto& sentence : facts_->driving) {
        sentences += QString::fromStdString(sentence.text);
        numbers.push_back(sentence.value);
    }
    data.tables.push_back({.name = "sentences",
                           .columns = {dataColumn("sentence", sentences),
                                       dataColumn(std::string(analysis::name(facts_->drivenBy)), numbers)}});
    return data;
}

trace::FigureData BeamTreeView::figureData() const {
    if (!hasFigure())
        return {};
    QStringList pieces, fates;
    std::vector<double> ids, parents, steps, ranks, logProbabilities, scores, finals, kept;
    for (const auto& shown : layout_.nodes) {
        const auto& node = run_->tree.node(shown.id);
        ids.push_back(static_cast<double>(shown.id));
        parents.push_back(shown.parent ? static_cast<double>(layout_.nodes[*shown.parent].id) : noNumber);
        steps.push_back(shown.column > 0 ? shown.column - 1 : noNumber); // that chose it
        ranks.push_back(node.search ? node.search->rank : noNumber);
        pieces += piece(node.token);
        logProbabilities.push_back(node.logProbability);
        scores.push_back(node.search ? node.search->score : noNumber);
        finals.push_back(node.search ? node.search->finalScore : noNumber);
        fates += node.search ? fateName(node.search->fate) : QString();
        kept.push_back(shown.kept ? 1 : 0);
    }
    return {
        .tables = {{.name = "hypotheses",
                    .columns = {dataColumn("node", ids), dataColumn("parent", parents),
                                dataColumn("step", steps), dataColumn("rank", ranks),
                                dataColumn("token", pieces), dataColumn("log_probability", logProbabilities),
                                dataColumn("score", scores), dataColumn("final_score", finals),
                                dataColumn("fate", fates), dataColumn("won", kept)}}}};
}

trace::FigureData LensView::figureData() const {
    if (!hasFigure())
        return {};
    const auto& lens = *table_->lens();
    trace::DataAxis stages{.name = "stage"}, steps{.name = "step"};
    trace::FigureData data;
    std::array<std::vector<double>, 3> numbers;
    QStringList stageOf, best;
    std::vector<double> stepOf, probability;
    for (int column = 0; column < table_->columns(); ++column)
        steps.labels.push_back(table_->chosen(column).full().toStdString());
    for (int row = 0; row < table_->rows(); ++row) {
        const auto& stage = lens.stages[static_cast<std::size_t>(table_->rows() - 1 - row)];
        stages.labels.push_back(stage);
        for (int column = 0; column < table_->columns(); ++column) {
            const auto& reading = table_->reading({row, column});
            numbers[0].push_back(reading.chosenLogProbability);
            numbers[1].push_back(static_cast<double>(reading.chosenRank));
            numbers[2].push_back(reading.divergence);
            stageOf += QString::fromStdString(stage);
            stepOf.push_back(column);
            best += table_->piece({row, column}).full();
            probability.push_back(reading.candidates.empty() ? noNumber
                                                             : reading.candidates.front().logProbability);
        }
    }
    const std::vector<std::size_t> shape{stages.labels.size(), steps.labels.size()};
    for (const auto& [name, values] :
         {std::pair("chosen_log_probability", numbers[0]), std::pair("chosen_rank", numbers[1]),
          std::pair("divergence", numbers[2])})
        data.arrays.push_back({.name = name, .axes = {stages, steps}, .shape = shape, .values = values});
    data.tables.push_back(
        {.name = "most_probable",
         .columns = {dataColumn("stage", stageOf), dataColumn("step", stepOf), dataColumn("token", best),
                     dataColumn("log_probability", probability)}});
    return data;
}

} // namespace headscope::widgets
