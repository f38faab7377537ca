#pragma once

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

class Workbench;

/// Geometry of a window and what its workspaces show: remembered between starts, and saved in and restored
/// from sessions.
class WindowPlaces : public QObject {
    Q_OBJECT

  public:
    /// All must outlive this; the window must already have its views.
    WindowPlaces(QMainWindow* window, Workbench* workbench, Settings* settings);

    KeptLayout* layout() const { return layout_; }
    /// Restores the layout that remember() saved.
    void restore();
    void remember();
    /// Restores the default layout.
    void reset();
    WindowLayout windowLayout() const;
    void setWindowLayout(const std::optional<WindowLayout>& layout);

    /// Binds what is in front, open and folded.
    void addChoices(widgets::ViewChoices& choices);

  private:
    QMainWindow* window_;
    Workbench* workbench_;
    Settings* settings_;
    KeptLayout* layout_;
};

} // namespace headscope::app
