#include "app/window/window_places.h"

#include "widgets/controls/view_choices.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QWindow>

#include <utility>

namespace headscope::app {

namespace {

// Increased when docks are added, renamed or removed, so that older layouts are ignored.
constexpr int layoutVersion = 6;

} // namespace

WindowPlaces::WindowPlaces(QMainWindow* window, Settings* settings)
    : QObject(window), window_(window), settings_(settings), first_(window->saveState(layoutVersion)),
      panels_(window), layout_(new KeptLayout(window, &panels_, layoutVersion)) {}

void WindowPlaces::restore() {
    if (const QByteArray geometry = settings_->geometry(); !geometry.isEmpty())
        window_->restoreGeometry(geometry);
    window_->winId(); // creates the window handle
    // When a window is first shown, the desktop raises it above its floating panels.
    connect(
        window_->windowHandle(), &QWindow::activeChanged, this,
        [this] {
            for (auto* dock : window_->findChildren<QDockWidget*>())
                if (dock->isFloating())
                    dock->raise();
        },
        Qt::SingleShotConnection);
    if (const QByteArray layout = settings_->layout();
        !layout.isEmpty() && window_->restoreState(layout, layoutVersion))
        layout_->keep({.panels = layout, .inside = {}});
}

void WindowPlaces::remember() {
    settings_->setWindow(window_->saveGeometry(), window_->saveState(layoutVersion));
}

void WindowPlaces::reset() {
    layout_->release();
    layout_->userMovedPanels();
    settings_->forgetWindow();
    window_->restoreState(first_, layoutVersion);
}

WindowLayout WindowPlaces::windowLayout() const {
    auto look = layout_->look();
    return {.geometry = window_->saveGeometry().toBase64().toStdString(),
            .panels = look.panels.toBase64().toStdString(),
            .inside = std::move(look.inside)};
}

/// Restores the panels at once, so that content appears in its final place, and everything again once the
/// content is shown.
bool WindowPlaces::setWindowLayout(const std::optional<WindowLayout>& layout) {
    layout_->forgetAwaited();
    if (!layout)
        return false;
    layout_->release();
    window_->restoreGeometry(QByteArray::fromBase64(QByteArray::fromStdString(layout->geometry)));
    KeptLayout::Look look{.panels = QByteArray::fromBase64(QByteArray::fromStdString(layout->panels)),
                          .inside = layout->inside};
    if (!window_->restoreState(look.panels, layoutVersion))
        return false;
    layout_->expectRestored(std::move(look));
    return true;
}

void WindowPlaces::addChoices(widgets::ViewChoices& choices) {
    choices.add(
        "window", "panels", [this] { return widgets::ChoiceValue(panels_.words()); },
        [this](const auto& value) {
            if (!layout_->arePanelsLeft())
                panels_.set(std::get<std::vector<std::string>>(value));
        });
}

} // namespace headscope::app
