#include "app/window/frame/card_area.h"

#include "app/window/frame/view_slot.h"
#include "model/trace/known_answers.h"
#include "widgets/controls/card_columns.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/view.h"
#include "widgets/views/places.h"

#include <QApplication>
#include <QPainter>
#include <QProgressBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headscope::app {

namespace {

constexpr int cardGap = 10;
constexpr int cardMargin = 12;     ///< of the area
constexpr double narrowest = 0.88; ///< of a card's width before it gets a row with fewer cards
constexpr double lowest = 0.82;    ///< of its height before the area scrolls
constexpr int progressHeight = 3;
constexpr int usualLine = 16; ///< height of a line of text that the sizes of cards are for, at most

} // namespace

/// A card with a bar of its own while what it shows is computed.
class CardArea::Frame : public widgets::CardFrame {
  public:
    Frame(const widgets::Place& place, widgets::View* view, QWidget* parent)
        : CardFrame(parent), key(place.key), wide(place.width), high(place.height), slot(nullptr),
          view_(view), progress_(new QProgressBar(this)), timer_(new QTimer(this)) {
        setObjectName(QString::fromStdString(place.key));
        slot = new ViewSlot(view, ViewSlot::Room::Card, this);
        progress_->setTextVisible(false);
        progress_->setRange(0, 1000);
        progress_->setAccessibleName(CardArea::tr("Computing"));
        QSizePolicy keeps = progress_->sizePolicy();
        keeps.setRetainSizeWhenHidden(true);
        progress_->setSizePolicy(keeps);
        progress_->setFixedHeight(progressHeight);
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addWidget(progress_);
        column->addWidget(slot, 1);
        progress_->hide();
        timer_->setInterval(std::chrono::milliseconds(100));
        connect(timer_, &QTimer::timeout, this, &Frame::followWork);
        connect(view, &widgets::View::questionsChanged, timer_, qOverload<>(&QTimer::start));
    }

    const std::string key;
    const int wide;
    const int high;
    ViewSlot* slot;

  protected:
    /// The view may stand in the drawer.
    void paintEvent(QPaintEvent* event) override {
        CardFrame::paintEvent(event);
        if (slot->isAncestorOf(view_))
            return;
        QPainter painter(this);
        widgets::drawEmptyState(painter, QRectF(rect()), CardArea::tr("Shown in the drawer below."),
                                QString(), widgets::themeOf(palette()));
    }

  private:
    /// Until nothing is awaited.
    void followWork() {
        const auto& known = *view_->context().known;
        double done = 0;
        bool isBusy = false;
        const auto questions =
            view_->isVisible() && view_->isCard() ? view_->questions() : std::vector<trace::Wanted>();
        for (const auto& question : questions) {
            const bool isAwaited = known.isAwaited(question);
            isBusy = isBusy || isAwaited;
            done += isAwaited ? known.shareOf(question) : 1;
        }
        progress_->setVisible(isBusy);
        if (isBusy)
            progress_->setValue(1000 * done / questions.size());
        else
            timer_->stop();
    }

    widgets::View* view_;
    QProgressBar* progress_;
    QTimer* timer_;
};

CardArea::CardArea(QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus); // the cards take it
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidget(new QWidget(this));
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { followFocus(now); });
}

ViewSlot* CardArea::add(const widgets::Place& place, widgets::View* view) {
    auto* card = new Frame(place, view, widget());
    cards_.push_back(card);
    if (front_.empty())
        front_ = place.key;
    return card->slot;
}

void CardArea::setShown(const std::string& view, bool isShown) {
    const auto card = std::ranges::find(cards_, view, &Frame::key);
    (*card)->setVisible(isShown);
    layOut();
}

std::string CardArea::front() const {
    const auto isShown = [](const Frame* card) { return !card->isHidden(); };
    const auto own = std::ranges::find(cards_, front_, &Frame::key);
    if (own != cards_.end() && isShown(*own))
        return front_;
    const auto first = std::ranges::find_if(cards_, isShown);
    return first == cards_.end() ? front_ : (*first)->key;
}

void CardArea::followFocus(QWidget* now) {
    for (const auto* card : cards_)
        if (now && card->isAncestorOf(now))
            front_ = card->key;
}

double CardArea::growth() const {
    return std::max(1.0, fontMetrics().height() / static_cast<double>(usualLine));
}

std::vector<std::vector<CardArea::Frame*>> CardArea::rows(int width) const {
    std::vector<std::vector<Frame*>> rows;
    double used = 0;
    for (auto* card : cards_) {
        if (card->isHidden())
            continue;
        const double least = narrowest * card->wide * growth();
        if (rows.empty() || used + cardGap + least > width) {
            rows.emplace_back();
            used = -cardGap;
        }
        rows.back().push_back(card);
        used += cardGap + least;
    }
    return rows;
}

/// Rows share the height that is left over, and the cards of a row its width.
void CardArea::layOut() {
    const int width = viewport()->width() - 2 * cardMargin;
    const auto all = rows(width);
    int needed = cardMargin - cardGap;
    const auto heightOf = [this](const std::vector<Frame*>& row) {
        int high = 0;
        for (const auto* card : row)
            high = std::max(high, card->high);
        return std::lround(high * growth());
    };
    int high = 0;
    for (const auto& row : all)
        high += heightOf(row);
    needed += high + all.size() * cardGap;
    const double more =
        high > 0 ? std::max(lowest - 1, (viewport()->height() - needed) / static_cast<double>(high)) : 0;
    int top = 0;
    for (const auto& row : all) {
        const int height = heightOf(row) * (1 + more);
        double wide = 0;
        for (const auto* card : row)
            wide += card->wide;
        const double share = (width - cardGap * (static_cast<double>(row.size()) - 1)) / wide;
        double left = cardMargin;
        for (auto* card : row) {
            const double end = left + card->wide * share;
            card->setGeometry(
                QRect(QPoint(std::round(left), top), QSize(std::round(end) - std::round(left), height)));
            left = end + cardGap;
        }
        top += height + cardGap;
    }
    widget()->resize(viewport()->width(), std::max(viewport()->height(), top - cardGap + cardMargin));
}

void CardArea::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    layOut();
}

void CardArea::changeEvent(QEvent* event) {
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOut();
}

void CardArea::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    layOut();
}

} // namespace headscope::app
