#pragma once

#include "app/document/kept_layout.h"
#include "app/sessions/session.h"
#include "app/window/docks/panel_places.h"
#include "app/window/settings.h"

#include <QObject>

#include <optional>

class QMainWindow;

namespace headscope::app {

/// Where a window and its panels stand: remembered from one start to the next, kept in sessions, put back.
class WindowPlaces : public QObject {
    Q_OBJECT

  public:
    /// Both outlive this; the window has its panels.
    WindowPlaces(QMainWindow* window, Settings* settings);

    KeptLayout* layout() const { return layout_; }
    /// Restores the layout that remember() saved.
    void restore();
    void remember();
    /// Restores the default layout.
    void reset();
    WindowLayout windowLayout() const;
    /// False where the panels are those of another program version, or there are none: they are passed over.
    bool setWindowLayout(const std::optional<WindowLayout>& layout);

    // As PanelPlaces says them; not set where a hand moved them meanwhile.
    std::vector<std::string> panels() const { return panels_.words(); }
    void setPanels(const std::vector<std::string>& words);
    std::string arrangement() const { return panels_.arrangement(); }
    void setArrangement(const std::string& word);

  private:
    QMainWindow* window_;
    Settings* settings_;
    QByteArray first_; ///< for putting panels back
    PanelPlaces panels_;
    KeptLayout* layout_;
};

} // namespace headscope::app
