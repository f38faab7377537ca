#include <QTest>

#include "app/results/twin_analyses.h"
#include "tests/app/window/busy_queue.h"
#include "tests/app/window/fake_engine.h"
#include "tests/registered_test.h"

using namespace headscope;
using app::Analyses;
using app::DecodeController;
using app::Results;
using app::RandomTwin;
using app::TwinAnalyses;
using app::WorkQueue;

class TwinAnalysesTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<WorkQueue> queue_;
    std::unique_ptr<widgets::Selection> selection_;
    std::unique_ptr<Results> answers_;
    std::unique_ptr<DecodeController> controller_;
    std::unique_ptr<Analyses> analyses_;
    std::unique_ptr<RandomTwin> twin_;
    std::unique_ptr<TwinAnalyses> both_;

    void decode(const char* sentence) {
        controller_->decode(std::string(sentence));
        QTRY_VERIFY(!controller_->isDecoding());
    }

    void measure() {
        analyses_->measureImportance();
        QTRY_VERIFY(analyses_->importance() && analyses_->importance()->complete);
    }

    std::size_t requests() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests.size();
    }

  private Q_SLOTS:
    void init() {
        script_.requests.clear();
        script_.holdRuns = false;
        queue_ = std::make_unique<WorkQueue>([this] { return std::make_unique<test::FakeEngine>(script_); });
        selection_ = std::make_unique<widgets::Selection>();
        answers_ = std::make_unique<Results>(queue_.get());
        controller_ = std::make_unique<DecodeController>(queue_.get(), selection_.get());
        analyses_ = std::make_unique<Analyses>(answers_.get(), controller_.get());
        twin_ = std::make_unique<RandomTwin>(answers_.get(), controller_.get());
        both_ =
            std::make_unique<TwinAnalyses>(answers_.get(), controller_.get(), analyses_.get(), twin_.get());
        queue_->start();
        queue_->open({.path = "a-model"});
        QTRY_VERIFY(!queue_->isBusy(WorkQueue::JobKind::Model));
        decode("one");
    }

    void cleanup() {
        queue_.reset(); // before those it tells
        both_.reset();
        twin_.reset();
        analyses_.reset();
        controller_.reset();
        answers_.reset();
    }

    void withoutATwinTheModelAloneIsMeasured() {
        measure();
        QVERIFY(tests::becomesIdle(*queue_));
        QCOMPARE(requests(), 2u);
        QVERIFY(!both_->importance() && !both_->seed());
    }

    void itsLensIsReadBesideTheModelsAsLongAsItIsOn() {
        twin_->setOn(true);
        analyses_->readLens(true);
        QTRY_VERIFY(analyses_->lens());
        QVERIFY(tests::becomesIdle(*queue_));
        QVERIFY(!both_->lens()); // nobody asked
        both_->readLens(true);
        QTRY_VERIFY(both_->lens());
        QCOMPARE(both_->lens()->request.randomTwin, std::optional<std::uint64_t>(1));
        QVERIFY(!analyses_->lens()->request.randomTwin);
        QCOMPARE(both_->lens()->readings.size(), analyses_->lens()->readings.size());
        decode("two");
        QTRY_VERIFY(both_->lens() &&
                    std::get<std::string>(both_->lens()->request.source) == std::string("two"));
        twin_->setOn(false);
        QVERIFY(!both_->lens() && analyses_->lens());
    }

    void theTwinIsMeasuredReadingTheShownOutput() {
        twin_->setOn(true);
        QVERIFY(tests::becomesIdle(*queue_));
        QVERIFY(!both_->isMeasuring()); // nobody asked for the model's
        measure();
        QTRY_VERIFY(both_->importance());
        const auto& request = both_->importance()->request;
        QCOMPARE(request.randomTwin, std::optional<std::uint64_t>(1));
        QCOMPARE(request.paths.size(), 1u);
        QCOMPARE(both_->importance()->tokens, analyses_->importance()->tokens);
        QVERIFY(!analyses_->importance()->request.randomTwin); // which stays the model's
    }

    void switchedOnLaterItIsMeasuredThen() {
        measure();
        twin_->setOn(true);
        QCOMPARE(both_->seed(), std::optional<std::uint64_t>(1));
        QTRY_VERIFY(both_->importance());
        twin_->setOn(false);
        QVERIFY(!both_->importance() && !both_->seed());
    }

    void whatTheTokensAreHeldAgainstIsTheSame() {
        twin_->setOn(true);
        measure();
        QTRY_VERIFY(both_->importance());
        controller_->setRatherThan("t11");
        QVERIFY(!both_->importance());
        QTRY_VERIFY(both_->importance());
        QCOMPARE(both_->importance()->request.ratherThan, std::optional<std::string>("t11"));
    }

    void anotherSeedIsMeasuredAnew() {
        twin_->setOn(true);
        measure();
        QTRY_VERIFY(both_->importance());
        twin_->setSeed(9);
        QVERIFY(!both_->importance());
        QTRY_VERIFY(both_->importance());
        QCOMPARE(both_->importance()->request.randomTwin, std::optional<std::uint64_t>(9));
    }

    void aModelThatIsRefusedMeanwhileLeavesBothMeasurements() {
        twin_->setOn(true);
        measure();
        both_->readLens(true);
        script_.holdRuns = true;
        analyses_->readLens(true);
        queue_->open({.path = "bad-model"});
        script_.holdRuns = false;
        QTRY_VERIFY(analyses_->lens() && both_->lens() && both_->importance());
    }

    void ofAnotherRunThereIsNothing() {
        twin_->setOn(true);
        measure();
        QTRY_VERIFY(both_->importance());
        decode("two");
        QVERIFY(!both_->importance());
        QVERIFY(tests::becomesIdle(*queue_));
        QVERIFY(!both_->isMeasuring());
    }

    void ofAnotherModelThereIsNothing() {
        twin_->setOn(true);
        measure();
        QTRY_VERIFY(both_->importance());
        const auto before = both_->importance();
        queue_->open({.path = "another-model"}); // which is asked the same
        QTRY_VERIFY(!queue_->isBusy(app::WorkQueue::JobKind::Model));
        controller_->clear({});
        decode("one");
        measure();
        QTRY_VERIFY(both_->importance());
        QVERIFY(both_->importance() != before);
    }

    void whatIsAskedForDoesNotWaitForTheTwin() {
        measure();
        script_.holdRuns = true;
        twin_->setOn(true);
        QVERIFY(both_->isMeasuring());
        controller_->decode(std::string("two"));
        QVERIFY(!both_->isMeasuring());
        script_.holdRuns = false;
        QTRY_VERIFY(!controller_->isDecoding());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, TwinAnalysesTest)
#include "twin_analyses_test.moc"
