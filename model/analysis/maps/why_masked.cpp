#include "model/analysis/maps/why_masked.h"

#include <algorithm>
#include <string_view>

namespace headscope::analysis {

namespace {

using trace::AttentionKind;

bool isBlocked(const trace::Run& run, const trace::HeadAddress& head, std::size_t query, std::size_t key) {
    return std::ranges::any_of(trace::effective(run.request.interventions), [&](const auto& change) {
        const auto* blocked = std::get_if<trace::BlockCell>(&change);
        return blocked && blocked->head == head && blocked->query == query && blocked->key == key;
    });
}

bool hasFlag(const trace::Run& run, std::string_view flag, std::string_view value) {
    return run.model && run.model->property(flag) == value;
}

bool closesPadKeys(const trace::Run& run, AttentionKind kind) {
    switch (kind) {
    case AttentionKind::EncoderSelf:
        return !hasFlag(run, "encoder_mask", "query-rows");
    case AttentionKind::DecoderSelf:
        return !hasFlag(run, "target_padding_masked", "no");
    case AttentionKind::Cross:
        break;
    }
    return true;
}

} // namespace

std::optional<WhyMasked> whyClosed(const trace::Run& run, const trace::HeadAddress& head, std::size_t query,
                                   std::size_t key) {
    const auto* record = run.record(head.site);
    if (!record || query >= record->queries() || key >= record->keys())
        return std::nullopt;
    const auto kind = head.site.kind;
    if (record->isOpen(query, key))
        return isBlocked(run, head, query, key) ? std::optional(WhyMasked::BlockedByHand) : std::nullopt;
    const bool padding = trace::isPadding(run.keyTokens(kind), key) && closesPadKeys(run, kind);
    const bool later = kind == AttentionKind::DecoderSelf && key > query &&
                       !trace::breaksCausality(run.request.interventions);
    if (padding)
        return later ? WhyMasked::LaterPadding : WhyMasked::PaddingKey;
    if (later)
        return WhyMasked::LaterToken;
    // With no other mask between the query and the keys before it, it is the window.
    if (kind == AttentionKind::DecoderSelf && key < query && run.model &&
        std::ranges::any_of(run.model->architecture,
                            [](const auto& known) { return known.first == "attention_window"; }))
        return WhyMasked::OutsideWindow;
    if (kind == AttentionKind::EncoderSelf && trace::isPadding(run.source, query))
        return WhyMasked::PaddingQuery;
    return WhyMasked::Otherwise;
}

} // namespace headscope::analysis
