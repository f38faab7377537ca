#include "model/trace/run.h"

#include <algorithm>

namespace headscope::trace {

CheckState SelfCheck::state() const {
    bool allChecked = true;
    for (const Finding* finding : {&rowsSumToOne, &maskedCellsAreZero, &cachedEqualsFullPass}) {
        if (finding->state == CheckState::Failed)
            return CheckState::Failed;
        allChecked = allChecked && finding->state != CheckState::NotChecked;
    }
    return allChecked ? CheckState::Ok : CheckState::NotChecked;
}

const AttentionRecord* Run::record(const AttentionSite& site) const {
    const auto& records = site.kind == AttentionKind::EncoderSelf   ? encoder
                          : site.kind == AttentionKind::DecoderSelf ? decoder
                                                                    : cross;
    const auto layer = static_cast<std::size_t>(site.layer);
    return site.layer >= 0 && layer < records.size() ? &records[layer] : nullptr;
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

namespace {

/// Keys that a query could attend to if nothing were blocked.
std::vector<std::size_t> openKeys(const Run& run, const AttentionSite& site, std::size_t query) {
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
        return contains(openKeys(run, cell->head.site, cell->query), cell->key);
    if (const auto* row = std::get_if<ForceRow>(&change)) {
        const auto open = openKeys(run, row->head.site, row->query);
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
