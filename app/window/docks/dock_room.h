#pragma once

#include <QDockWidget>
#include <QList>

#include <optional>

namespace headscope::app {

/// Enlarges a panel for what its view shows. Belongs to the panel.
class DockRoom : public QObject {
    Q_OBJECT

  public:
    /// `view` is in the panel.
    DockRoom(QDockWidget* dock, const QWidget* view) : QObject(dock), dock_(dock), view_(view) {}

    /// Enlarges the panel once, until it gives the room back; the user may shrink it meanwhile. The centre of
    /// the window keeps half its height.
    void take();
    /// Restores the heights from before, unless the user changed them.
    void giveBack();

  private:
    /// Heights before the panel was enlarged, to be restored.
    struct Room {
        QList<QDockWidget*> docks;
        QList<int> before;
        std::optional<int> given; ///< height of the panel after it was enlarged
    };
    bool isThere() const;
    Room column() const;

    QDockWidget* dock_;
    const QWidget* view_;
    std::optional<Room> room_; ///< while enlarged
};

} // namespace headscope::app
