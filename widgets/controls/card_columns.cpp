#include "widgets/controls/card_columns.h"

#include "widgets/drawing/spacing.h"

#include <QApplication>
#include <QEvent>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::widgets {

namespace {

constexpr int columnsGap = space::s;
constexpr int columnsMargin = space::xs;
constexpr int leastOfTwo = 58; ///< width of two columns, in lines of text

} // namespace

CardFrame::CardFrame(QWidget* parent) : QFrame(parent) {
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
}

CardColumns::CardColumns(int left, int right, QWidget* parent)
    : QScrollArea(parent), left_(left), right_(right) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus); // the cards take it
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidget(new QWidget(this));
    for (QWidget* clear : {viewport(), widget()})
        clear->setAutoFillBackground(false);
    widget()->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        if (now && widget()->isAncestorOf(now))
            Q_EMIT entered(now);
    });
}

CardFrame* CardColumns::add(int column, QWidget* content, int share, int leastLines) {
    auto* frame = new CardFrame(widget());
    auto* inside = new QVBoxLayout(frame);
    inside->setContentsMargins(space::m, space::xs, space::m, space::xs);
    inside->addWidget(content);
    cards_.push_back({frame, column, share, leastLines});
    return frame;
}

void CardColumns::setShown(CardFrame* card, bool isShown) {
    if (card->isHidden() != isShown)
        return;
    card->setVisible(isShown);
    layOut();
}

QSize CardColumns::minimumSizeHint() const {
    return {20 * fontMetrics().averageCharWidth(), 4 * fontMetrics().height()};
}

/// Its content may wrap.
int CardColumns::heightOf(const Card& card, int width) const {
    return std::max(card.leastLines * fontMetrics().height(),
                    card.frame->layout()->totalMinimumHeightForWidth(width));
}

/// Cards of a column share the height that is left over.
void CardColumns::layOut() {
    std::vector<std::vector<const Card*>> columns(2);
    for (const Card& card : cards_)
        if (!card.frame->isHidden())
            columns[card.column].push_back(&card);
    const bool isNarrow = viewport()->width() < leastOfTwo * fontMetrics().height();
    if (isNarrow || columns[0].empty() || columns[1].empty()) {
        std::ranges::copy(columns[1], std::back_inserter(columns[0]));
        columns.pop_back();
    }
    const int width = viewport()->width() - 2 * columnsMargin;
    const int room = viewport()->height() - 2 * columnsMargin;
    const int first =
        columns.size() == 1 ? width : (width - columnsGap) * left_ / std::max(1, left_ + right_);
    int bottom = 0;
    for (std::size_t column = 0; column < columns.size(); ++column) {
        const auto& cards = columns[column];
        const int left = columnsMargin + (column == 0 ? 0 : first + columnsGap);
        const int wide = column == 0 ? first : width - first - columnsGap;
        // Those that need more than their share have what they need; the others share the rest.
        std::vector<int> heights(cards.size(), 0);
        int rest = room - columnsGap * (std::max<int>(1, cards.size()) - 1);
        int shares = 0;
        for (const Card* card : cards)
            shares += card->share;
        for (bool again = true; std::exchange(again, false);)
            for (std::size_t i = 0; i < cards.size(); ++i)
                if (heights[i] == 0 && heightOf(*cards[i], wide) * shares > rest * cards[i]->share) {
                    heights[i] = heightOf(*cards[i], wide);
                    rest -= heights[i];
                    shares -= cards[i]->share;
                    again = true;
                }
        int top = columnsMargin;
        for (std::size_t i = 0; i < cards.size(); ++i) {
            int high = heights[i];
            if (high == 0) { // the last one has what rounding leaves
                high = rest * cards[i]->share / std::max(1, shares);
                rest -= high;
                shares -= cards[i]->share;
            }
            cards[i]->frame->setGeometry(left, top, wide, high);
            top += high + columnsGap;
        }
        bottom = std::max(bottom, top - columnsGap + columnsMargin);
    }
    widget()->resize(viewport()->width(), std::max(viewport()->height(), bottom));
}

void CardColumns::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    layOut();
}

bool CardColumns::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        layOut();
    return QScrollArea::eventFilter(watched, event);
}

} // namespace headscope::widgets
