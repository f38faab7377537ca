#include "widgets/tables/known_heads.h"

#include "model/analysis/maps/recomputed_map.h"
#include "widgets/words/statistic_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace headscope::widgets {

KnownStatistics shownStatistics(const ViewContext& context, KnownStatistics before) {
    const auto& run = context.document->run;
    if (!run)
        return nullptr;
    auto known = run->complete ? context.known->of(analysis::StatisticsWhat{run}) : nullptr;
    return known ? known : before;
}

std::vector<trace::Wanted> statisticsQuestions(const DocumentState& document) {
    if (!document.request)
        return {};
    return {trace::Counted(analysis::StatisticsWhat{document.run})};
}

KnownCorpus shownCorpus(const ViewContext& context, KnownCorpus before) {
    const auto& read = context.document->corpus.read;
    if (!read)
        return nullptr;
    auto known = context.known->of(analysis::CorpusHeadsWhat{read});
    return known ? known : before;
}

std::vector<trace::Wanted> corpusQuestions(const DocumentState& document) {
    const auto& read = document.corpus.read;
    return read ? std::vector<trace::Wanted>{trace::Counted(analysis::CorpusHeadsWhat{read})}
                : std::vector<trace::Wanted>();
}

bool hasTwinRead(const DocumentState& document, const analysis::CorpusHeadsWhat::Value& corpus) {
    return hasTwin(document) && corpus.of->corpus->twinSeed == document.twinSeed;
}

std::optional<analysis::Statistic> chosenStatistic(const DocumentState& document) {
    const int by = chosenWord(document, "heads", "by");
    return by > 0 ? std::optional(static_cast<analysis::Statistic>(by - 1)) : std::nullopt;
}

namespace {

std::shared_ptr<const trace::Run> twinRun(const ViewContext& context) {
    const auto question = twinRunQuestion(*context.document);
    return question ? context.known->of(question->request, trace::RunWhat()) : nullptr;
}

} // namespace

ImportanceScope importanceScope(const DocumentState& document, const trace::Run& run,
                                const trace::HeadImportance& importance, int step) {
    const bool isOfStep =
        chosenWord(document, "importance", "of") == 0 && run.answerKind() != trace::AnswerKind::Tokens;
    const auto last = std::max<std::size_t>(1, importance.tokens.size()) - 1;
    return isOfStep || importance.tokens.size() < 2
               ? std::optional(std::min<std::size_t>(std::max(0, step), last))
               : std::nullopt;
}

ShownScores shownScores(const ViewContext& context, int step) {
    const auto [run, importance, isEarlier] = shownImportance(context);
    if (!run || !importance || !importance->complete)
        return {};
    return {.run = run,
            .importance = importance,
            .scope = importanceScope(*context.document, *run, *importance, step),
            .isEarlier = isEarlier};
}

std::vector<analysis::HeadScore> ShownScores::ranked() const {
    auto scores = areKnown() ? analysis::headScores(*importance, scope) : std::vector<analysis::HeadScore>();
    analysis::rankByImportance(scores, areNumbers());
    return scores;
}

QString ShownScores::caption() const {
    if (!areKnown())
        return {};
    const QString words = importanceCaption(*importance, *run, scope);
    return isEarlier ? words + ' ' + beforeTheChange() : words;
}

QString beforeTheChange() {
    return QCoreApplication::translate(
        "ImportanceView", "Measured before the model was changed: measure again for the changed model.");
}

std::optional<View::Lacking> lackingImportance(const ViewContext& context, const char* choice) {
    const auto question = importanceQuestion(*context.document);
    if (!context.document->measures || !question || shownImportance(context).importance)
        return std::nullopt;
    return View::Lacking{.choice = choice, .why = context.known->refusalOf(*question)};
}

KnownStatistics twinStatistics(const ViewContext& context) {
    const auto run = twinRun(context);
    return run ? context.known->of(analysis::StatisticsWhat{run}) : nullptr;
}

std::vector<trace::Wanted> twinStatisticsQuestions(const ViewContext& context) {
    std::vector<trace::Wanted> questions;
    if (const auto question = twinRunQuestion(*context.document))
        questions.push_back(*question);
    if (const auto run = twinRun(context))
        questions.push_back(trace::Counted(analysis::StatisticsWhat{run}));
    return questions;
}

std::optional<View::Lacking> lackingOfHeads(const ViewContext& context) {
    const auto& document = *context.document;
    if (const auto importance = lackingImportance(context, "importance"))
        return importance;
    const auto twin = twinRunQuestion(document);
    if (!twin || twinRun(context))
        return std::nullopt;
    return View::Lacking{.choice = "twin", .why = context.known->refusalOf(*twin)};
}

void KnownHeads::setStatistics(std::vector<analysis::HeadStatistics> heads) {
    heads_ = std::move(heads);
    roles_.clear();
    for (const auto& head : heads_)
        roles_.push_back(rolesText(head));
}

void KnownHeads::setTwin(const std::vector<analysis::HeadStatistics>& heads) {
    twin_.clear();
    for (const auto& head : heads)
        twin_.emplace(head.head, head);
}

void KnownHeads::setImportance(const std::vector<analysis::HeadScore>& scores) {
    importance_.clear();
    for (const auto& score : scores)
        importance_[score.head] = score.importance;
}

const analysis::HeadStatistics* KnownHeads::of(const trace::HeadAddress& head) const {
    const auto found = std::ranges::find(heads_, head, &analysis::HeadStatistics::head);
    return found == heads_.end() ? nullptr : &*found;
}

const analysis::HeadStatistics* KnownHeads::twinOf(const trace::HeadAddress& head) const {
    const auto found = twin_.find(head);
    return found == twin_.end() ? nullptr : &found->second;
}

std::optional<double> KnownHeads::importanceOf(const trace::HeadAddress& head) const {
    const auto found = importance_.find(head);
    return found == importance_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> KnownHeads::weightAtCell(const trace::HeadAddress& head) const {
    if (!cell_ || !run_ || head.site.kind != cell_->kind)
        return std::nullopt;
    const auto* record = run_->record(head.site);
    const auto [kind, query, key] = *cell_;
    if (!record || query >= record->queries() || key >= record->keys() || !record->isOpen(query, key))
        return std::nullopt;
    return analysis::weightAt(*record, head.head, query, key);
}

} // namespace headscope::widgets
