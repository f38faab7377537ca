#include "model/trace/run.h"

#include "model/trace/answer_span.h"
#include "model/trace/class_label.h"

#include <algorithm>
#include <cmath>

namespace headscope::trace {

CheckState SelfCheck::state() const {
    const auto anyIs = [this](CheckState state) {
        return std::ranges::any_of(allFindings,
                                   [&](auto finding) { return (this->*finding).state == state; });
    };
    if (anyIs(CheckState::Failed))
        return CheckState::Failed;
    if (anyIs(CheckState::NotChecked))
        return CheckState::NotChecked;
    return rowsSumToOne.state == CheckState::Recorded ? CheckState::Recorded : CheckState::Ok;
}

bool SelfCheck::isFinite() const {
    return std::ranges::all_of(allFindings,
                               [this](auto finding) { return std::isfinite((this->*finding).largest); });
}

const AttentionRecord* Run::record(const AttentionSite& site) const {
    const auto& records = site.kind == AttentionKind::EncoderSelf   ? encoder
                          : site.kind == AttentionKind::DecoderSelf ? decoder
                                                                    : cross;
    return site.layer < records.size() ? &records[site.layer] : nullptr;
}

const AttentionRecord* Run::recordOf(const HeadAddress& head) const {
    const auto* found = record(head.site);
    return found && head.head < found->heads() ? found : nullptr;
}

const std::vector<Token>& Run::queryTokens(AttentionKind kind) const {
    switch (kind) {
    case AttentionKind::EncoderSelf:
        return source;
    case AttentionKind::DecoderSelf:
        return target;
    case AttentionKind::Cross:
        break;
    }
    return next;
}

const std::vector<Token>& Run::keyTokens(AttentionKind kind) const {
    return kind == AttentionKind::DecoderSelf ? target : source;
}

AnswerKind Run::answerKind() const {
    return !target.empty()                  ? AnswerKind::Steps
           : !maskCandidates.empty()        ? AnswerKind::Tokens
           : !classLogProbabilities.empty() ? AnswerKind::Classes
           : !numbers.empty()               ? AnswerKind::Numbers
           : answerSpan(*this)              ? AnswerKind::Ends
                                            : AnswerKind::None;
}

std::vector<Token> Run::answers() const {
    std::vector<Token> said;
    const auto addIndex = [&](std::size_t index) {
        said.push_back({.id = static_cast<std::int64_t>(index), .piece = classLabel(model.get(), index)});
    };
    switch (answerKind()) {
    case AnswerKind::Steps:
        return next;
    case AnswerKind::Tokens:
        for (const auto& [position, candidates] : maskCandidates)
            said.push_back(candidates.front().token);
        break;
    case AnswerKind::Classes:
        addIndex(std::ranges::max_element(classLogProbabilities) - classLogProbabilities.begin());
        break;
    case AnswerKind::Numbers:
        for (std::size_t number = 0; number < numbers.size(); ++number)
            addIndex(number);
        break;
    case AnswerKind::Ends:
        if (const auto span = answerSpan(*this))
            said = {placedToken(source, span->first), placedToken(source, span->last)};
        break;
    case AnswerKind::None:
        break;
    }
    return said;
}

std::size_t Run::steps() const {
    switch (answerKind()) {
    case AnswerKind::Steps:
        return target.size();
    case AnswerKind::Tokens:
        return maskCandidates.size();
    case AnswerKind::Numbers:
        return numbers.size() > 1 ? numbers.size() : 0;
    case AnswerKind::Ends:
        return 2;
    default:
        return 0;
    }
}

std::optional<std::size_t> firstStepNotFinite(const Run& run) {
    const auto isNotFinite = [](float value) { return !std::isfinite(value); };
    if (std::ranges::any_of(run.classLogProbabilities, isNotFinite) ||
        std::ranges::any_of(run.numbers, isNotFinite))
        return 0;
    std::optional<std::size_t> first;
    const auto& nodes = run.tree.nodes();
    for (std::size_t id = 0; id < nodes.size(); ++id) {
        const auto& row = nodes[id].row;
        // Only the best candidate is checked: tokens that the model forbids have a log-probability of minus
        // infinity.
        if (row && !row->candidates.empty() && isNotFinite(row->candidates.front().logProbability))
            if (const auto step = run.tree.path(id).size() - 1; !first || step < *first)
                first = step;
    }
    return first;
}

namespace {

/// Returns the keys that the query may attend to, before blocked cells.
std::vector<std::size_t> allowedKeys(const Run& run, const AttentionSite& site, std::size_t query) {
    std::vector<std::size_t> open;
    const auto* record = run.record(site);
    for (std::size_t key = 0; record && query < record->queries() && key < record->keys(); ++key)
        if (record->isOpen(query, key))
            open.push_back(key);
    return open;
}

bool metSomething(const Run& run, const Change& change, const std::vector<Change>& changes) {
    const auto contains = [](const auto& list, const auto& value) {
        return std::find(list.begin(), list.end(), value) != list.end();
    };
    if (const auto* cell = std::get_if<BlockCell>(&change))
        return contains(allowedKeys(run, cell->head.site, cell->query), cell->key);
    if (const auto* row = std::get_if<ForceRow>(&change)) {
        const auto open = allowedKeys(run, row->head.site, row->query);
        if (row->pattern != RowPattern::Key)
            return !open.empty();
        const BlockCell blocked{.head = row->head, .query = row->query, .key = row->key};
        return contains(open, row->key) && !contains(changes, Change(blocked));
    }
    return true;
}

} // namespace

std::vector<std::string> unreachedChanges(const Run& run) {
    std::vector<std::string> unreached;
    const auto changes = effective(run.request.interventions);
    for (const auto& change : changes)
        if (!metSomething(run, change, changes)) {
            const auto [option, argument] = toOption(change);
            unreached.push_back(option + " " + argument);
        }
    return unreached;
}

} // namespace headscope::trace
