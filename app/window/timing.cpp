#include "app/window/timing.h"

#include <QFile>
#include <QLoggingCategory>

#include <time.h>
#include <unistd.h>

namespace headscope::app {

namespace {

Q_LOGGING_CATEGORY(timing, "headscope.timing", QtWarningMsg)

/// Returns the start of this process in seconds after boot: field 22 of its stat file, in clock ticks
/// (proc(5)).
double processStart() {
    QFile stat("/proc/self/stat");
    if (!stat.open(QIODevice::ReadOnly))
        return 0;
    // The second field, the program's name in parentheses, may contain spaces.
    const QList<QByteArray> fields = stat.readAll().split(')').last().simplified().split(' ');
    constexpr int startTime = 22 - 3;
    return fields.value(startTime).toDouble() / static_cast<double>(sysconf(_SC_CLK_TCK));
}

} // namespace

void reportTiming(const char* what) {
    if (!timing().isDebugEnabled())
        return;
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    const double seconds = static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    qCDebug(timing, "%s: %.0f ms", what, (seconds - processStart()) * 1000);
}

} // namespace headscope::app
