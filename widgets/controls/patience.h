#pragma once

#include <QTimer>

#include <chrono>
#include <functional>

namespace headscope::widgets {

/// What a view showed before stays for the short time that computing something newer takes, so that nothing
/// flickers.
class Patience : public QTimer {
  public:
    /// `end` is called when it took longer.
    Patience(QObject* parent, std::function<void()> end) : QTimer(parent) {
        setSingleShot(true);
        setInterval(std::chrono::milliseconds(300));
        callOnTimeout(parent, std::move(end));
    }

    void wait() {
        if (!isActive())
            start();
    }
};

} // namespace headscope::widgets
