#pragma once

#include <QEvent>
#include <QObject>
#include <QTimer>

#include "app/desktop/widget_geometry.h"

#include <optional>

namespace headscope::app {

/// Restores scroll positions, splitters and focus of a window. Results that arrive late, and a desktop that
/// enlarges the window, change them again, so they are reapplied until the user touches the window.
class KeptLayout : public QObject {
    Q_OBJECT

  public:
    using Places = WidgetGeometry::Places;

    /// `window` outlives this and already has its views.
    explicit KeptLayout(QWidget* window);

    Places places() const;
    /// Keeps these from now on.
    void keep(Places places);
    void release();

    /// Restores what can be restored now; keepAwaited() keeps them once all of the session's content is
    /// shown.
    void expect(Places places);
    void keepAwaited();
    void forgetAwaited() { awaited_.reset(); }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void applySoon();
    void apply();
    bool isInWindow(const QObject* watched) const;

    QWidget* window_;
    WidgetGeometry inside_;
    std::optional<Places> wanted_;  ///< until the user touches the window
    std::optional<Places> awaited_; ///< of a session, until its content is shown
    QTimer soon_;
    QTimer landing_; ///< while active, the desktop may still resize the window
};

} // namespace headscope::app
