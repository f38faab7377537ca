#pragma once

#include "app/desktop/panel_places.h"
#include "app/desktop/settings.h"
#include "app/document/kept_layout.h"
#include "app/sessions/session.h"

#include <QObject>

#include <optional>

class QMainWindow;

namespace headscope::widgets {
class ViewChoices;
}

namespace headscope::app {

/// Geometry and panel layout of a window: remembered between starts, and saved in and restored from sessions.
class WindowPlaces : public QObject {
    Q_OBJECT

  public:
    /// Both must outlive this; the window must already have its panels.
    WindowPlaces(QMainWindow* window, Settings* settings);

    KeptLayout* layout() const { return layout_; }
    /// Restores the layout that remember() saved.
    void restore();
    void remember();
    /// Restores the default layout.
    void reset();
    WindowLayout windowLayout() const;
    /// Returns false if the layout is empty or comes from another program version; its panels are then
    /// ignored.
    bool setWindowLayout(const std::optional<WindowLayout>& layout);

    /// Binds the places of the panels; they stay if the user has moved panels while a layout is awaited.
    void addChoices(widgets::ViewChoices& choices);

  private:
    QMainWindow* window_;
    Settings* settings_;
    QByteArray first_; ///< the default layout
    PanelPlaces panels_;
    KeptLayout* layout_;
};

} // namespace headscope::app
