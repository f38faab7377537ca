#include "app/window/frame/workbench.h"

#include "app/desktop/widget_geometry.h"
#include "app/window/frame/rail.h"

#include <QAction>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::app {

namespace {

using Region = widgets::Place::Region;

const std::string atWord = "at "; ///< before the workspace that is seen

QWidget* firstWithKeys(QWidget* page) {
    for (QWidget* next = page; next;) {
        const bool takes = (next->focusPolicy() & Qt::TabFocus) || next->focusProxy();
        if (takes && next->isEnabled() && next->isVisibleTo(page) &&
            (next == page || page->isAncestorOf(next)))
            return next;
        next = next->nextInFocusChain();
        if (next == page)
            break;
    }
    return page;
}

bool isInWorkspace(const widgets::Place& place) {
    return place.region != Region::Target && place.region != Region::Training;
}

const widgets::Place* placeIn(const std::string& view, const std::string& workspace) {
    const auto& all = widgets::places();
    const auto found = std::ranges::find_if(
        all, [&](const auto& place) { return place.key == view && place.workspace == workspace; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace

Workbench::Workbench(widgets::Selection* selection, Actions* actions, QWidget* tokens, HeadBar* head,
                     QWidget* home, QWidget* parent)
    : QWidget(parent), selection_(selection), actions_(actions), tokens_(tokens), head_(head),
      rail_(new Rail(*actions, this)), stack_(new QStackedWidget(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(rail_);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(tokens);
    column->addWidget(stack_, 1);
    row->addLayout(column, 1);
    setWorkspace(widgets::workspaces().front().key);
    addPage(ActionId::Home, home);
    addMenu();
    connectActions();
    where_ = where();
    actions_->setEnabled(ActionId::GoBack, false, tr("There is no previous view."));
}

void Workbench::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    rail_->follow();
}

widgets::View* Workbench::found(const std::string& key) const {
    const auto found = byKey_.find(key);
    return found == byKey_.end() ? nullptr : found->second;
}

widgets::View* Workbench::view(const std::string& key) {
    const auto* place = widgets::placeOf(key);
    if (found(key) || !place || !isInWorkspace(*place))
        return found(key);
    auto* view = widgets::makerOf(key)(selection_, this);
    view->hide();
    view->setProperty(panelProperty, QString::fromStdString(key));
    views_.push_back(view);
    byKey_[key] = view;
    if (auto* menu = view->menu())
        actions_->menu(place->spec->menu)->addMenu(menu);
    Q_EMIT made(view);
    return view;
}

WorkspacePage* Workbench::page(const std::string& workspace) {
    if (const auto made = pages_.find(workspace); made != pages_.end())
        return made->second;
    WorkspacePage::Views views;
    bool showsHead = false;
    for (const auto& place : widgets::places())
        if (place.workspace == workspace) {
            views[place.key] = view(place.key);
            showsHead = showsHead || (place.region == Region::Canvas && place.spec->showsHead);
        }
    auto* page = new WorkspacePage(workspace, views, showsHead ? head_ : nullptr, this);
    pages_[workspace] = page;
    stack_->addWidget(page);
    page->setMaximised((*actions_)[ActionId::Maximise]->isChecked());
    restore(workspace);
    connect(page, &WorkspacePage::changed, this, &Workbench::changed);
    return page;
}

void Workbench::makeRest() {
    for (const auto& workspace : widgets::workspaces())
        page(workspace.key);
    kept_.clear();
}

void Workbench::addPage(ActionId action, QWidget* page) {
    ofActions_[action] = page;
    stack_->addWidget(page);
}

/// Pages of drawers and cards; each once, though it may stand in several workspaces.
void Workbench::addMenu() {
    auto* menu = actions_->menu("&View/&Panels");
    menu->addSeparator();
    for (const auto& place : widgets::places()) {
        if ((place.region != Region::Drawer && place.region != Region::Inspector) ||
            toggles_.contains(place.key))
            continue;
        QAction* toggle = menu->addAction(QCoreApplication::translate("ViewSpec", place.spec->title));
        toggle->setCheckable(true);
        toggles_[place.key] = toggle;
        connect(toggle, &QAction::triggered, this,
                [this, key = place.key](bool on) { on ? open(key) : close(key); });
    }
    // Later, so that what is passed on the way is no place to go back to.
    connect(this, &Workbench::changed, this, &Workbench::noteWhere, Qt::QueuedConnection);
    connect(this, &Workbench::changed, this, [this] {
        for (const auto& [key, toggle] : toggles_)
            toggle->setChecked(isOpen(key));
        actions_->setEnabled(ActionId::CloseDrawer, !pages_.at(workspace_)->drawn().empty(),
                             tr("No drawer page is open."));
    });
}

void Workbench::connectActions() {
    const auto on = [this](const ActionKey& key, auto&& what) {
        connect((*actions_)[key], &QAction::triggered, this, what);
    };
    on(ActionId::Home, [this] { showPage(ActionId::Home); });
    for (const auto& workspace : widgets::workspaces())
        on(workspaceAction(workspace.key), [this, key = workspace.key] {
            setWorkspace(key);
            open(frontKey()); // the keys leave fields
        });
    on(ActionId::GoBack, &Workbench::goBack);
    on(ActionId::CloseDrawer, [this] { close(pages_.at(workspace_)->drawn()); });
    on(ActionId::NextRegion, [this] { moveRegion(1); });
    on(ActionId::PreviousRegion, [this] { moveRegion(-1); });
    connect((*actions_)[ActionId::Maximise], &QAction::toggled, this, [this](bool isOn) {
        for (const auto& [key, page] : pages_)
            page->setMaximised(isOn);
    });
}

Workbench::Where Workbench::where() const {
    for (const auto& [action, page] : ofActions_)
        if (stack_->currentWidget() == page)
            return {.page = action};
    return {.page = {},
            .workspace = workspace_,
            .front = pages_.at(workspace_)->isOfCards() ? std::string() : frontKey()};
}

void Workbench::noteWhere() {
    constexpr std::size_t most = 100;
    const auto now = where();
    if (now == where_)
        return;
    before_.push_back(std::exchange(where_, now));
    if (before_.size() > most)
        before_.erase(before_.begin());
    actions_->setEnabled(ActionId::GoBack, true, {});
}

/// What the model lacks now is passed over.
void Workbench::goBack() {
    while (!before_.empty()) {
        const auto back = before_.back();
        before_.pop_back();
        if (!back.page && !(*actions_)[workspaceAction(back.workspace)]->isEnabled())
            continue;
        const auto rest = before_;
        back.page ? showPage(*back.page) : setWorkspace(back.workspace);
        if (!back.front.empty())
            open(back.front);
        before_ = rest;
        where_ = where(); // where it went back from is no place to go back to
        break;
    }
    actions_->setEnabled(ActionId::GoBack, !before_.empty(), tr("There is no previous view."));
}

void Workbench::moveRegion(int by) {
    std::vector<QWidget*> regions{tokens_};
    std::ranges::copy(pages_.at(workspace_)->regions(), std::back_inserter(regions));
    std::erase_if(regions, [](const QWidget* region) { return !region->isVisible(); });
    if (regions.empty())
        return;
    const auto own = std::ranges::find_if(
        regions, [this](const auto* region) { return region->isAncestorOf(window()->focusWidget()); });
    const auto count = std::ssize(regions);
    const auto from = own != regions.end() ? own - regions.begin() : by > 0 ? -1 : count;
    firstWithKeys(regions[(from + by + count) % count])->setFocus(Qt::ShortcutFocusReason);
}

std::string Workbench::keyOf(const widgets::View* view) const {
    const auto found = std::ranges::find(byKey_, view, [](const auto& each) { return each.second; });
    return found == byKey_.end() ? std::string() : found->first;
}

std::string Workbench::headView() const {
    const auto& all = widgets::places();
    const auto found = std::ranges::find_if(all, [](const auto& place) { return place.spec->showsHead; });
    return found == all.end() ? all.front().key : found->key;
}

std::string Workbench::frontKey() const {
    return pages_.at(workspace_)->front();
}

widgets::View* Workbench::front() const {
    return found(frontKey());
}

bool Workbench::isInSight(const std::string& key) const {
    const auto* shown = found(key);
    return shown && shown->isVisible() && !shown->visibleRegion().isEmpty();
}

bool Workbench::isOpen(const std::string& key) const {
    return pages_.at(workspace_)->isOpen(key);
}

bool Workbench::showsTarget() const {
    return std::ranges::any_of(widgets::viewSpecs(),
                               [this](const auto& spec) { return spec.showsTarget && isOpen(spec.key); });
}

void Workbench::follow(const widgets::DocumentState& document) {
    const auto* spec = widgets::viewSpec(frontKey());
    if (spec && !pages_.at(workspace_)->isOfCards() && widgets::lackOf(*spec, document))
        show(headView());
    for (const auto& workspace : widgets::workspaces()) {
        if (!pages_.contains(workspace.key))
            continue;
        const QString lack = pages_.at(workspace.key)->follow(document);
        actions_->setEnabled(workspaceAction(workspace.key), lack.isEmpty(), lack);
        if (!lack.isEmpty() && workspace.key == workspace_ && pages_.at(workspace_)->isOfCards())
            show(headView());
        if (document.model)
            (*actions_)[workspaceAction(workspace.key)]->setText(
                QCoreApplication::translate("Workspace", workspace.titleFor(*document.model)));
    }
    for (const auto& [key, toggle] : toggles_) {
        const auto& spec = *widgets::viewSpec(key);
        const auto lack = widgets::lackOf(spec, document);
        const QString title = QCoreApplication::translate(
            "ViewSpec", document.model && spec.titleOf ? spec.titleOf(*document.model) : spec.title);
        const QString words = tr("Show or hide \"%1\"").arg(title);
        toggle->setText(title);
        toggle->setEnabled(!lack);
        toggle->setToolTip(
            lack ? QStringLiteral("%1\n%2").arg(words, QCoreApplication::translate("ViewSpec", lack->why))
                 : words);
    }
}

void Workbench::openWith(const widgets::DocumentState& document) {
    const auto& all = widgets::places();
    const auto own = std::ranges::find_if(all, [&](const auto& place) {
        return place.spec->opensWithModel && !widgets::lackOf(*place.spec, document);
    });
    if (own != all.end())
        show(own->key);
    else if (document.model->opensAt)
        show(headView());
}

void Workbench::setWorkspace(const std::string& workspace) {
    if (workspace_ != workspace || where().page) {
        const bool hasKeys = stack_->isAncestorOf(window()->focusWidget());
        workspace_ = workspace;
        page(workspace)->take();
        stack_->setCurrentWidget(pages_.at(workspace));
        tokens_->show();
        if (hasKeys)
            window()->setFocus();
    }
    (*actions_)[workspaceAction(workspace)]->setChecked(true);
    Q_EMIT changed();
}

void Workbench::showPage(ActionId action) {
    auto* page = ofActions_.at(action);
    stack_->setCurrentWidget(page);
    tokens_->hide();
    (*actions_)[action]->setChecked(true);
    firstWithKeys(page)->setFocus(Qt::ShortcutFocusReason);
    Q_EMIT changed();
}

void Workbench::showNoModel() {
    for (const auto& workspace : widgets::workspaces())
        actions_->setEnabled(workspaceAction(workspace.key), false, tr("No model is open."));
    showPage(ActionId::Home);
}

void Workbench::leaveMaximised(const std::string& key) {
    const auto region = placeIn(key, workspace_)->region;
    if (region != Region::Canvas && region != Region::CanvasOfAll)
        (*actions_)[ActionId::Maximise]->setChecked(false);
}

void Workbench::show(const std::string& key) {
    setWorkspace(pages_.at(workspace_)->has(key) ? workspace_ : widgets::placeOf(key)->workspace);
    leaveMaximised(key);
    pages_.at(workspace_)->open(key);
}

void Workbench::open(const std::string& key) {
    show(key);
    auto* opened = view(key);
    if (auto* taker = opened->takesKeys()) {
        taker->clearFocus(); // selects a typed line again, too
        taker->setFocus(Qt::ShortcutFocusReason);
    } else if (const auto region = placeIn(key, workspace_)->region;
               region == Region::Canvas || region == Region::Headline) {
        window()->setFocus(Qt::ShortcutFocusReason);
    } else if (!opened->isAncestorOf(window()->focusWidget())) {
        firstWithKeys(opened)->setFocus(Qt::ShortcutFocusReason);
    }
}

void Workbench::openBehind(const std::string& key) {
    const auto* place = placeIn(key, workspace_);
    if (!place)
        return; // its workspace has it
    const auto hasKeys = [this](const auto& each) {
        return each.second->isAncestorOf(window()->focusWidget());
    };
    const auto busy = std::ranges::find_if(byKey_, hasKeys);
    const auto* busyPlace = busy == byKey_.end() ? nullptr : placeIn(busy->first, workspace_);
    if (!busyPlace || busyPlace->region != place->region)
        pages_.at(workspace_)->open(key);
}

void Workbench::close(const std::string& key) {
    auto* page = pages_.at(workspace_);
    if (page->drawn() != key && page->front() == key && key != headView())
        show(headView());
    else
        page->close(key);
}

bool Workbench::closesByItsKey(const std::string& key) {
    auto* shown = view(key);
    // On the canvas, views without controls have no keys.
    const bool hasKeys =
        shown->isAncestorOf(window()->focusWidget()) || (frontKey() == key && !shown->takesKeys());
    if (!isInSight(key) || !hasKeys)
        return false;
    close(key);
    return true;
}

std::vector<std::string> Workbench::words() const {
    std::vector<std::string> words{atWord + workspace_};
    for (const auto& [key, page] : pages_)
        std::ranges::copy(page->words(), std::back_inserter(words));
    return words;
}

/// As it was kept; does nothing with a page that is not made.
void Workbench::restore(const std::string& workspace) {
    const auto page = pages_.find(workspace);
    if (page == pages_.end() || kept_.isEmpty())
        return;
    std::vector<std::string> words;
    for (const auto& line : kept_) {
        words.push_back(line.toStdString());
        const auto parts = line.split(' ');
        if (parts.front() == "sizes" && parts.value(1).toStdString() == workspace)
            page->second->setSizes(parts.mid(2).join(' '));
    }
    page->second->set(words);
}

void Workbench::set(const std::vector<std::string>& words) {
    QByteArrayList lines;
    for (const auto& each : words)
        lines += QByteArray::fromStdString(each);
    setLayout(lines.join('\n'));
}

QByteArray Workbench::layout() const {
    QByteArrayList lines;
    for (const auto& each : words())
        lines += QByteArray::fromStdString(each);
    for (const auto& [key, page] : pages_)
        lines += "sizes " + QByteArray::fromStdString(key) + ' ' + page->sizes();
    return lines.join('\n');
}

void Workbench::setLayout(const QByteArray& layout) {
    kept_ = layout.split('\n');
    for (const auto& workspace : widgets::workspaces()) {
        restore(workspace.key);
        if (kept_.contains(QByteArray::fromStdString(atWord + workspace.key)))
            setWorkspace(workspace.key);
    }
}

void Workbench::reset() {
    kept_.clear();
    for (const auto& [key, page] : pages_)
        page->reset();
    setWorkspace(widgets::workspaces().front().key);
}

} // namespace headscope::app
