// The comparison on a page: its maps, and the table of the page that is seen.
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_heads.h"
#include "widgets/map/linked_maps.h"
#include "widgets/tables/head_table_figure.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/compare/head_change_table.h"
#include "widgets/words/captions.h"

#include <QLabel>
#include <QPainter>
#include <QStackedWidget>

#include <algorithm>

namespace headscope::widgets {

namespace {

constexpr QSize mapsAndWords(1120, 520);
constexpr double compareFigureLeastMaps = 0.3; ///< of a page's height

} // namespace

bool CompareView::hasFigure() const {
    return answer_ && !answer_->maps.empty();
}

/// Heads that are still being compared are no table yet.
bool CompareView::hasTable() const {
    const auto* table = static_cast<const QTableView*>(stack_->currentWidget());
    return table->model()->rowCount() > 0 && (page() != Page::Heads || changesOf_ == pair_);
}

bool CompareView::isInUsualOrder() const {
    const int rows = page() == Page::Heads ? heads_->model()->rowCount() : 0;
    for (int row = 1; row < rows; ++row)
        if (heads_->changeAt(row).divergence > heads_->changeAt(row - 1).divergence)
            return false;
    return true;
}

HeadTableFigure CompareView::tableFigure() const {
    HeadTableFigure figure{.table = *static_cast<const QTableView*>(stack_->currentWidget())->model(),
                           .caption = pageWords_->text(),
                           .font = font(),
                           .spaceMarks = spaceMarks_,
                           .parts = figureParts()};
    if (page() == Page::Heads)
        figure.isLeftOut = [heads = heads_](int column) { return !heads->isWanted(column); };
    return figure;
}

QSize CompareView::figureSize() const {
    if (!hasFigure())
        return mapsAndWords;
    const QSize maps = maps_->pageSize(mapsAndWords, caption(), figureParts());
    const QSize table = hasTable() ? tableFigure().size() : QSize(0, 0);
    return {std::max(maps.width(), table.width()), maps.height() + table.height()};
}

/// A table cannot be narrower than its columns.
QSize CompareView::narrowFigure(int width) const {
    const QSize usual = figureSize();
    if (!hasFigure() || hasTable() || width >= usual.width())
        return usual;
    return maps_->narrowPage(width, caption(), figureParts());
}

void CompareView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    if (!hasFigure())
        return;
    QRectF paper(QPointF(0, 0), QSizeF(size));
    if (hasTable()) {
        const auto table = tableFigure();
        const double height =
            std::min<double>(table.size().height(), (1 - compareFigureLeastMaps) * paper.height());
        table.draw(painter, QRectF(0, paper.height() - height, paper.width(), height), theme);
        paper.setHeight(paper.height() - height);
    }
    maps_->drawPage(painter, paper.size().toSize(), caption(), figureParts(), theme);
}

/// Of A, which is what is decoded; all that B has of its own is there.
void CompareView::setRowsDecoded(std::optional<std::size_t> rows) {
    using trace::AttentionKind;
    FilmedFigure::setRowsDecoded(rows);
    maps_->setDecoded([this](AttentionKind kind, bool isQuery, int index) {
        const bool isOfTarget =
            isQuery ? kind != AttentionKind::EncoderSelf : kind == AttentionKind::DecoderSelf;
        const auto cell = static_cast<std::size_t>(index * maps_->maps().front().tokensACell);
        const auto place = (isQuery ? shownRows_ : shownColumns_).at(cell);
        const auto& axis = isQuery ? answer_->alignment.queriesOf(kind) : answer_->alignment.keysOf(kind);
        const auto unit = axis.places.at(place).first;
        return !isOfTarget || !unit || isDecoded(axis.first.at(*unit).tokens.first);
    });
}

FigureText CompareView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = compareTitle(*answer_),
            .caption = hasTable() ? caption() + ' ' + tableFigure().words() : caption(),
            .provenance = provenance(*pair_.first) + QStringLiteral(" | ") + provenance(*pair_.second),
            .head = listedHeads({answer_->question.head, answer_->other.value_or(answer_->question.head)}),
            .quantity = quantityName(Quantity::Weights)};
}

} // namespace headscope::widgets
