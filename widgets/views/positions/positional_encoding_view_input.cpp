// What lights up when a person points at a position, and which positions light up with the tokens of other
// views.
#include "widgets/map/number_map.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/views/positions/position_curves.h"
#include "widgets/views/positions/position_focus.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/positions/score_terms_page.h"
#include "widgets/views/positions/score_terms_words.h"
#include "widgets/views/positions/shift_page.h"
#include "widgets/views/positions/word_position_page.h"

#include <QComboBox>
#include <QLabel>

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
    connect(selection_, &Selection::stepChanged, this, &PositionalEncodingView::followFocus);
    connect(selection_, &Selection::headChanged, this, &PositionalEncodingView::followHead);
    connectPlots();
}

void PositionalEncodingView::connectPlots() {
    for (const NumberMap* map : {map_, similarity_})
        connect(map, &NumberMap::cellDescribed, this, &PositionalEncodingView::cellDescribed);
    connect(wavelengths_, &ReadablePlot::markDescribed, this, &PositionalEncodingView::cellDescribed);
    connect(shift_, &ShiftPage::cellDescribed, this, &PositionalEncodingView::cellDescribed);
    connect(words_, &WordPositionPage::tokenDescribed, this, &PositionalEncodingView::cellDescribed);
    connect(scores_, &ScoreTermsPage::cellDescribed, this, &PositionalEncodingView::cellDescribed);
    connect(scores_, &ScoreTermsPage::captionChanged, this, [this] { caption_->setText(caption()); });
    connect(shift_, &ShiftPage::positionHovered, this, [this](std::optional<int> position) {
        selection_->setHover(tokenFocus(position, position, table_, side()));
    });
    connect(words_, &WordPositionPage::cursorMoved, this, [this](std::optional<int> token) {
        const bool source = side() == PositionSide::Source;
        selection_->setHover(source ? TokenFocus{.sourceQuery = token, .sourceKey = token}
                                    : TokenFocus{.targetQuery = token, .targetKey = token});
    });
}

/// A head whose scores can be taken apart brings its side along.
void PositionalEncodingView::followHead() {
    if (page() != Page::Scores)
        return;
    const auto head = selection_->head();
    if (run_ && nearestExactHead(*run_->model, head.site.kind, head) == head)
        setSide(head.site.kind == trace::AttentionKind::EncoderSelf ? PositionSide::Source
                                                                    : PositionSide::Target);
    showPage();
}

void PositionalEncodingView::followFocus() {
    if (showsTurnedScore()) {
        if (hasFigure())
            showTurnedScore();
        return;
    }
    const PositionFocus lit = positionFocus(selection_->focus(), table_, side());
    curves_->setLit(lit.one);
    map_->setLit(lit.one, std::nullopt);
    similarity_->setLit(lit.query, lit.key);
}

} // namespace headscope::widgets
