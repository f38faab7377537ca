#include "app/window/termination.h"

#include <QSocketNotifier>

#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace headscope::app {

namespace {

int wakeUp[2] = {-1, -1};

/// Restricted to async-signal-safe functions (POSIX).
void handle(int signal) {
    static volatile std::sig_atomic_t requested = 0;
    if (requested)
        ::_exit(Termination::statusOf(signal));
    requested = 1;
    const auto byte = static_cast<unsigned char>(signal);
    if (::write(wakeUp[1], &byte, 1) != 1)
        ::_exit(Termination::statusOf(signal));
}

} // namespace

Termination::Termination(QObject* parent) : QObject(parent) {
    if (::pipe2(wakeUp, O_CLOEXEC | O_NONBLOCK) != 0)
        return; // signals keep their default effect
    auto* notifier = new QSocketNotifier(wakeUp[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this] {
        unsigned char signal = 0;
        if (::read(wakeUp[0], &signal, 1) == 1)
            Q_EMIT requested(signal);
    });
    struct sigaction action {};
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        struct sigaction before {};
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) // ignored under nohup
            ::sigaction(signal, &action, nullptr);
    }
}

} // namespace headscope::app
