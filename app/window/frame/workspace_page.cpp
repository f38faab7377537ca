#include "app/window/frame/workspace_page.h"

#include "app/window/frame/card.h"
#include "app/window/frame/card_area.h"
#include "app/window/frame/slide_over.h"
#include "app/window/frame/view_slot.h"
#include "app/window/top/head_bar.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/roomy_area.h"
#include "widgets/drawing/icons.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/window_style.h"

#include <QButtonGroup>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

namespace {

// In narrow, middle and wide windows. In a narrow one the inspector is a page of the drawer.
constexpr std::array panelWidths{66, 220, 264};
constexpr std::array inspectorWidths{0, 272, 316};
constexpr int usualDrawer = 204;   ///< height without its bar
constexpr double mostDrawer = 0.4; ///< of the height
constexpr int leastCanvas = 240;   ///< width
const std::string inspectorPage = "inspector";
constexpr const char* canvasWord = "canvas";
constexpr const char* drawerWord = "drawer";
constexpr const char* foldedWord = "folded";

QSplitter* newSplitter(Qt::Orientation orientation, QWidget* parent) {
    auto* splitter = new QSplitter(orientation, parent);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

/// Alone, or beside the text; a button without an icon has its text.
void showIcon(QToolButton* button, bool isAlone) {
    const bool hasIcon = !button->icon().isNull();
    button->setToolButtonStyle(!hasIcon  ? Qt::ToolButtonTextOnly
                               : isAlone ? Qt::ToolButtonIconOnly
                                         : Qt::ToolButtonTextBesideIcon);
    button->setToolTip(hasIcon && isAlone ? button->text() : QString());
    button->setAccessibleName(button->text().replace(QStringLiteral("&&"), QStringLiteral("&")));
}

} // namespace

WorkspacePage::WorkspacePage(const std::string& workspace, const Views& views, HeadBar* head, QWidget* parent)
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
    if (has(Region::Panel))
        across_->addWidget(newPanel());
    across_->addWidget(down_);
    across_->setStretchFactor(across_->count() - 1, 1);
    if (has(Region::Inspector))
        inspector_ = newInspector();
    down_->addWidget(has(Region::Cards) ? newCards() : newCanvas(head));
    down_->setStretchFactor(0, 1);
    if (inspector_ || has(Region::Drawer))
        down_->addWidget(newDrawer());
    if (inspector_) { // the drawer has it in narrow windows only
        across_->addWidget(inspector_);
        buttons_.at(inspectorPage)->hide();
    }
    slide_ = new SlideOver(this);
    resetSizes();
}

void WorkspacePage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    setWidth(widthOfWindow(this));
}

void WorkspacePage::setWidth(WindowWidth width) {
    const auto before = std::exchange(width_, width);
    if (before == width)
        return;
    const bool isNarrow = width == WindowWidth::Narrow;
    if (inspector_) {
        if (isNarrow) {
            drawer_->addWidget(inspector_);
        } else {
            if (drawn_ == inspectorPage)
                closeDrawer();
            across_->addWidget(inspector_);
            inspector_->show();
        }
        buttons_.at(inspectorPage)->setVisible(isNarrow);
    }
    if (ofAll_) {
        ofAll_->setVisible(!isNarrow);
        const int side = isNarrow ? 0 : widgets::space::s;
        ofAll_->parentWidget()->layout()->setContentsMargins(side, widgets::space::xs, widgets::space::xs,
                                                             widgets::space::xs);
    }
    for (const auto& [page, button] : buttons_)
        if (modes_ && modes_->isAncestorOf(button))
            showIcon(button, width != WindowWidth::Wide);
    if (drawer_) {
        showDrawersBar();
        down_->widget(0)->setVisible(!isNarrow || drawn_.empty());
    }
    if (across_->indexOf(down_) > 0) { // whatever the content of the panel asks for
        across_->widget(0)->setMinimumWidth(isNarrow ? panelWidths.front() : 0);
        across_->widget(0)->setMaximumWidth(isNarrow ? panelWidths.front() : QWIDGETSIZE_MAX);
    }
    if (before || !hasSizes_)
        resetSizes();
}

void WorkspacePage::resetSizes() {
    const auto step = static_cast<std::size_t>(width_.value_or(WindowWidth::Wide));
    const bool hasPanel = across_->indexOf(down_) > 0;
    const bool hasInspector = inspector_ && width_ != WindowWidth::Narrow;
    const int whole = std::max(width(), leastCanvas + panelWidths.back() + inspectorWidths.back());
    QList<int> widths;
    const int panel = hasPanel ? panelWidths[step] : 0;
    const int inspector = hasInspector ? inspectorWidths[step] : 0;
    if (hasPanel)
        widths += panel;
    widths += whole - panel - inspector;
    if (hasInspector)
        widths += inspector;
    across_->setSizes(widths);
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
        if (other.side == widgets::Place::Side::Above) { // as high as it wants to be
            auto* stack = new QWidget(parent);
            auto* column = new QVBoxLayout(stack);
            column->setContentsMargins(0, 0, 0, 0);
            column->setSpacing(0);
            column->addWidget(newSlot(other, stack));
            column->addWidget(content, 1);
            content = stack;
            continue;
        }
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

QToolButton* WorkspacePage::newButton(const std::string& page, const QString& title) {
    auto* button = new QToolButton(this);
    button->setText(QString(title).replace('&', QStringLiteral("&&")));
    button->setIcon(widgets::icon(page));
    showIcon(button, false);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    buttons_[page] = button;
    return button;
}

QWidget* WorkspacePage::newPanel() {
    auto* panel = new QWidget(this);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(widgets::space::m, widgets::space::xs, widgets::space::xs, widgets::space::xs);
    column->setSpacing(widgets::space::xs);
    ofAll_ = new QWidget(panel);
    auto* row = new widgets::FlowLayout(ofAll_);
    row->setSpacing(0);
    addModes(Region::CanvasOfAll, ofAll_);
    column->addWidget(ofAll_);
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
        auto* button = newButton(place.key, titleOf(place.key));
        widgets::setLook(button, widgets::ButtonLook::Segment);
        showIcon(button, region == Region::CanvasOfAll);
        group_->addButton(button);
        buttons->layout()->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, key = place.key] { open(key); });
        if (front_.empty() && region == Region::Canvas) {
            front_ = place.key;
            button->setChecked(true);
            canvas_->setCurrentWidget(pages_[place.key]);
        }
    }
}

QWidget* WorkspacePage::newCanvas(HeadBar* head) {
    auto* whole = new QWidget(this);
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(widgets::space::s, widgets::space::xs, widgets::space::s, 0);
    column->setSpacing(widgets::space::xs);
    if (head) {
        modes_ = head->modes();
        column->addWidget(head);
    } else {
        modes_ = new QWidget(whole);
        auto* segments = new widgets::FlowLayout(modes_);
        segments->setSpacing(0);
        if (QWidget* bars = newBars())
            column->addWidget(bars);
        else
            column->addWidget(modes_);
    }
    addModes(Region::Canvas, modes_);
    column->addWidget(canvas_, 1);
    whole->setMinimumWidth(leastCanvas);
    showBar();
    return whole;
}

QWidget* WorkspacePage::newBars() {
    for (const auto& place : places_)
        if (QWidget* bar = place.region == Region::Canvas ? views_.at(place.key)->canvasLine() : nullptr)
            bars_[place.key] = bar;
    if (bars_.empty())
        return nullptr;
    auto* all = new QWidget(this);
    auto* row = new QHBoxLayout(all);
    row->setContentsMargins(widgets::space::xs, 0, widgets::space::xs, 0);
    row->setSpacing(widgets::space::s);
    modes_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    row->addWidget(modes_);
    for (const auto& [key, bar] : bars_)
        row->addWidget(bar, 1);
    auto* save = new QToolButton(all);
    save->setText(tr("Export"));
    save->setIcon(widgets::icon("image"));
    save->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    save->setToolTip(tr("Exports this page as a picture"));
    save->setFocusPolicy(Qt::TabFocus);
    connect(save, &QToolButton::clicked, this,
            [this] { Q_EMIT views_.at(front_)->intended(widgets::intents::SavePicture()); });
    row->addWidget(save);
    return all;
}

void WorkspacePage::showBar() {
    for (const auto& [key, bar] : bars_)
        bar->setVisible(key == front_);
}

QWidget* WorkspacePage::newCards() {
    auto* whole = new QWidget(this);
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (const auto& place : places_)
        if (place.region == Region::Headline)
            column->addWidget(newSlot(place, whole));
    area_ = new CardArea(whole);
    for (const auto& place : places_)
        if (place.region == Region::Cards)
            areaSlots_[place.key] = area_->add(place, views_.at(place.key));
    column->addWidget(area_, 1);
    canvas_->hide();
    whole->setMinimumWidth(leastCanvas);
    return whole;
}

std::string WorkspacePage::front() const {
    return area_ ? area_->front() : front_;
}

QWidget* WorkspacePage::newDrawer() {
    auto* whole = new QWidget(this);
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(widgets::space::s, 0, widgets::space::s, 0);
    column->setSpacing(0);
    whole->setBackgroundRole(QPalette::AlternateBase);
    whole->setAutoFillBackground(true);
    auto* buttons = new QWidget(whole);
    auto* bar = new widgets::FlowLayout(buttons);
    column->addWidget(buttons);
    drawer_ = new QStackedWidget(whole);
    for (const auto& place : places_)
        if (place.region == Region::Drawer && place.beside.empty())
            bar->addWidget(addToDrawer(place.key, withOthersBeside(place, drawer_), titleOf(place.key)));
    if (inspector_)
        bar->addWidget(addToDrawer(inspectorPage, inspector_, tr("Inspector")));
    column->addWidget(drawer_, 1);
    drawer_->hide();
    whole->setMaximumHeight(whole->sizeHint().height());
    return whole;
}

/// Where nothing else opens a page: of the pages of cards, these open theirs.
void WorkspacePage::showDrawersBar() {
    const bool hasPages = std::ranges::count(places_, Region::Drawer, &widgets::Place::region) > 0;
    const bool hasInspector = inspector_ && width_ == WindowWidth::Narrow;
    drawer_->parentWidget()->setVisible(!drawn_.empty() || hasInspector || (hasPages && !area_));
}

QToolButton* WorkspacePage::addToDrawer(const std::string& page, QWidget* content, const QString& title) {
    drawer_->addWidget(pages_[page] = content);
    auto* button = newButton(page, title);
    button->setAutoRaise(true);
    connect(button, &QToolButton::clicked, this,
            [this, page](bool on) { on ? showDrawer(page) : closeDrawer(); });
    return button;
}

QScrollArea* WorkspacePage::newInspector() {
    auto* cards = new QWidget(this);
    auto* column = new QVBoxLayout(cards);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (const auto& place : places_)
        if (place.region == Region::Inspector) {
            auto* card =
                new Card(titleOf(place.key), QCoreApplication::translate("ViewSpec", place.spec->help),
                         newSlot(place, cards), cards);
            card->setObjectName(QString::fromStdString(place.key));
            cards_[place.key] = card;
            const auto* view = views_.at(place.key);
            connect(view, &widgets::View::noteChanged, card, [card, view] { card->setNote(view->note()); });
            column->addWidget(card);
            connect(card, &Card::changed, this, &WorkspacePage::changed);
        }
    column->addStretch();
    return new widgets::RoomyArea(cards, this);
}

void WorkspacePage::take() {
    for (const auto& [key, slot] : slots_)
        slot->take();
    for (const auto& [key, slot] : areaSlots_)
        if (key != drawn_)
            slot->take();
}

bool WorkspacePage::isOpen(const std::string& view) const {
    if (const auto card = cards_.find(view); card != cards_.end())
        return card->second->isOpen() && (width_ != WindowWidth::Narrow || drawn_ == inspectorPage);
    const auto page = pages_.find(view);
    if (page != pages_.end())
        return view == front_ || view == drawn_;
    if (areaSlots_.contains(view))
        return true;
    const auto slot = slots_.find(view);
    if (slot == slots_.end())
        return false;
    for (const auto& [key, beside] : pages_) // it stands beside another
        if (beside->isAncestorOf(slot->second))
            return isOpen(key);
    return true;
}

void WorkspacePage::open(const std::string& view) {
    if (const auto card = cards_.find(view); card != cards_.end()) {
        card->second->setOpen(true);
        if (width_ == WindowWidth::Narrow)
            showDrawer(inspectorPage);
        // Once the card has its place.
        QMetaObject::invokeMethod(
            this, [this, card = card->second] { inspector_->ensureWidgetVisible(card); },
            Qt::QueuedConnection);
        return;
    }
    auto page = pages_.find(view);
    if (page == pages_.end()) { // beside another, or always in sight
        if (areaSlots_.contains(view))
            return;
        const auto* slot = slots_.at(view);
        page = std::ranges::find_if(pages_,
                                    [slot](const auto& each) { return each.second->isAncestorOf(slot); });
        return page == pages_.end() ? void() : open(page->first);
    }
    if (canvas_->indexOf(page->second) < 0)
        return showDrawer(page->first);
    buttons_.at(view)->setChecked(true);
    front_ = view;
    canvas_->setCurrentWidget(page->second);
    showBar();
    if (width_ == WindowWidth::Narrow && !drawn_.empty())
        return closeDrawer();
    Q_EMIT changed();
}

void WorkspacePage::showDrawer(const std::string& page) {
    const bool opens = drawn_.empty() && slides();
    const int closed = closedDrawer();
    if (opens)
        slide_->keep();
    const std::string before = std::exchange(drawn_, page);
    if (const auto card = areaSlots_.find(before); card != areaSlots_.end() && before != page)
        card->second->take();
    if (areaSlots_.contains(page) && isVisible())
        slots_.at(page)->take();
    for (const auto& [key, other] : pages_)
        if (drawer_->indexOf(other) >= 0)
            buttons_.at(key)->setChecked(key == page);
    drawer_->setCurrentWidget(pages_.at(page));
    showDrawersBar();
    drawer_->show();
    drawer_->parentWidget()->setMaximumHeight(QWIDGETSIZE_MAX);
    if (width_ == WindowWidth::Narrow)
        down_->widget(0)->hide();
    else if (before.empty())
        resizeDrawer(usualDrawer);
    if (opens)
        slide_->slideIn(drawersPlace(), closed);
    Q_EMIT changed();
}

void WorkspacePage::close(const std::string& view) {
    if (const auto card = cards_.find(view); card != cards_.end())
        card->second->setOpen(false);
    else if (view == drawn_ && !drawn_.empty())
        closeDrawer();
}

void WorkspacePage::closeDrawer() {
    const QRect place = drawersPlace();
    if (slides())
        slide_->keep();
    buttons_.at(drawn_)->setChecked(false);
    if (const auto of = areaSlots_.find(drawn_); of != areaSlots_.end() && isVisible())
        of->second->take();
    drawn_.clear();
    if (drawer_->isAncestorOf(window()->focusWidget()))
        window()->setFocus();
    drawer_->hide();
    auto* whole = drawer_->parentWidget();
    showDrawersBar();
    const int bar = drawersBar();
    whole->setMaximumHeight(bar);
    down_->widget(0)->show();
    down_->setSizes({down_->height() - bar, bar}); // the room goes back to the canvas
    if (slides())
        slide_->slideOut(place, closedDrawer());
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

QRect WorkspacePage::drawersPlace() const {
    const auto* whole = drawer_->parentWidget();
    return {whole->mapTo(this, QPoint()), whole->size()};
}

/// Not in a narrow window, whose drawer covers the canvas, nor where nobody looks, as in tests.
bool WorkspacePage::slides() const {
    return width_ != WindowWidth::Narrow && QGuiApplication::platformName() != QLatin1String("offscreen");
}

int WorkspacePage::closedDrawer() const {
    return drawer_->parentWidget()->isVisible() ? drawersBar() : 0;
}

int WorkspacePage::drawersBar() const {
    return drawer_->parentWidget()->layout()->itemAt(0)->sizeHint().height();
}

void WorkspacePage::resizeDrawer(int height) {
    const int bar = drawersBar();
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
            button->second->setText(QString(title).replace('&', QStringLiteral("&&")));
            shown += isShown && place.region == Region::Canvas;
            if (!isShown)
                close(place.key);
        }
        if (place.region == Region::Cards) {
            area_->setShown(place.key, isShown);
            shown += isShown;
        }
        if (const auto card = cards_.find(place.key); card != cards_.end()) {
            card->second->setVisible(isShown);
            card->second->setTitle(title);
        }
    }
    if (area_)
        return shown > 0 ? QString() : lack;
    modes_->setVisible(shown > 1);
    modes_->update(); // which of them are at the ends
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
    std::vector<std::string> words{workspace_ + ' ' + canvasWord + ' ' + front()};
    if (!drawn_.empty())
        words.push_back(workspace_ + ' ' + drawerWord + ' ' + drawn_);
    for (const auto& [key, card] : cards_)
        if (!card->isOpen())
            words.push_back(workspace_ + ' ' + foldedWord + ' ' + key);
    return words;
}

void WorkspacePage::set(const std::vector<std::string>& words) {
    const auto has = [&](const std::string& what, const std::string& key) {
        const std::string begin = workspace_ + ' ' + what + ' ';
        return std::ranges::any_of(words, [&](const std::string& each) {
            return each.starts_with(begin) && widgets::nowIn(each.substr(begin.size())) == key;
        });
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

void WorkspacePage::reset() {
    const auto first = std::ranges::find(places_, Region::Canvas, &widgets::Place::region);
    set({workspace_ + ' ' + canvasWord + ' ' + (first == places_.end() ? std::string() : first->key)});
    resetSizes();
}

QByteArray WorkspacePage::sizes() const {
    return across_->saveState().toBase64() + ' ' + down_->saveState().toBase64();
}

void WorkspacePage::setSizes(const QByteArray& sizes) {
    const auto both = sizes.split(' ');
    if (both.size() != 2)
        return;
    hasSizes_ = across_->restoreState(QByteArray::fromBase64(both[0]));
    down_->restoreState(QByteArray::fromBase64(both[1]));
}

} // namespace headscope::app
