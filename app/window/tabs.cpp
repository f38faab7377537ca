#include "app/window/tabs.h"

#include "app/window/views_button.h"
#include "widgets/views/places.h"

#include <QAction>
#include <QCoreApplication>
#include <QTabBar>

#include <algorithm>

namespace headscope::app {

namespace {

/// A tab bar that is too narrow scrolls to the current tab from its previous position. Resetting it makes the
/// window look the same after a restart or undo.
void scrollAnew(QTabBar* bar) {
    const QSize size = bar->size();
    bar->resize(bar->sizeHint()); // one that all tabs fit into is not scrolled
    bar->resize(size);
}

} // namespace

Tabs::Tabs(widgets::Selection* selection, const Actions& actions, QWidget* parent) : QTabWidget(parent) {
    setDocumentMode(true);
    setAccessibleName(tr("Views"));
    for (const auto& place : widgets::places()) {
        using Region = widgets::Place::Region;
        if (place.region != Region::Tab && place.region != Region::WideTab)
            continue;
        auto* view = widgets::makerOf(place.key)(selection, this);
        if (place.region == Region::WideTab)
            wide_.insert(view);
        keys_.push_back(place.key);
        // Overrides larger size hints, so that the window fits the screen with large fonts.
        view->setMinimumHeight(7 * fontMetrics().height());
        views_.push_back(view);
        const int tab = addTab(view, QCoreApplication::translate("ViewSpec", place.spec->title));
        for (const auto& action : place.spec->actions)
            if (!*action.name) // it opens the view: description and shortcut
                setTabToolTip(tab, actions[place.key]->toolTip());
    }
    setCurrentWidget(headView()); // opens with the best head, large
    connect(this, &QTabWidget::currentChanged, this, [this] { scrollAnew(tabBar()); });
    new ViewsButton(this);
}

widgets::View* Tabs::view(const std::string& key) const {
    const auto found = std::ranges::find(keys_, key);
    return found == keys_.end() ? nullptr : views_[found - keys_.begin()];
}

widgets::View* Tabs::headView() const {
    const auto found =
        std::ranges::find_if(keys_, [](const auto& key) { return widgets::viewSpec(key)->showsHead; });
    return found == keys_.end() ? views_.front() : view(*found);
}

void Tabs::follow(const widgets::DocumentState& document) {
    for (const auto& key : keys_) {
        const bool shown = !widgets::lackOf(*widgets::viewSpec(key), document);
        if (!shown && isOnTop(key))
            setCurrentWidget(headView());
        setTabVisible(indexOf(view(key)), shown);
    }
}

void Tabs::openWith(const widgets::DocumentState& document) {
    const auto own = std::ranges::find_if(keys_, [&](const auto& key) {
        const auto& spec = *widgets::viewSpec(key);
        return spec.opensWithModel && !widgets::lackOf(spec, document);
    });
    if (own != keys_.end())
        setCurrentWidget(view(*own));
    else if (document.model->opensAt)
        setCurrentWidget(headView());
}

void Tabs::open(widgets::View* opened) {
    setCurrentWidget(opened);
    QWidget* taker = opened->takesKeys();
    (taker ? taker : window())->setFocus(Qt::ShortcutFocusReason);
}

} // namespace headscope::app
