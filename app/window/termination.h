#pragma once

#include <QObject>

namespace headscope::app {

/// Tells in the GUI thread that the program is asked to end (SIGTERM, SIGINT, SIGHUP); a second signal ends
/// it at once. One object a process.
class Termination : public QObject {
    Q_OBJECT

  public:
    explicit Termination(QObject* parent = nullptr);

    /// The exit status of a program that a signal ended.
    static int statusOf(int signal) { return 128 + signal; }

  Q_SIGNALS:
    void requested(int signal);
};

} // namespace headscope::app
