#include <QAction>
#include <QSignalSpy>
#include <QTest>

#include "app/results/random_twin.h"
#include "model/analysis/runs_beside.h"
#include "tests/app/window/busy_queue.h"
#include "tests/app/window/fake_engine.h"
#include "tests/registered_test.h"

using namespace headscope;
using app::DecodeController;
using app::Results;
using app::RandomTwin;
using app::WorkQueue;

class RandomTwinTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<WorkQueue> queue_;
    std::unique_ptr<widgets::Selection> selection_;
    std::unique_ptr<Results> answers_;
    std::unique_ptr<DecodeController> controller_;
    std::unique_ptr<RandomTwin> twin_;

    std::size_t requests() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests.size();
    }

    void decode(const char* sentence) {
        controller_->decode(std::string(sentence));
        QTRY_VERIFY(!controller_->isDecoding());
    }

    void openModel(const char* path) {
        queue_->open({.path = path});
        QTRY_VERIFY(!queue_->isBusy(WorkQueue::JobKind::Model));
    }

    /// The twin is that of what is shown.
    bool isBesideTheShown() const {
        return twin_->run() && twin_->shown() == controller_->run() &&
               twin_->run()->request ==
                   analysis::twinRequest(controller_->shownRequest(), *controller_->run(), twin_->seed());
    }

  private Q_SLOTS:
    void init() {
        script_.requests.clear();
        script_.holdRuns = false;
        script_.cancelled = 0;
        script_.tamper = {};
        queue_ = std::make_unique<WorkQueue>([this] { return std::make_unique<test::FakeEngine>(script_); });
        selection_ = std::make_unique<widgets::Selection>();
        answers_ = std::make_unique<Results>(queue_.get());
        controller_ = std::make_unique<DecodeController>(queue_.get(), selection_.get());
        twin_ = std::make_unique<RandomTwin>(answers_.get(), controller_.get());
        queue_->start();
        openModel("a-model");
        decode("one");
    }

    void cleanup() {
        queue_.reset(); // before those it tells
        twin_.reset();
        controller_.reset();
        answers_.reset();
    }

    void offNothingIsComputed() {
        QVERIFY(tests::becomesIdle(*queue_));
        QCOMPARE(requests(), 1u);
        QVERIFY(!twin_->run());
        twin_->setSeed(2);
        QVERIFY(tests::becomesIdle(*queue_));
        QCOMPARE(requests(), 1u);
    }

    void itReadsTheShownOutputAfterItsOwn() {
        twin_->setOn(true);
        QTRY_VERIFY(isBesideTheShown());
        QCOMPARE(requests(), 2u); // both in one run
        const auto& request = twin_->run()->request;
        QCOMPARE(request.randomTwin, std::optional<std::uint64_t>(1));
        QCOMPARE(request.paths.size(), 2u);
        QCOMPARE(request.paths[0], (trace::DecodePath{.forced = trace::TargetIds{{2}}, .newTokens = 10}));
        QCOMPARE(request.paths[1],
                 (trace::DecodePath{
                     .forced = trace::TargetIds{{2, 10, 11, 12, 13, 3}}, .newTokens = 1, .ends = true}));
        QCOMPARE(twin_->run()->target.size(), controller_->run()->target.size());
        QCOMPARE(twin_->run()->next, controller_->run()->next);
    }

    void itFollowsTheShownRun() {
        twin_->setOn(true);
        QTRY_VERIFY(isBesideTheShown());
        decode("two");
        QTRY_VERIFY(isBesideTheShown());
        QCOMPARE(std::get<std::string>(twin_->run()->request.source), std::string("two"));
        controller_->choose(2, 22);
        QTRY_VERIFY(!controller_->isDecoding());
        QTRY_VERIFY(isBesideTheShown());
        QCOMPARE(twin_->run()->target[3].id, 22);
        controller_->showPath(0);
        QTRY_COMPARE(controller_->run()->target[3].id, 12);
        QTRY_VERIFY(isBesideTheShown());
        QCOMPARE(twin_->run()->target[3].id, 12);
    }

    void changesAreThoseOfTheShownRun() {
        twin_->setOn(true);
        controller_->setInterventions({{trace::LiftMask{}}});
        QTRY_VERIFY(!controller_->isDecoding());
        QTRY_VERIFY(isBesideTheShown());
        QCOMPARE(twin_->run()->request.interventions, controller_->interventions());
    }

    void whatWasCutOffIsReadAsFarAsItWent() {
        controller_->setStepByStep(true);
        decode("step by step");
        controller_->forward();
        QTRY_VERIFY(!controller_->isDecoding());
        twin_->setOn(true);
        QTRY_VERIFY(isBesideTheShown());
        QCOMPARE(twin_->run()->request.paths[1],
                 (trace::DecodePath{.forced = trace::TargetIds{{2, 10, 11}}, .newTokens = 1, .ends = true}));
    }

    void aReferenceIsReadAsItIs() {
        controller_->force(trace::TargetIds{{2, 30, 31}});
        QTRY_VERIFY(!controller_->isDecoding());
        twin_->setOn(true);
        QTRY_VERIFY(isBesideTheShown());
        QCOMPARE(twin_->run()->request.paths[1],
                 (trace::DecodePath{.forced = trace::TargetIds{{2, 30, 31}}, .newTokens = 0}));
    }

    void anotherSeedIsAnotherTwin() {
        twin_->setOn(true);
        QTRY_VERIFY(isBesideTheShown());
        twin_->setSeed(7);
        QTRY_VERIFY(isBesideTheShown());
        QCOMPARE(twin_->run()->request.randomTwin, std::optional<std::uint64_t>(7));
    }

    void staleWorkIsDropped() {
        twin_->setOn(true);
        QTRY_VERIFY(isBesideTheShown());
        script_.holdRuns = true;
        twin_->setSeed(7);
        QTRY_COMPARE(requests(), 3u);
        controller_->decode(std::string("two"));
        QTRY_COMPARE(script_.cancelled.load(), 1);
        script_.holdRuns = false;
        QTRY_VERIFY(!controller_->isDecoding());
        QTRY_VERIFY(isBesideTheShown());
        QCOMPARE(std::get<std::string>(twin_->run()->request.source), std::string("two"));
    }

    void switchedOffItIsGone() {
        twin_->setOn(true);
        QTRY_VERIFY(isBesideTheShown());
        QSignalSpy gone(twin_.get(), &RandomTwin::runChanged);
        twin_->setOn(false);
        QCOMPARE(gone.size(), 1);
        QVERIFY(!twin_->run() && !twin_->shown());
        const auto before = requests();
        decode("two");
        QVERIFY(tests::becomesIdle(*queue_));
        QCOMPARE(requests(), before + 1);
    }

    void anotherModelHasNoneUntilItsFirstRun() {
        twin_->setOn(true);
        QTRY_VERIFY(isBesideTheShown());
        controller_->clear({});
        QVERIFY(!twin_->run());
        openModel("another-model");
        decode("two");
        QTRY_VERIFY(isBesideTheShown());
    }

    void aTwinThatCannotBeMadeIsSaidToBeNone() {
        QSignalSpy refusals(twin_.get(), &RandomTwin::refused);
        twin_->setOn(true);
        QTRY_VERIFY(isBesideTheShown());
        script_.tamper = [](trace::Run& run) {
            if (run.request.randomTwin)
                throw trace::Refusal({.what = "no memory"});
        };
        twin_->setSeed(2);
        QTRY_COMPARE(refusals.size(), 1);
        QVERIFY(!twin_->run());
        QVERIFY(controller_->run());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, RandomTwinTest)
#include "random_twin_test.moc"
