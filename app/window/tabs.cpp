#include "app/window/tabs.h"

#include "app/window/views_button.h"
#include "widgets/views/places.h"

#include <QAction>
#include <QCoreApplication>
#include <QTabBar>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

namespace {

constexpr std::array openers{std::pair("classifier", ActionId::ViewClassifier),
                             std::pair("overview", ActionId::ViewOverview),
                             std::pair("heatmap", ActionId::ViewHeatmap),
                             std::pair("masks", ActionId::ViewMasks),
                             std::pair("positions", ActionId::ViewPositions),
                             std::pair("lines", ActionId::ViewLines),
                             std::pair("architecture", ActionId::ViewArchitecture),
                             std::pair("scale", ActionId::ViewScale),
                             std::pair("compare", ActionId::ViewCompare)};

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
        if (!place.spec || (place.region != Region::Tab && place.region != Region::WideTab))
            continue;
        auto* view = widgets::makerOf(place.key)(selection, this);
        if (place.region == Region::WideTab)
            wide_.insert(view);
        keys_.push_back(place.key);
        // Overrides larger size hints, so that the window fits the screen with large fonts.
        view->setMinimumHeight(7 * fontMetrics().height());
        views_.push_back(view);
        addTab(view, QCoreApplication::translate("ViewSpec", place.spec->title));
    }
    for (const auto& [key, id] : openers) {
        setTabToolTip(indexOf(view(key)), actions[id]->toolTip()); // description and shortcut of the view
        connect(actions[id], &QAction::triggered, this, [this, key = key] { open(key); });
    }
    setCurrentWidget(view("heatmap")); // opens with the best head, large
    connect(this, &QTabWidget::currentChanged, this, [this] { scrollAnew(tabBar()); });
    new ViewsButton(this);
}

widgets::View* Tabs::view(const std::string& key) const {
    const auto found = std::ranges::find(keys_, key);
    return views_.at(static_cast<std::size_t>(found - keys_.begin()));
}

void Tabs::setShown(const std::string& key, bool shown) {
    if (!shown && isOnTop(key))
        setCurrentWidget(view("heatmap"));
    setTabVisible(indexOf(view(key)), shown);
}

void Tabs::open(const std::string& key) {
    auto* opened = view(key);
    setCurrentWidget(opened);
    QWidget* taker = opened->takesKeys();
    (taker ? taker : window())->setFocus(Qt::ShortcutFocusReason);
}

} // namespace headscope::app
