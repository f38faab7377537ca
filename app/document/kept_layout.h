#pragma once

#include <QByteArray>
#include <QEvent>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include "app/desktop/widget_geometry.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

class QMainWindow;

namespace headscope::app {

class PanelPlaces;

/// Restores a window's layout: panel sizes, scroll positions, splitters and focus. Results that arrive late,
/// and a desktop that enlarges the window, change the layout again, so it is reapplied until the user touches
/// the window.
class KeptLayout : public QObject {
    Q_OBJECT

  public:
    struct Look {
        QByteArray panels; ///< from QMainWindow::saveState(); empty: left unchanged
        WidgetGeometry::Places inside;
        std::vector<std::string> standing = {}; ///< PanelPlaces::words() at that time; empty: unknown
    };

    /// All objects must outlive this; the window must already have its panels. `version` is that of
    /// QMainWindow::saveState().
    KeptLayout(QMainWindow* window, const PanelPlaces* panels, int version);

    Look look() const;
    /// Keeps this layout from now on. Panels that are opened or closed meanwhile stay so.
    void keep(Look look);
    void release();

    /// The layout is already restored; keepAwaited() keeps it once all of the session's content is shown.
    void expectRestored(Look look);
    void keepAwaited();
    void forgetAwaited();
    /// Panels belong to the user from now on: the awaited layout does not move them.
    void userMovedPanels();
    /// The user moved panels while a layout was awaited.
    bool arePanelsLeft() const { return awaited_ && awaited_->panels.isEmpty(); }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void expect();
    void apply();
    void applyPanels();
    void watchHand(QEvent::Type type);
    bool isInWindow(const QObject* watched) const;

    QMainWindow* window_;
    const PanelPlaces* panels_;
    int version_;
    WidgetGeometry inside_;
    std::optional<Look> wanted_;        ///< until the user touches the window
    std::vector<std::string> standing_; ///< PanelPlaces::words() when the layout was requested
    QByteArray reached_;                ///< panel state that restoring achieved, perhaps not the exact one
    std::map<QByteArray, int> moved_;   ///< how often panels were restored from each state
    std::optional<Look> awaited_;       ///< of a session, until its content is shown
    std::vector<std::string> touched_;  ///< PanelPlaces::words() at the last user input
    QTimer soon_;
    QTimer landing_; ///< while active, the desktop may still resize the window
};

} // namespace headscope::app
