#pragma once

#include <QApplication>

namespace headscope::net {

/// An application without arguments, whose text cursors do not blink.
class StillApplication {
    int count_ = 1;
    char name_[4] = "net";
    char* arguments_[2] = {name_, nullptr};
    QApplication application_;

  public:
    StillApplication() : application_(count_, arguments_) { QApplication::setCursorFlashTime(0); }
};

} // namespace headscope::net
