#pragma once

#include <QString>

#include "model/trace/long_work.h"

#include <functional>

namespace headscope::widgets {

/// A view that shows what takes longer to count than a window may stall, as where maps are too long to be
/// kept. Somebody else does the work, off the window's thread. Such a view has a signal workChanged().
class CountsLater {
  public:
    virtual ~CountsLater() = default;

    /// What comes of it is called on the window's thread, as long as the view is there. Throws
    /// trace::Cancelled and trace::Refusal.
    using Work = std::function<std::function<void()>(const trace::LongWork&)>;
    /// For what is in sight and not known yet; empty: nothing is to be done.
    virtual Work workInSight() = 0;
    /// How much of it is done, from 0 to 1, now and then.
    virtual void setShareCounted(double share) = 0;
    /// The work was refused.
    virtual void setWhyNotCounted(const QString& words) = 0;
};

/// "35 %", never more than is done.
QString shareInWords(double share);

} // namespace headscope::widgets
