#pragma once

#include <QPointer>
#include <QWidget>

#include "app/sessions/session.h"

#include <string>
#include <utility>
#include <vector>

class QAbstractSlider;

namespace headscope::app {

/// How what stands inside a window and its panels is scrolled and split, how wide columns are, which row is
/// chosen and where the keys are: in numbers by names, of what is in sight. What has no room to scroll says
/// nothing.
class WidgetGeometry {
  public:
    using Places = decltype(WindowLayout::inside);

    /// `window` outlives this; what stands in it by now is named.
    explicit WidgetGeometry(QWidget* window);

    Places all() const;
    /// As far as there is room for it by now.
    void set(const Places& places) const;
    /// Where the keys are is not among them any more.
    static void forgetKeys(Places& places);
    static bool hasKeys(const Places& places);

    /// All that scrolls, and all columns: what moves by itself once there are numbers.
    std::vector<QAbstractSlider*> bars() const;

  private:
    QWidget* window_;
    std::vector<std::pair<std::string, QPointer<QWidget>>> named_;
};

} // namespace headscope::app
