// What lights up when a person points at a position, and which positions light up with the tokens of other
// views.
#include "widgets/number_map.h"
#include "widgets/position_curves.h"
#include "widgets/position_focus.h"
#include "widgets/positional_encoding_view.h"

namespace headscope::widgets {

void PositionalEncodingView::connectSelection() {
    const auto focusOf = [this](std::optional<int> query, std::optional<int> key) {
        return tokenFocus(query, key, table_, side());
    };
    connect(curves_, &PositionCurves::positionHovered, this,
            [=, this](std::optional<int> position) { selection_->setHover(focusOf(position, position)); });
    connect(map_, &NumberMap::cursorMoved, this, [=, this](std::optional<MapCell> cell) {
        selection_->setHover(cell ? focusOf(cell->row, cell->row) : TokenFocus());
    });
    connect(similarity_, &NumberMap::cursorMoved, this, [=, this](std::optional<MapCell> cell) {
        selection_->setHover(cell ? focusOf(cell->row, cell->column) : TokenFocus());
    });
    const auto pin = [this](const TokenFocus& focus) {
        if (!focus.isEmpty())
            selection_->togglePinned(focus);
    };
    connect(curves_, &PositionCurves::positionClicked, this,
            [=](int position) { pin(focusOf(position, position)); });
    connect(map_, &NumberMap::cellClicked, this, [=](MapCell cell) { pin(focusOf(cell.row, cell.row)); });
    connect(similarity_, &NumberMap::cellClicked, this,
            [=](MapCell cell) { pin(focusOf(cell.row, cell.column)); });
    connect(selection_, &Selection::focusChanged, this, &PositionalEncodingView::followFocus);
}

void PositionalEncodingView::followFocus() {
    const PositionFocus lit = positionFocus(selection_->focus(), table_, side());
    curves_->setLit(lit.one);
    map_->setLit(lit.one, std::nullopt);
    similarity_->setLit(lit.query, lit.key);
}

} // namespace headscope::widgets
