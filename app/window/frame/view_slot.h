#pragma once

#include <QWidget>

class QScrollArea;

namespace headscope::widgets {
class View;
}

namespace headscope::app {

/// A place of a view, which may have several: it stands in the one that took it last.
class ViewSlot : public QWidget {
    Q_OBJECT

  public:
    enum class Room {
        Fixed,   ///< the view has to do with the room that there is
        Scrolls, ///< it is scrolled where it needs more
        Card,    ///< it is one of several cards (View::isCard())
    };
    /// The view must outlive this.
    ViewSlot(widgets::View* view, Room room, QWidget* parent);

    widgets::View* view() const { return view_; }
    void take();

  private:
    void leave();

    widgets::View* view_;
    Room room_;
    QScrollArea* area_ = nullptr; ///< null: does not scroll
};

} // namespace headscope::app
