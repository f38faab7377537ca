#include "widgets/selection.h"

#include <algorithm>
#include <utility>

namespace headscope::widgets {

using trace::AttentionKind;
using trace::TokenIndex;

TokenFocus TokenFocus::cell(AttentionKind kind, std::optional<TokenIndex> query,
                            std::optional<TokenIndex> key) {
    TokenFocus focus;
    (kind == AttentionKind::EncoderSelf ? focus.sourceQuery : focus.targetQuery) = query;
    (kind == AttentionKind::DecoderSelf ? focus.targetKey : focus.sourceKey) = key;
    return focus;
}

std::optional<TokenIndex> TokenFocus::query(AttentionKind kind) const {
    return kind == AttentionKind::EncoderSelf ? sourceQuery : targetQuery;
}

std::optional<TokenIndex> TokenFocus::key(AttentionKind kind) const {
    return kind == AttentionKind::DecoderSelf ? targetKey : sourceKey;
}

Selection::Selection(QObject* parent) : QObject(parent) {}

void Selection::setHead(trace::HeadAddress head) {
    if (head == head_)
        return;
    head_ = head;
    Q_EMIT headChanged(head_);
}

void Selection::setStep(TokenIndex step) {
    if (step == step_)
        return;
    step_ = step;
    Q_EMIT stepChanged(step_);
}

void Selection::setFirstColumn(int column) {
    if (std::exchange(firstColumn_, column) != column)
        Q_EMIT firstColumnChanged(column);
}

void Selection::setHover(const TokenFocus& focus) {
    changeFocus([&] { pointed_ = focus; });
}

void Selection::setCursor(const TokenFocus& focus) {
    changeFocus([&] {
        pointed_ = {};
        cursor_ = focus;
    });
}

void Selection::togglePinned(const TokenFocus& focus) {
    changeFocus([&, clicked = focus] {
        pinned_ = clicked == pinned_ ? TokenFocus() : clicked;
        if (cursor_ != clicked)
            cursor_ = {}; // else the clicked item would not stay highlighted when the pointer leaves
    });
}

void Selection::clearPinned() {
    changeFocus([&] { pinned_ = {}; });
}

std::optional<int> Selection::pinOf(const trace::HeadAddress& head) const {
    const auto found = std::ranges::find(pinnedHeads_, head);
    return found == pinnedHeads_.end() ? std::nullopt : std::optional<int>(found - pinnedHeads_.begin() + 1);
}

void Selection::togglePinnedHead(trace::HeadAddress head) {
    auto heads = pinnedHeads_;
    if (pinOf(head))
        std::erase(heads, head);
    else if (heads.size() < mostPinnedHeads)
        heads.push_back(head);
    else
        Q_EMIT headNotPinned(head);
    setPinnedHeads(std::move(heads));
}

void Selection::setPinnedHeads(std::vector<trace::HeadAddress> heads) {
    heads.resize(std::min(heads.size(), mostPinnedHeads));
    if (std::exchange(pinnedHeads_, std::move(heads)) != pinnedHeads_)
        Q_EMIT pinnedHeadsChanged();
}

template <class Change>
void Selection::changeFocus(Change&& change) {
    const TokenFocus before = focus(), pinnedBefore = pinned_;
    change();
    // A pinned item under the pointer was already highlighted.
    if (focus() != before || pinned_ != pinnedBefore)
        Q_EMIT focusChanged(focus());
}

} // namespace headscope::widgets
