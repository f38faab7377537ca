#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include "app/work/work_queue.h"
#include "tests/app/window/busy_queue.h"
#include "tests/app/window/fake_engine.h"
#include "tests/registered_test.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

using headscope::app::WorkQueue;
using headscope::test::FakeEngine;

class WorkQueueTest : public QObject {
    Q_OBJECT

    using JobKind = WorkQueue::JobKind;

    FakeEngine::Script script_;

    WorkQueue::MakeEngine fake() {
        return [this] { return std::make_unique<FakeEngine>(script_); };
    }

    static headscope::trace::Request request(const char* text) { return {.source = std::string(text)}; }

    std::size_t requests() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests.size();
    }

    /// Opens a model and runs a request that ends once script_.holdRuns is unset.
    bool holds(WorkQueue& queue, const char* text) {
        queue.start();
        queue.open({.path = "a-model"});
        script_.holdRuns = true;
        queue.run(JobKind::Main, request(text));
        return QTest::qWaitFor([this] { return requests() == 1; });
    }

  private Q_SLOTS:
    void init() {
        script_.requests.clear();
        script_.opened.clear();
        script_.holdRuns = false;
        script_.cancelled = 0;
    }

    void aModelAndThenARunAreDelivered() {
        WorkQueue queue(fake());
        QSignalSpy models(&queue, &WorkQueue::modelOpened);
        QSignalSpy runs(&queue, &WorkQueue::runDelivered);
        queue.start();
        queue.open({.path = "a-model"});
        QTRY_COMPARE(models.size(), 1);
        queue.run(JobKind::Main, request("one"));
        QVERIFY(queue.isBusy(JobKind::Main));
        QTRY_COMPARE(runs.size(), 1);
        QVERIFY(!queue.isBusy(JobKind::Main));
    }

    void aModelIsLookedForOnTheWorkersThread() {
        WorkQueue queue(fake());
        std::atomic<bool> isElsewhere = false;
        queue.start();
        queue.open([&isElsewhere, here = QThread::currentThread()] {
            isElsewhere = QThread::currentThread() != here;
            return headscope::engine::ModelSource{.path = "found"};
        });
        QVERIFY(queue.isBusy(JobKind::Model));
        QTRY_VERIFY(!queue.isBusy(JobKind::Model));
        QVERIFY(isElsewhere);
        QCOMPARE(script_.opened.back().string(), std::string("found"));
    }

    void partialRunsAreDeliveredWhileItDecodes() {
        WorkQueue queue(fake());
        int partial = 0;
        connect(&queue, &WorkQueue::runDelivered, this,
                [&](JobKind, const auto& run) { partial += run->complete ? 0 : 1; });
        QVERIFY(holds(queue, "long"));
        QTRY_VERIFY(partial > 2);
        QVERIFY(queue.isBusy(JobKind::Main));
        script_.holdRuns = false;
        QTRY_VERIFY(!queue.isBusy(JobKind::Main));
    }

    void ofEveryKindOnlyTheNewestIsDeliveredAndTheMainOneGoesFirst() {
        WorkQueue queue(fake());
        std::vector<std::string> delivered;
        connect(&queue, &WorkQueue::runDelivered, this, [&](JobKind, const auto& run) {
            if (run->complete)
                delivered.push_back(std::get<std::string>(run->request.source));
        });
        QVERIFY(holds(queue, "old"));
        queue.run(JobKind::LongAnswers, request("forced"));
        queue.run(JobKind::Answers, request("old undisturbed"));
        queue.run(JobKind::Answers, request("undisturbed"));
        queue.run(JobKind::Main, request("newer")); // stops the old one
        queue.run(JobKind::Main, request("main"));
        QTRY_VERIFY(script_.cancelled > 0);
        script_.holdRuns = false;
        QTRY_COMPARE(delivered.size(), 3u);
        QVERIFY(headscope::tests::becomesIdle(queue));
        QCOMPARE(delivered, (std::vector<std::string>{"main", "undisturbed", "forced"}));
    }

    void whatWasStoppedDeliversNothingMore() {
        WorkQueue queue(fake());
        QVERIFY(holds(queue, "long"));
        queue.stop(JobKind::Main);
        QSignalSpy runs(&queue, &WorkQueue::runDelivered);
        QVERIFY(!queue.isBusy(JobKind::Main));
        QTRY_COMPARE(script_.cancelled.load(), 1);
        QVERIFY(headscope::tests::becomesIdle(queue));
        QCOMPARE(runs.size(), 0);
    }

    void aSecondModelIsOpenedWhileTheFirstOneWorks() {
        WorkQueue queue(fake());
        QVERIFY(holds(queue, "long"));
        std::string name;
        const auto open = [&](const std::string& path) {
            queue.ask(JobKind::Second, this,
                      [&, path](headscope::engine::Engine& engine, std::stop_token stop) {
                          return [&, model = engine.open({.path = path}, stop)] { name = model->name; };
                      });
        };
        open("second-model");
        QTRY_COMPARE(name, "second-model");
        QVERIFY(queue.isBusy(JobKind::Main));
        queue.closeSecond();
        QTRY_VERIFY(!queue.isBusy(JobKind::Second));
        open("third-model");
        QTRY_COMPARE(name, "third-model");
    }

    void aSecondModelThatDoesNotSayHowItIsReadIsRefused() {
        WorkQueue queue(fake());
        QSignalSpy refusals(&queue, &WorkQueue::refused);
        QSignalSpy missing(&queue, &WorkQueue::settingsMissing);
        queue.start();
        queue.ask(JobKind::Second, this, [](headscope::engine::Engine& engine, std::stop_token stop) {
            engine.open({.path = "bare-model"}, stop);
            return [] {};
        });
        QTRY_COMPARE(refusals.size(), 1);
        QCOMPARE(refusals.front().front().value<JobKind>(), JobKind::Second);
        QCOMPARE(missing.size(), 0);
    }

    void aRefusalNamesItsKindAndTheNextJobGoesOn() {
        WorkQueue queue(fake());
        QSignalSpy refusals(&queue, &WorkQueue::refused);
        QSignalSpy models(&queue, &WorkQueue::modelOpened);
        queue.start();
        queue.open({.path = "bad-model"});
        QTRY_COMPARE(refusals.size(), 1);
        QCOMPARE(refusals.front().front().value<JobKind>(), JobKind::Model);
        queue.open({.path = "good-model"});
        QTRY_COMPARE(models.size(), 1);
    }

    void whatAModelInterruptsGoesOnUnlessItIsOpened_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("stopped");
        QTest::addColumn<bool>("goesOn");
        QTest::newRow("refused") << "bad-model" << false << true;
        QTest::newRow("does not say how it is read") << "bare-model" << false << true;
        QTest::newRow("not waited for") << "another-model" << true << true;
        QTest::newRow("opened") << "another-model" << false << false;
    }
    void whatAModelInterruptsGoesOnUnlessItIsOpened() {
        QFETCH(const QString, model);
        QFETCH(const bool, stopped);
        QFETCH(const bool, goesOn);
        WorkQueue queue(fake());
        QVERIFY(holds(queue, "long"));
        queue.run(JobKind::LongAnswers, request("waiting"));
        std::vector<JobKind> delivered;
        connect(&queue, &WorkQueue::runDelivered, this, [&](JobKind kind, const auto& run) {
            if (run->complete)
                delivered.push_back(kind);
        });
        bool computed = false;
        queue.compute(JobKind::Awaited, this, [&] { return [&] { computed = true; }; });
        queue.open({.path = model.toStdString()});
        QVERIFY(queue.isBusy(JobKind::Main) && queue.isBusy(JobKind::LongAnswers) &&
                queue.isBusy(JobKind::Awaited, this));
        if (stopped)
            queue.stop(JobKind::Model);
        script_.holdRuns = false;
        QVERIFY(headscope::tests::becomesIdle(queue));
        QCOMPARE(delivered, goesOn ? (std::vector<JobKind>{JobKind::Main, JobKind::LongAnswers})
                                   : std::vector<JobKind>());
        QCOMPARE(computed, goesOn);
    }

    void whatTakesLongTellsHowFarItIsUntilItIsStopped() {
        WorkQueue queue(fake());
        queue.start();
        std::vector<double> shares;
        connect(&queue, &WorkQueue::progressed, this, [&](JobKind kind, double share) {
            QCOMPARE(kind, JobKind::Counted);
            shares.push_back(share);
        });
        auto kept = std::make_shared<int>();
        const std::weak_ptr job = kept;
        queue.compute(JobKind::Counted, this, [kept = std::move(kept)](const headscope::trace::Task& work) {
            for (std::size_t i = 0;; ++i) {
                work.report(i, 1'000'000);
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
            return [] {};
        });
        QTRY_VERIFY(shares.size() >= 3);
        QVERIFY(std::ranges::is_sorted(shares));
        queue.stop(JobKind::Counted);
        const auto told = shares.size();
        QTRY_VERIFY(job.expired());
        QCoreApplication::processEvents();
        QCOMPARE(shares.size(), told);
    }

    void ofWhatAnObjectDoesForItselfTheNewestCountsAndWhatIsAwaitedGoesFirst() {
        WorkQueue queue(fake());
        QObject first, second;
        QStringList done; // on one thread, as the others wait
        const auto compute = [&](JobKind kind, QObject* receiver, const char* name) {
            queue.compute(kind, receiver, [&done, name] { return [&done, name] { done += name; }; });
        };
        QSemaphore free;
        std::array<QObject, 2> holders;
        for (QObject& holder : holders)
            queue.compute(JobKind::Awaited, &holder, [&free] {
                free.acquire();
                return [] {};
            });
        compute(JobKind::Background, &first, "saved by itself");
        compute(JobKind::Awaited, &second, "old picture");
        compute(JobKind::Awaited, &first, "file");
        compute(JobKind::Awaited, &second, "picture");
        compute(JobKind::Background, &second, "stopped");
        queue.stop(JobKind::Background, &second);
        QVERIFY(queue.isBusy(JobKind::Background, &first) && !queue.isBusy(JobKind::Background, &second));
        queue.start();
        QTRY_COMPARE(done, (QStringList{"file", "picture", "saved by itself"}));
        free.release(2);
        QTRY_VERIFY(!queue.isBusy());
    }

    void whoIsGoneHearsNothing() {
        WorkQueue queue(fake());
        QSignalSpy refusals(&queue, &WorkQueue::refused);
        int told = 0;
        auto receiver = std::make_unique<QObject>();
        for (const auto kind : {JobKind::Awaited, JobKind::Background})
            queue.compute(
                kind, receiver.get(),
                [&told, kind](const headscope::trace::Task& work) {
                    work.report(1, 1);
                    if (kind == JobKind::Background)
                        throw headscope::trace::Refusal({.what = "no"});
                    return [&told] { ++told; };
                },
                {.refused = [&told](const auto&) { ++told; }, .progressed = [&told](double) { ++told; }});
        const QObject* before = receiver.get();
        receiver.reset();
        QVERIFY(queue.isBusy() && !queue.isBusy(JobKind::Awaited, before));
        queue.start();
        QTRY_VERIFY(!queue.isBusy());
        QCOMPARE(told, 0);
        QVERIFY(refusals.isEmpty());
    }

    void aRunTellsHowMuchOfWhatItIsGivenIsRead() {
        WorkQueue queue(fake());
        QSignalSpy told(&queue, &WorkQueue::progressed);
        QVERIFY(holds(queue, "long"));
        QTRY_VERIFY(!told.isEmpty());
        QCOMPARE(told.first().at(0).value<JobKind>(), JobKind::Main);
        QCOMPARE(told.first().at(1).toDouble(), 0.25);
        script_.holdRuns = false;
        QTRY_VERIFY(!queue.isBusy(JobKind::Main));
    }

    void anEngineThatCannotBeMadeIsARefusal() {
        WorkQueue queue([]() -> std::unique_ptr<headscope::engine::Engine> {
            throw headscope::trace::Refusal({.what = "no engine"});
        });
        QSignalSpy refusals(&queue, &WorkQueue::refused);
        queue.start();
        queue.open({.path = "a-model"});
        QTRY_COMPARE(refusals.size(), 1);
        QVERIFY(!queue.isBusy(JobKind::Model));
        queue.open({.path = "a-model"}); // nobody waits for what cannot come
        QCOMPARE(refusals.size(), 2);
        QVERIFY(!queue.isBusy(JobKind::Model));
    }

    void destroyingTheQueueStopsWhatRuns() {
        {
            WorkQueue queue(fake());
            QVERIFY(holds(queue, "endless"));
        }
        QCOMPARE(script_.cancelled.load(), 1);
    }

    void whoLeavesWaitsForFilesAndForNothingThatComputes() {
        auto queue = std::make_unique<WorkQueue>(fake());
        std::atomic<bool> isLetGo = false, isComputing = false, hasComputed = false;
        std::atomic<bool> isWriting = false, isWritten = false;
        int told = 0;
        queue->start();
        queue->open({.path = "a-model"});
        QTRY_VERIFY(!queue->isBusy(JobKind::Model));
        queue->ask(JobKind::Answers, this, [&](headscope::engine::Engine&, const headscope::trace::Task&) {
            isComputing = true;
            while (!isLetGo) // a long piece of work, in which nobody asks whether it is still wanted
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            hasComputed = true;
            return [&told] { ++told; };
        });
        queue->compute(JobKind::Background, this, [&] {
            isWriting = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            isWritten = true;
            return [&told] { ++told; };
        });
        QTRY_VERIFY(isComputing && isWriting);
        queue->leave();
        QVERIFY(isWritten);
        QVERIFY(!hasComputed);
        isLetGo = true;
        queue.reset(); // as no program does, which ends
        QVERIFY(hasComputed);
        QCoreApplication::processEvents();
        QCOMPARE(told, 0);
    }

    void aTraceThatIsBeingWrittenIsWaitedFor() {
        WorkQueue queue(fake());
        std::atomic<bool> isWriting = false, isWritten = false;
        queue.start();
        queue.open({.path = "a-model"});
        QTRY_VERIFY(!queue.isBusy(JobKind::Model));
        queue.ask(JobKind::Awaited, this, [&](headscope::engine::Engine&, const headscope::trace::Task&) {
            isWriting = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            isWritten = true;
            return [] {};
        });
        QTRY_VERIFY(isWriting);
        queue.leave();
        QVERIFY(isWritten);
    }

    void aQueueThatWasNeverStartedIsDestroyedQuietly() {
        std::make_unique<WorkQueue>(fake())->open({.path = "a-model"});
        QVERIFY(script_.opened.empty());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, WorkQueueTest)
#include "work_queue_test.moc"
