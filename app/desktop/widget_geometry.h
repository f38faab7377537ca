#pragma once

#include <QPointer>
#include <QWidget>

#include "app/sessions/session.h"

#include <string>
#include <utility>
#include <vector>

class QAbstractSlider;

namespace headscope::app {

/// Dynamic property of widgets whose children are named after it: a name that stays from version to version.
inline constexpr const char* panelProperty = "panel";

/// Scroll positions, splitter sizes, column widths, selected rows and keyboard focus of the visible widgets
/// in a window and its panels, as numbers by name. Areas that cannot scroll are omitted.
class WidgetGeometry {
  public:
    using Places = decltype(WindowLayout::inside);

    /// `window` must outlive this. Names the widgets that it contains at this time.
    explicit WidgetGeometry(QWidget* window);

    Places all() const;
    /// Restores as much as the current widgets allow.
    void set(const Places& places) const;
    /// Removes the keyboard focus from `places`.
    static void forgetKeys(Places& places);
    static bool hasKeys(const Places& places);

    /// All scroll bars, which may move by themselves when results arrive.
    std::vector<QAbstractSlider*> bars() const;

  private:
    QWidget* window_;
    std::vector<std::pair<std::string, QPointer<QWidget>>> named_;
};

} // namespace headscope::app
