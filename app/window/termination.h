#pragma once

#include <QObject>

namespace headscope::app {

/// Signals in the GUI thread that the program is asked to terminate (SIGTERM, SIGINT, SIGHUP); a second
/// signal ends it at once. At most one object per process.
class Termination : public QObject {
    Q_OBJECT

  public:
    explicit Termination(QObject* parent = nullptr);

    /// Returns the exit status of a process that a signal ended.
    static int statusOf(int signal) { return 128 + signal; }

  Q_SIGNALS:
    void requested(int signal);
};

} // namespace headscope::app
