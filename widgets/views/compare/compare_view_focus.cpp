// What is lit on the aligned axes, and on those of the other views.
#include "widgets/map/linked_maps.h"
#include "widgets/views/compare/compare_view.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

using analysis::AlignedAxis;
using Places = std::vector<std::size_t>;

/// The first token of A at a row or column of the maps; nothing where A has none there.
std::optional<int> tokenAt(const AlignedAxis& axis, const Places& shown, std::optional<int> index) {
    if (!index || *index < 0 || static_cast<std::size_t>(*index) >= shown.size())
        return std::nullopt;
    const auto& place = axis.places[shown[static_cast<std::size_t>(*index)]];
    return place.first ? std::optional(static_cast<int>(axis.first[*place.first].tokens.first))
                       : std::nullopt;
}

/// The row or column of the maps that a token of A stands in.
std::optional<int> indexOf(const AlignedAxis& axis, const Places& shown, std::optional<int> token) {
    if (!token || *token < 0)
        return std::nullopt;
    const auto found = std::ranges::find_if(shown, [&](std::size_t at) {
        const auto& place = axis.places[at];
        if (!place.first)
            return false;
        const auto& span = axis.first[*place.first].tokens;
        const auto wanted = static_cast<std::size_t>(*token);
        return span.first <= wanted && wanted < span.last;
    });
    return found == shown.end() ? std::nullopt : std::optional(static_cast<int>(found - shown.begin()));
}

} // namespace

TokenFocus CompareView::toWindow(const TokenFocus& focus) const {
    if (!answer_ || shownRows_.empty())
        return {};
    const auto kind = answer_->question.head.site.kind;
    return TokenFocus::cell(kind, tokenAt(answer_->alignment.queriesOf(kind), shownRows_, focus.query(kind)),
                            tokenAt(answer_->alignment.keysOf(kind), shownColumns_, focus.key(kind)));
}

TokenFocus CompareView::fromWindow(const TokenFocus& focus) const {
    if (!answer_ || shownRows_.empty())
        return {};
    const auto kind = answer_->question.head.site.kind;
    return TokenFocus::cell(kind, indexOf(answer_->alignment.queriesOf(kind), shownRows_, focus.query(kind)),
                            indexOf(answer_->alignment.keysOf(kind), shownColumns_, focus.key(kind)));
}

void CompareView::lightWindow() {
    if (mirroring_)
        return;
    Q_EMIT cellDescribed(maps_->focusInWords());
    mirroring_ = true;
    selection_->setHover(toWindow(rows_->hover()));
    const auto pinned = toWindow(rows_->pinned());
    if (pinned.isEmpty())
        selection_->clearPinned();
    else if (pinned != selection_->pinned())
        selection_->togglePinned(pinned);
    mirroring_ = false;
}

void CompareView::lightMaps() {
    if (mirroring_)
        return;
    mirroring_ = true;
    rows_->setHover(fromWindow(selection_->hover()));
    const auto pinned = fromWindow(selection_->pinned());
    if (pinned.isEmpty())
        rows_->clearPinned();
    else if (pinned != rows_->pinned())
        rows_->togglePinned(pinned);
    mirroring_ = false;
}

} // namespace headscope::widgets
