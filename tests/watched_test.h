#pragma once

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QThread>

#include "tests/registered_test.h"

#include <cstdio>
#include <ctime>
#include <utility>

namespace headscope::tests {

#ifdef __SANITIZE_ADDRESS__
inline constexpr double longestTurn = 500;
#else
inline constexpr double longestTurn = 100; // milliseconds
#endif

/// What this thread computed so far, in milliseconds: its own time, which does not grow where a machine has
/// more to do.
inline double computed() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// An application that measures how long the window's thread is busy with one event, and with all events of
/// one turn of the loop, while it looks at nothing else that a person does. What a dialogue of its own loop
/// handles meanwhile is counted by itself.
class WatchedApplication : public QApplication {
  public:
    WatchedApplication(int& argc, char** argv) : QApplication(argc, argv) {
        // A loop that may wait says so before it handles events and that it is awake after them; one that
        // does not wait says that it is awake before them.
        const auto* loop = QAbstractEventDispatcher::instance();
        for (const auto signal : {&QAbstractEventDispatcher::awake, &QAbstractEventDispatcher::aboutToBlock})
            connect(loop, signal, this, [this] { turn_ = 0; });
    }

    bool notify(QObject* receiver, QEvent* event) override {
        if (QThread::currentThread() != thread())
            return QApplication::notify(receiver, event);
        const int loop = thread()->loopLevel();
        if (loop == loop_)
            return QApplication::notify(receiver, event); // within an event that is measured
        const int outerLoop = std::exchange(loop_, loop);
        const double outerInner = std::exchange(inner_, 0);
        const auto type = event->type();
        const char* const name = receiver->metaObject()->className();
        const double before = computed();
        const bool handled = QApplication::notify(receiver, event);
        const double whole = computed() - before;
        const double own = whole - inner_;
        const double busy = isOfLoop(loop, type) ? turn_ += own : own;
        if (busy > longest_) {
            longest_ = busy;
            longestOf_ = QByteArray(name) + ", event " + QByteArray::number(type) +
                         (busy > own ? " and what came before it in the same turn, in " : ", in ") +
                         QTest::currentTestFunction();
        }
        loop_ = outerLoop;
        inner_ = outerInner + whole;
        return handled;
    }

    /// The tests' own, or 1 where the thread was busy for too long.
    int verdict(int result) const {
        std::fprintf(stderr, "The window's thread computed for %.0f ms at once, at most %.0f: %s\n", longest_,
                     longestTurn, longestOf_.constData());
        return result ? result : longest_ > longestTurn;
    }
    /// For a test that is slow on purpose: what was longest so far, which counts no more.
    static double takeLongest() { return std::exchange(static_cast<WatchedApplication*>(qApp)->longest_, 0); }

  private:
    /// Nothing says that a turn of QTest::qWait() has ended: of what comes outside a running loop only that
    /// is of a turn which a test never sends by itself.
    static bool isOfLoop(int loop, QEvent::Type type) {
        return loop > 0 || type == QEvent::MetaCall || type == QEvent::Timer || type == QEvent::UpdateRequest;
    }

    int loop_ = -1; // of the event that is measured
    double turn_ = 0;
    double inner_ = 0;
    double longest_ = 0;
    QByteArray longestOf_;
};

} // namespace headscope::tests

/// For tests with widgets: no event may keep the window's thread busy for long.
#define HEADSCOPE_WATCHED_TEST(Test) HEADSCOPE_TEST_IN(headscope::tests::WatchedApplication, Test)
