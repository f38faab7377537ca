#include "app/window/frame/workspace_page.h"

#include "app/window/frame/card.h"
#include "app/window/frame/view_slot.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/roomy_area.h"

#include <QButtonGroup>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

constexpr int panelWidth = 280;
constexpr int inspectorWidth = 316;
constexpr int usualDrawer = 204;   ///< without its bar
constexpr double mostDrawer = 0.4; ///< of the height
constexpr int leastCanvas = 240;   ///< width
constexpr const char* canvasWord = "canvas";
constexpr const char* drawerWord = "drawer";
constexpr const char* foldedWord = "folded";

QSplitter* newSplitter(Qt::Orientation orientation, QWidget* parent) {
    auto* splitter = new QSplitter(orientation, parent);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

} // namespace

WorkspacePage::WorkspacePage(const std::string& workspace, const Views& views, QWidget* head, QWidget* parent)
    : QWidget(parent), workspace_(workspace), views_(views), across_(newSplitter(Qt::Horizontal, this)),
      down_(newSplitter(Qt::Vertical, this)), group_(new QButtonGroup(this)),
      canvas_(new QStackedWidget(this)) {
    std::ranges::copy_if(widgets::places(), std::back_inserter(places_),
                         [&](const auto& place) { return place.workspace == workspace; });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(across_);
    const auto has = [this](Region region) {
        return std::ranges::count(places_, region, &widgets::Place::region);
    };
    QList<int> widths;
    if (has(Region::Panel)) {
        across_->addWidget(newPanel());
        widths += panelWidth;
    }
    across_->addWidget(down_);
    across_->setStretchFactor(across_->count() - 1, 1);
    widths += 1440 - panelWidth - inspectorWidth;
    if (has(Region::Inspector)) {
        across_->addWidget(newInspector());
        widths += inspectorWidth;
    }
    across_->setSizes(widths);
    down_->addWidget(newCanvas(head));
    down_->setStretchFactor(0, 1);
    if (has(Region::Drawer))
        down_->addWidget(newDrawer());
}

ViewSlot* WorkspacePage::newSlot(const widgets::Place& place, QWidget* parent) {
    const bool scrolls = place.region == Region::Drawer;
    auto* slot =
        new ViewSlot(views_.at(place.key), scrolls ? ViewSlot::Room::Scrolls : ViewSlot::Room::Fixed, parent);
    slots_[place.key] = slot;
    return slot;
}

QWidget* WorkspacePage::withOthersBeside(const widgets::Place& place, QWidget* parent) {
    QWidget* content = newSlot(place, parent);
    for (const auto& other : places_) {
        if (other.beside != place.key || other.region != place.region)
            continue;
        auto* both = newSplitter(Qt::Horizontal, parent);
        both->addWidget(content);
        both->addWidget(newSlot(other, both));
        both->setStretchFactor(0, 1);
        both->setSizes({640, 340});
        content = both;
    }
    return content;
}

QString WorkspacePage::titleOf(const std::string& view, const widgets::DocumentState* document) const {
    const auto& spec = *widgets::viewSpec(view);
    return QCoreApplication::translate("ViewSpec", document && document->model && spec.titleOf
                                                       ? spec.titleOf(*document->model)
                                                       : spec.title);
}

QToolButton* WorkspacePage::newButton(const widgets::Place& place, QButtonGroup* group) {
    auto* button = new QToolButton(this);
    button->setText(titleOf(place.key));
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    group->addButton(button);
    buttons_[place.key] = button;
    return button;
}

QWidget* WorkspacePage::newPanel() {
    auto* panel = new QWidget(this);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(4, 4, 0, 4);
    column->setSpacing(4);
    auto* modes = new QWidget(panel);
    auto* row = new widgets::FlowLayout(modes);
    row->setSpacing(0);
    addModes(Region::CanvasOfAll, modes);
    column->addWidget(modes);
    for (const auto& place : places_)
        if (place.region == Region::Panel)
            column->addWidget(newSlot(place, panel), 1);
    return new widgets::RoomyArea(panel, this);
}

void WorkspacePage::addModes(Region region, QWidget* buttons) {
    for (const auto& place : places_) {
        if (place.region != region || !place.beside.empty())
            continue;
        canvas_->addWidget(pages_[place.key] = withOthersBeside(place, canvas_));
        auto* button = newButton(place, group_);
        buttons->layout()->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, key = place.key] { open(key); });
        if (front_.empty() && region == Region::Canvas) {
            front_ = place.key;
            button->setChecked(true);
            canvas_->setCurrentWidget(pages_[place.key]);
        }
    }
}

QWidget* WorkspacePage::newCanvas(QWidget* head) {
    auto* whole = new QWidget(this);
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(8, 4, 8, 0);
    column->setSpacing(4);
    auto* bar = new QHBoxLayout;
    column->addLayout(bar);
    modes_ = new QWidget(whole);
    auto* segments = new widgets::FlowLayout(modes_);
    segments->setSpacing(0);
    addModes(Region::Canvas, modes_);
    bar->addWidget(modes_, 0, Qt::AlignTop);
    if (head) { // it gets the room that the modes leave, and wraps
        head->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        bar->addWidget(head, 1);
    } else {
        bar->addStretch();
    }
    column->addWidget(canvas_, 1);
    whole->setMinimumWidth(leastCanvas);
    return whole;
}

QWidget* WorkspacePage::newDrawer() {
    auto* whole = new QWidget(this);
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(8, 2, 8, 2);
    column->setSpacing(2);
    auto* buttons = new QWidget(whole);
    auto* bar = new widgets::FlowLayout(buttons);
    column->addWidget(buttons);
    drawer_ = new QStackedWidget(whole);
    auto* group = new QButtonGroup(this);
    group->setExclusive(false); // none is checked while the drawer is closed
    for (const auto& place : places_) {
        if (place.region != Region::Drawer || !place.beside.empty())
            continue;
        drawer_->addWidget(pages_[place.key] = withOthersBeside(place, drawer_));
        auto* button = newButton(place, group);
        button->setAutoRaise(true);
        bar->addWidget(button);
        connect(button, &QToolButton::clicked, this,
                [this, key = place.key](bool on) { on ? open(key) : close(key); });
    }
    column->addWidget(drawer_, 1);
    drawer_->hide();
    whole->setMaximumHeight(whole->sizeHint().height());
    return whole;
}

QWidget* WorkspacePage::newInspector() {
    auto* cards = new QWidget(this);
    auto* column = new QVBoxLayout(cards);
    column->setContentsMargins(4, 4, 4, 4);
    for (const auto& place : places_)
        if (place.region == Region::Inspector) {
            auto* card = new Card(titleOf(place.key), newSlot(place, cards), cards);
            card->setObjectName(QString::fromStdString(place.key));
            cards_[place.key] = card;
            column->addWidget(card, 1);
            connect(card, &Card::changed, this, &WorkspacePage::changed);
        }
    column->addStretch();
    return new widgets::RoomyArea(cards, this);
}

void WorkspacePage::take() {
    for (const auto& [key, slot] : slots_)
        slot->take();
}

bool WorkspacePage::isOpen(const std::string& view) const {
    if (const auto card = cards_.find(view); card != cards_.end())
        return card->second->isOpen();
    const auto page = pages_.find(view);
    if (page != pages_.end())
        return view == front_ || view == drawn_;
    const auto slot = slots_.find(view);
    if (slot == slots_.end())
        return false;
    for (const auto& [key, beside] : pages_) // it stands beside another
        if (beside->isAncestorOf(slot->second))
            return isOpen(key);
    return true;
}

void WorkspacePage::open(const std::string& view) {
    if (const auto card = cards_.find(view); card != cards_.end())
        return card->second->setOpen(true);
    auto page = pages_.find(view);
    if (page == pages_.end()) { // beside another, or always in sight
        const auto* slot = slots_.at(view);
        page = std::ranges::find_if(pages_,
                                    [slot](const auto& each) { return each.second->isAncestorOf(slot); });
        return page == pages_.end() ? void() : open(page->first);
    }
    buttons_.at(view)->setChecked(true);
    if (canvas_->indexOf(page->second) >= 0) {
        front_ = view;
        canvas_->setCurrentWidget(page->second);
    } else {
        for (const auto& [key, other] : pages_)
            if (key != view && drawer_->indexOf(other) >= 0)
                buttons_.at(key)->setChecked(false);
        const bool wasOpen = !std::exchange(drawn_, view).empty();
        drawer_->setCurrentWidget(page->second);
        drawer_->show();
        drawer_->parentWidget()->setMaximumHeight(QWIDGETSIZE_MAX);
        if (!wasOpen)
            resizeDrawer(usualDrawer);
    }
    Q_EMIT changed();
}

void WorkspacePage::close(const std::string& view) {
    if (const auto card = cards_.find(view); card != cards_.end())
        return card->second->setOpen(false);
    if (view != drawn_ || drawn_.empty())
        return;
    buttons_.at(drawn_)->setChecked(false);
    drawn_.clear();
    if (drawer_->isAncestorOf(window()->focusWidget()))
        window()->setFocus();
    drawer_->hide();
    auto* whole = drawer_->parentWidget();
    whole->setMaximumHeight(whole->layout()->sizeHint().height());
    Q_EMIT changed();
}

void WorkspacePage::setMaximised(bool on) {
    for (auto* part : std::exchange(hidden_, {}))
        part->show();
    if (!on)
        return;
    hidden_ = regions();
    std::erase(hidden_, down_->widget(0));
    for (auto* part : hidden_)
        part->hide();
}

std::vector<QWidget*> WorkspacePage::regions() const {
    std::vector<QWidget*> regions;
    for (int i = 0; i < across_->count(); ++i)
        regions.push_back(across_->widget(i) == down_ ? down_->widget(0) : across_->widget(i));
    if (drawer_)
        regions.push_back(drawer_->parentWidget());
    std::erase_if(regions, [this](const QWidget* region) { return !region->isVisibleTo(this); });
    return regions;
}

void WorkspacePage::resizeDrawer(int height) {
    auto* whole = drawer_->parentWidget();
    const int bar = whole->layout()->itemAt(0)->sizeHint().height();
    const int most = static_cast<int>(mostDrawer * down_->height());
    const int wanted = std::min(height + bar, std::max(most, usualDrawer));
    down_->setSizes({down_->height() - wanted, wanted});
}

QString WorkspacePage::follow(const widgets::DocumentState& document) {
    QString lack;
    int shown = 0;
    for (const auto& place : places_) {
        const auto why = widgets::lackOf(*place.spec, document);
        const bool isShown = !why;
        if (why)
            lack = QCoreApplication::translate("ViewSpec", why->why);
        const QString title = titleOf(place.key, &document);
        if (const auto button = buttons_.find(place.key); button != buttons_.end()) {
            button->second->setVisible(isShown);
            button->second->setText(title);
            shown += isShown && place.region == Region::Canvas;
            if (!isShown)
                close(place.key);
        }
        if (const auto card = cards_.find(place.key); card != cards_.end()) {
            card->second->setVisible(isShown);
            card->second->setTitle(title);
        }
    }
    modes_->setVisible(shown > 1);
    if (shown > 0 && widgets::lackOf(*widgets::viewSpec(front_), document)) {
        const auto first = std::ranges::find_if(places_, [&](const auto& place) {
            return place.region == Region::Canvas && place.beside.empty() &&
                   !widgets::lackOf(*place.spec, document);
        });
        open(first->key);
    }
    return shown > 0 ? QString() : lack;
}

std::vector<std::string> WorkspacePage::words() const {
    std::vector<std::string> words{workspace_ + ' ' + canvasWord + ' ' + front_};
    if (!drawn_.empty())
        words.push_back(workspace_ + ' ' + drawerWord + ' ' + drawn_);
    for (const auto& [key, card] : cards_)
        if (!card->isOpen())
            words.push_back(workspace_ + ' ' + foldedWord + ' ' + key);
    return words;
}

void WorkspacePage::set(const std::vector<std::string>& words) {
    const auto has = [&](const char* what, const std::string& key) {
        return std::ranges::find(words, workspace_ + ' ' + what + ' ' + key) != words.end();
    };
    if (std::ranges::none_of(words, [this](const auto& each) { return each.starts_with(workspace_ + ' '); }))
        return; // written by another version
    for (const auto& [key, page] : pages_) {
        const bool isOfDrawer = drawer_ && drawer_->indexOf(page) >= 0;
        if (has(isOfDrawer ? drawerWord : canvasWord, key) && !buttons_.at(key)->isHidden())
            open(key);
        else if (isOfDrawer)
            close(key);
    }
    for (const auto& [key, card] : cards_)
        card->setOpen(!has(foldedWord, key));
}

QByteArray WorkspacePage::sizes() const {
    return across_->saveState().toBase64() + ' ' + down_->saveState().toBase64();
}

void WorkspacePage::setSizes(const QByteArray& sizes) {
    const auto both = sizes.split(' ');
    if (both.size() != 2)
        return;
    across_->restoreState(QByteArray::fromBase64(both[0]));
    down_->restoreState(QByteArray::fromBase64(both[1]));
}

} // namespace headscope::app
