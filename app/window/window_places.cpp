#include "app/window/window_places.h"

#include "app/window/frame/workbench.h"
#include "widgets/controls/view_choices.h"

#include <QMainWindow>

namespace headscope::app {

WindowPlaces::WindowPlaces(QMainWindow* window, Workbench* workbench, Settings* settings)
    : QObject(window), window_(window), workbench_(workbench), settings_(settings),
      layout_(new KeptLayout(window)) {}

void WindowPlaces::restore() {
    if (const QByteArray geometry = settings_->geometry(); !geometry.isEmpty())
        window_->restoreGeometry(geometry);
    if (const QByteArray layout = settings_->layout(); !layout.isEmpty())
        workbench_->setLayout(layout);
}

void WindowPlaces::remember() {
    workbench_->makeRest(); // else what is kept for pages that are not made yet would be lost
    settings_->setWindow(window_->saveGeometry(), workbench_->layout());
}

void WindowPlaces::reset() {
    layout_->release();
    settings_->forgetWindow();
    workbench_->reset();
}

WindowLayout WindowPlaces::windowLayout() const {
    return {.geometry = window_->saveGeometry().toBase64().toStdString(), .inside = layout_->places()};
}

/// Restores it at once, so that content appears in its final place, and again once the content is shown.
void WindowPlaces::setWindowLayout(const std::optional<WindowLayout>& layout) {
    layout_->forgetAwaited();
    if (!layout)
        return;
    window_->restoreGeometry(QByteArray::fromBase64(QByteArray::fromStdString(layout->geometry)));
    layout_->expect(layout->inside);
}

void WindowPlaces::addChoices(widgets::ViewChoices& choices) {
    choices.add(
        "window", "panels", [this] { return widgets::ChoiceValue(workbench_->words()); },
        [this](const auto& value) { workbench_->set(std::get<std::vector<std::string>>(value)); });
}

} // namespace headscope::app
