// How the window looks besides what it shows: remembered from one time to the next, and in sessions.
#include "app/document/kept_layout.h"
#include "app/sessions/session.h"
#include "app/window/docks/panel_places.h"
#include "app/window/main_window.h"

#include <QDockWidget>
#include <QWindow>

#include <utility>

namespace headscope::app {

namespace {

// Counts up when docks are added, renamed or removed: an older layout is then left alone.
constexpr int layoutVersion = 6;

} // namespace

void MainWindow::buildPlaces() {
    firstLayout_ = saveState(layoutVersion);
    panels_ = std::make_unique<PanelPlaces>(this);
    layout_ = new KeptLayout(this, panels_.get(), layoutVersion);
}

void MainWindow::restoreLayout() {
    if (const QByteArray geometry = settings_.geometry(); !geometry.isEmpty())
        restoreGeometry(geometry);
    winId(); // makes the handle
    // The desktop puts a window on top when it is first shown, and so above its floating panels.
    connect(
        windowHandle(), &QWindow::activeChanged, this,
        [this] {
            for (auto* dock : findChildren<QDockWidget*>())
                if (dock->isFloating())
                    dock->raise();
        },
        Qt::SingleShotConnection);
    if (const QByteArray layout = settings_.layout();
        !layout.isEmpty() && restoreState(layout, layoutVersion))
        layout_->keep({.size = {}, .panels = layout, .inside = {}});
}

/// The next window opens on another view than the comparison.
void MainWindow::rememberLayout() {
    showPanelsAside();
    settings_.setWindow(saveGeometry(), saveState(layoutVersion));
}

WindowLayout MainWindow::windowLayout() const {
    auto look = layout_->look();
    return {.geometry = saveGeometry().toBase64().toStdString(),
            .panels = look.panels.toBase64().toStdString(),
            .inside = std::move(look.inside)};
}

/// Its panels at once, so that what is shown comes to its place; and once it is there all of it again.
bool MainWindow::setWindowLayout(const std::optional<WindowLayout>& layout) {
    layout_->forgetAwaited();
    if (!layout)
        return false;
    layout_->letGo();
    restoreGeometry(QByteArray::fromBase64(QByteArray::fromStdString(layout->geometry)));
    KeptLayout::Look look{.size = {},
                          .panels = QByteArray::fromBase64(QByteArray::fromStdString(layout->panels)),
                          .inside = layout->inside};
    if (!restoreState(look.panels, layoutVersion))
        return false;
    layout_->await(std::move(look));
    return true;
}

void MainWindow::resetLayout() {
    layout_->letGo();
    layout_->leavePanels();
    aside_.clear();
    settings_.forgetWindow();
    restoreState(firstLayout_, layoutVersion);
}

} // namespace headscope::app
