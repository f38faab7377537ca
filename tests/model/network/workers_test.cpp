#include "model/network/workers.h"
#include "tests/registered_test.h"

#include <QTest>

#include <array>
#include <chrono>
#include <stdexcept>

using headscope::network::Workers;

class WorkersTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyPartIsDoneOnce() {
        for (const int threads : {1, 2, 5}) {
            Workers workers(threads);
            for (int round = 0; round < 2000; ++round) {
                std::array<std::atomic<int>, 37> done{};
                workers.run(done.size(), [&](std::size_t part) { ++done[part]; });
                for (const auto& times : done)
                    QCOMPARE(times.load(), 1);
            }
        }
    }

    void threadsThatFellAsleepAreWoken() {
        Workers workers(3);
        for (int round = 0; round < 5; ++round) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            std::atomic<int> done = 0;
            workers.run(20, [&](std::size_t) { ++done; });
            QCOMPARE(done.load(), 20);
        }
    }

    /// While one caller is in the pool, the others compute alone.
    void callersDoNotWaitForEachOther() {
        Workers workers(2);
        std::array<std::atomic<int>, 4> done{};
        {
            std::vector<std::jthread> callers;
            for (auto& mine : done)
                callers.emplace_back([&] {
                    for (int round = 0; round < 500; ++round)
                        workers.run(8, [&](std::size_t) { ++mine; });
                });
        }
        for (const auto& mine : done)
            QCOMPARE(mine.load(), 4000);
    }

    void anExceptionReachesTheCaller() {
        Workers workers(2);
        const auto failing = [](std::size_t part) {
            if (part == 3)
                throw std::runtime_error("third");
        };
        QVERIFY_EXCEPTION_THROWN(workers.run(8, failing), std::runtime_error);
        std::atomic<int> done = 0;
        workers.run(8, [&](std::size_t) { ++done; }); // still of use
        QCOMPARE(done.load(), 8);
    }
};

HEADSCOPE_TEST(WorkersTest)
#include "workers_test.moc"
