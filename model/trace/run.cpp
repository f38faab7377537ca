#include "model/trace/run.h"

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

std::vector<std::string> unreachedChanges(const Run& run) {
    std::vector<std::string> unreached;
    const auto isThere = [&](const HeadAddress& head, std::size_t query, std::size_t key) {
        const auto* record = run.record(head.site);
        return record && query < record->weights.rows() && key < record->weights.columns();
    };
    for (const auto& change : effective(run.request.interventions)) {
        const auto* cell = std::get_if<BlockCell>(&change);
        const auto* row = std::get_if<ForceRow>(&change);
        if ((cell && !isThere(cell->head, cell->query, cell->key)) ||
            (row && !isThere(row->head, row->query, row->pattern == RowPattern::Key ? row->key : 0))) {
            const auto [option, argument] = toOption(change);
            unreached.push_back(option + " " + argument);
        }
    }
    return unreached;
}

} // namespace headscope::trace
