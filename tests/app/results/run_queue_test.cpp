#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include "app/results/run_queue.h"
#include "tests/app/window/fake_engine.h"
#include "tests/registered_test.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

using headscope::app::RunQueue;
using headscope::test::FakeEngine;

class RunQueueTest : public QObject {
    Q_OBJECT

    using Slot = RunQueue::Slot;

    FakeEngine::Script script_;

    RunQueue::MakeEngine fake() {
        return [this] { return std::make_unique<FakeEngine>(script_); };
    }

    static headscope::trace::Request request(const char* text) { return {.source = std::string(text)}; }

    std::size_t requests() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests.size();
    }

  private Q_SLOTS:
    void init() {
        script_.requests.clear();
        script_.opened.clear();
        script_.holdRuns = false;
        script_.cancelled = 0;
    }

    void aModelAndThenARunAreDelivered() {
        RunQueue queue(fake());
        QSignalSpy models(&queue, &RunQueue::modelOpened);
        QSignalSpy runs(&queue, &RunQueue::runDelivered);
        queue.start();
        queue.open({.path = "a-model"});
        QTRY_COMPARE(models.size(), 1);
        queue.run(Slot::Main, request("one"));
        QVERIFY(queue.isBusy(Slot::Main));
        QTRY_COMPARE(runs.size(), 1);
        QVERIFY(!queue.isBusy(Slot::Main));
    }

    void aModelIsLookedForOnTheWorkersThread() {
        RunQueue queue(fake());
        std::atomic<bool> isElsewhere = false;
        queue.start();
        queue.open([&isElsewhere, here = QThread::currentThread()] {
            isElsewhere = QThread::currentThread() != here;
            return headscope::engine::ModelSource{.path = "found"};
        });
        QVERIFY(queue.isBusy(Slot::Model));
        QTRY_VERIFY(!queue.isBusy(Slot::Model));
        QVERIFY(isElsewhere);
        QCOMPARE(script_.opened.back().string(), std::string("found"));
    }

    void theNewestRequestWinsAndNothingOfTheOlderIsDelivered() {
        RunQueue queue(fake());
        std::vector<std::string> delivered;
        connect(&queue, &RunQueue::runDelivered, this, [&](Slot, const auto& run) {
            if (run->complete)
                delivered.push_back(std::get<std::string>(run->request.source));
        });
        queue.start();
        queue.open({.path = "a-model"});
        script_.holdRuns = true;
        queue.run(Slot::Main, request("old"));
        QTRY_COMPARE(requests(), 1u);
        queue.run(Slot::Main, request("newer"));
        queue.run(Slot::Main, request("newest"));
        QTRY_VERIFY(script_.cancelled > 0);
        script_.holdRuns = false;
        QTRY_COMPARE(delivered.size(), 1u);
        QTest::qWait(20);
        QCOMPARE(delivered, std::vector<std::string>{"newest"});
    }

    void partialRunsAreDeliveredWhileItDecodes() {
        RunQueue queue(fake());
        int partial = 0;
        connect(&queue, &RunQueue::runDelivered, this,
                [&](Slot, const auto& run) { partial += run->complete ? 0 : 1; });
        queue.start();
        queue.open({.path = "a-model"});
        script_.holdRuns = true;
        queue.run(Slot::Main, request("long"));
        QTRY_VERIFY(partial > 2);
        QVERIFY(queue.isBusy(Slot::Main));
        script_.holdRuns = false;
        QTRY_VERIFY(!queue.isBusy(Slot::Main));
    }

    void everySlotKeepsItsNewestAndTheMainOneGoesFirst() {
        RunQueue queue(fake());
        std::vector<std::string> delivered;
        connect(&queue, &RunQueue::runDelivered, this, [&](Slot, const auto& run) {
            if (run->complete)
                delivered.push_back(std::get<std::string>(run->request.source));
        });
        queue.start();
        queue.open({.path = "a-model"});
        script_.holdRuns = true;
        queue.run(Slot::Main, request("old"));
        QTRY_COMPARE(requests(), 1u);
        queue.run(Slot::Forced, request("forced"));
        queue.run(Slot::Undisturbed, request("old undisturbed"));
        queue.run(Slot::Undisturbed, request("undisturbed"));
        queue.run(Slot::Main, request("main")); // stops the old one
        QTRY_COMPARE(script_.cancelled.load(), 1);
        script_.holdRuns = false;
        QTRY_COMPARE(delivered.size(), 3u);
        QCOMPARE(delivered, (std::vector<std::string>{"main", "undisturbed", "forced"}));
    }

    void whatWasStoppedDeliversNothingMore() {
        RunQueue queue(fake());
        queue.start();
        queue.open({.path = "a-model"});
        script_.holdRuns = true;
        queue.run(Slot::Main, request("long"));
        QTRY_COMPARE(requests(), 1u);
        queue.stop(Slot::Main);
        QSignalSpy runs(&queue, &RunQueue::runDelivered);
        QVERIFY(!queue.isBusy(Slot::Main));
        QTRY_COMPARE(script_.cancelled.load(), 1);
        QTest::qWait(20);
        QCOMPARE(runs.size(), 0);
    }

    void aSecondModelIsOpenedWhileTheFirstOneWorks() {
        RunQueue queue(fake());
        queue.start();
        queue.open({.path = "a-model"});
        script_.holdRuns = true;
        queue.run(Slot::Main, request("long"));
        QTRY_COMPARE(requests(), 1u);
        std::string name;
        const auto open = [&](const std::string& path) {
            queue.ask(Slot::OtherModel, this,
                      [&, path](headscope::engine::Engine& engine, std::stop_token stop) {
                          return [&, model = engine.open({.path = path}, stop)] { name = model->name; };
                      });
        };
        open("second-model");
        QTRY_COMPARE(name, "second-model");
        QVERIFY(queue.isBusy(Slot::Main));
        queue.closeOther();
        QTRY_VERIFY(!queue.isBusy(Slot::OtherModel));
        open("third-model");
        QTRY_COMPARE(name, "third-model");
    }

    void aSecondModelThatDoesNotSayHowItIsReadIsRefused() {
        RunQueue queue(fake());
        QSignalSpy refusals(&queue, &RunQueue::refused);
        QSignalSpy missing(&queue, &RunQueue::settingsMissing);
        queue.start();
        queue.ask(Slot::OtherModel, this, [](headscope::engine::Engine& engine, std::stop_token stop) {
            engine.open({.path = "bare-model"}, stop);
            return [] {};
        });
        QTRY_COMPARE(refusals.size(), 1);
        QCOMPARE(refusals.front().front().value<Slot>(), Slot::OtherModel);
        QCOMPARE(missing.size(), 0);
    }

    void aRefusalNamesItsSlotAndTheNextJobGoesOn() {
        RunQueue queue(fake());
        QSignalSpy refusals(&queue, &RunQueue::refused);
        QSignalSpy models(&queue, &RunQueue::modelOpened);
        queue.start();
        queue.open({.path = "bad-model"});
        QTRY_COMPARE(refusals.size(), 1);
        QCOMPARE(refusals.front().front().value<Slot>(), Slot::Model);
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
        RunQueue queue(fake());
        queue.start();
        queue.open({.path = "a-model"});
        script_.holdRuns = true;
        queue.run(Slot::Main, request("long"));
        QTRY_COMPARE(requests(), 1u);
        queue.run(Slot::Forced, request("waiting"));
        std::vector<Slot> delivered;
        connect(&queue, &RunQueue::runDelivered, this, [&](Slot slot, const auto& run) {
            if (run->complete)
                delivered.push_back(slot);
        });
        bool computed = false;
        queue.compute(Slot::Statistics, this, [&] { return [&] { computed = true; }; });
        queue.open({.path = model.toStdString()});
        QVERIFY(queue.isBusy(Slot::Main) && queue.isBusy(Slot::Forced) && queue.isBusy(Slot::Statistics));
        if (stopped)
            queue.stop(Slot::Model);
        script_.holdRuns = false;
        QTRY_VERIFY(!queue.isBusy(Slot::Model) && !queue.isBusy(Slot::Main) && !queue.isBusy(Slot::Forced) &&
                    !queue.isBusy(Slot::Statistics));
        QTest::qWait(20);
        QCOMPARE(delivered, goesOn ? (std::vector<Slot>{Slot::Main, Slot::Forced}) : std::vector<Slot>());
        QCOMPARE(computed, goesOn);
    }

    void whatTakesLongTellsHowFarItIsUntilItIsStopped() {
        RunQueue queue(fake());
        queue.start();
        std::vector<double> shares;
        connect(&queue, &RunQueue::progressed, this, [&](Slot slot, double share) {
            QCOMPARE(slot, Slot::Statistics);
            shares.push_back(share);
        });
        queue.compute(Slot::Statistics, this, [](const headscope::trace::Task& work) {
            for (std::size_t i = 0;; ++i) {
                work.report(i, 1'000'000);
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
            return [] {};
        });
        QTRY_VERIFY(shares.size() >= 3);
        QVERIFY(std::ranges::is_sorted(shares));
        queue.stop(Slot::Statistics);
        const auto told = shares.size();
        QTest::qWait(250);
        QCOMPARE(shares.size(), told);
    }

    void aRunTellsHowMuchOfWhatItIsGivenIsRead() {
        RunQueue queue(fake());
        queue.start();
        queue.open({.path = "a-model"});
        script_.holdRuns = true;
        QSignalSpy told(&queue, &RunQueue::progressed);
        queue.run(Slot::Main, request("long"));
        QTRY_VERIFY(!told.isEmpty());
        QCOMPARE(told.first().at(0).value<Slot>(), Slot::Main);
        QCOMPARE(told.first().at(1).toDouble(), 0.25);
        script_.holdRuns = false;
        QTRY_VERIFY(!queue.isBusy(Slot::Main));
    }

    void anEngineThatCannotBeMadeIsARefusal() {
        RunQueue queue([]() -> std::unique_ptr<headscope::engine::Engine> {
            throw headscope::trace::Refusal({.what = "no engine"});
        });
        QSignalSpy refusals(&queue, &RunQueue::refused);
        queue.start();
        queue.open({.path = "a-model"});
        QTRY_COMPARE(refusals.size(), 1);
        QVERIFY(!queue.isBusy(Slot::Model));
        queue.open({.path = "a-model"}); // nobody waits for what cannot come
        QCOMPARE(refusals.size(), 2);
        QVERIFY(!queue.isBusy(Slot::Model));
    }

    void destroyingTheQueueStopsWhatRuns() {
        {
            RunQueue queue(fake());
            queue.start();
            queue.open({.path = "a-model"});
            script_.holdRuns = true;
            queue.run(Slot::Main, request("endless"));
            QTRY_COMPARE(requests(), 1u);
        }
        QCOMPARE(script_.cancelled.load(), 1);
    }

    void whoLeavesWaitsForFilesAndForNothingThatComputes() {
        auto queue = std::make_unique<RunQueue>(fake());
        std::atomic<bool> isLetGo = false, isWriting = false, isWritten = false, hasComputed = false;
        int told = 0;
        queue->start();
        queue->open({.path = "a-model"});
        QTRY_VERIFY(!queue->isBusy(Slot::Model));
        queue->ask(Slot::Importance, this, [&](headscope::engine::Engine&, const headscope::trace::Task&) {
            while (!isLetGo) // a long piece of work, in which nobody asks whether it is still wanted
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            hasComputed = true;
            return [&told] { ++told; };
        });
        queue->compute(Slot::Autosave, this, [&] {
            isWriting = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            isWritten = true;
            return [&told] { ++told; };
        });
        QTRY_VERIFY(isWriting);
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
        RunQueue queue(fake());
        std::atomic<bool> isWriting = false, isWritten = false;
        queue.start();
        queue.open({.path = "a-model"});
        QTRY_VERIFY(!queue.isBusy(Slot::Model));
        queue.ask(Slot::Saving, this, [&](headscope::engine::Engine&, const headscope::trace::Task&) {
            isWriting = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            isWritten = true;
            return [] {};
        });
        QTRY_VERIFY(isWriting);
        queue.leave();
        QVERIFY(isWritten);
    }

    void aQueueThatWasNeverStartedIsDestroyedQuietly() { RunQueue queue(fake()); }
};

HEADSCOPE_TEST_IN(QCoreApplication, RunQueueTest)
#include "run_queue_test.moc"
