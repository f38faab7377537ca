#include "widgets/selection.h"

namespace headscope::widgets {

using trace::AttentionKind;

TokenFocus TokenFocus::cell(AttentionKind kind, std::optional<int> query, std::optional<int> key) {
    TokenFocus focus;
    (kind == AttentionKind::EncoderSelf ? focus.sourceQuery : focus.targetQuery) = query;
    (kind == AttentionKind::DecoderSelf ? focus.targetKey : focus.sourceKey) = key;
    return focus;
}

std::optional<int> TokenFocus::query(AttentionKind kind) const {
    return kind == AttentionKind::EncoderSelf ? sourceQuery : targetQuery;
}

std::optional<int> TokenFocus::key(AttentionKind kind) const {
    return kind == AttentionKind::DecoderSelf ? targetKey : sourceKey;
}

Selection::Selection(QObject* parent) : QObject(parent) {}

void Selection::setHead(trace::HeadAddress head) {
    if (head == head_)
        return;
    head_ = head;
    Q_EMIT headChanged(head_);
}

void Selection::setStep(int step) {
    if (step == step_)
        return;
    step_ = step;
    Q_EMIT stepChanged(step_);
}

void Selection::setHover(const TokenFocus& focus) {
    changeFocus(hover_, focus);
}

void Selection::togglePinned(const TokenFocus& focus) {
    changeFocus(pinned_, focus == pinned_ ? TokenFocus() : focus);
}

void Selection::clearPinned() {
    changeFocus(pinned_, TokenFocus());
}

void Selection::changeFocus(TokenFocus& part, const TokenFocus& value) {
    const TokenFocus before = focus();
    part = value;
    if (focus() != before)
        Q_EMIT focusChanged(focus());
}

} // namespace headscope::widgets
