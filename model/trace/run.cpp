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

} // namespace headscope::trace
