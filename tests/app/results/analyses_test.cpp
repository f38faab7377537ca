#include <QSignalSpy>
#include <QTest>

#include "app/results/analyses.h"
#include "tests/app/window/fake_engine.h"
#include "tests/registered_test.h"

using namespace headscope;
using app::Analyses;
using app::DecodeController;
using app::Results;
using app::WorkQueue;

class AnalysesTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<WorkQueue> queue_;
    std::unique_ptr<widgets::Selection> selection_;
    std::unique_ptr<Results> answers_;
    std::unique_ptr<DecodeController> controller_;
    std::unique_ptr<Analyses> analyses_;

    void decode(const char* sentence) {
        controller_->decode(std::string(sentence));
        QTRY_VERIFY(!controller_->isDecoding());
    }

  private Q_SLOTS:
    void init() {
        script_.holdRuns = false;
        queue_ = std::make_unique<WorkQueue>([this] { return std::make_unique<test::FakeEngine>(script_); });
        selection_ = std::make_unique<widgets::Selection>();
        answers_ = std::make_unique<Results>(queue_.get());
        controller_ = std::make_unique<DecodeController>(queue_.get(), selection_.get());
        analyses_ = std::make_unique<Analyses>(answers_.get(), controller_.get());
        queue_->start();
        queue_->open({.path = "a-model"});
        QTRY_VERIFY(!queue_->isBusy(WorkQueue::JobKind::Model));
        decode("one");
    }

    void cleanup() {
        analyses_.reset();
        controller_.reset();
        answers_.reset();
        selection_.reset();
        queue_.reset();
    }

    void importanceIsMeasuredOfTheShownRunAndGoneWithIt() {
        QVERIFY(!analyses_->importance());
        analyses_->measureImportance();
        QTRY_VERIFY(analyses_->importance() && analyses_->importance()->complete);
        QCOMPARE(std::get<std::string>(analyses_->importance()->request.source), std::string("one"));
        decode("two");
        QVERIFY(!analyses_->importance());
    }

    void theLensFollowsTheRunAsLongAsItIsOn() {
        analyses_->readLens(true);
        QTRY_VERIFY(analyses_->lens());
        decode("two");
        QTRY_VERIFY(analyses_->lens());
        QCOMPARE(std::get<std::string>(analyses_->lens()->request.source), std::string("two"));
        analyses_->readLens(false);
        QVERIFY(!analyses_->lens());
        decode("three");
        QVERIFY(!queue_->isBusy(WorkQueue::JobKind::LongAnswers));
    }

    void anotherContrastIsComputedAgain() {
        analyses_->readLens(true);
        analyses_->measureImportance();
        QTRY_VERIFY(analyses_->importance() && analyses_->lens());
        controller_->setRatherThan(" t11 ");
        QTRY_VERIFY(analyses_->importance() && analyses_->lens());
        QCOMPARE(analyses_->importance()->request.ratherThan, std::optional<std::string>("t11"));
        QCOMPARE(analyses_->lens()->request.ratherThan, std::optional<std::string>("t11"));
        controller_->setRatherThan("");
        QTRY_VERIFY(analyses_->importance());
        QVERIFY(!analyses_->importance()->request.ratherThan);
    }

    void whatTwoWantIsAskedOnceAndWhatTakesLongLast() {
        const QObject one, other, third;
        const auto about = [&](const char* contrast) {
            auto request = controller_->shownRequest();
            request.ratherThan = contrast;
            return request;
        };
        script_.requests.clear();
        script_.holdRuns = true;
        answers_->want(&one, {trace::Question{about("first"), trace::LensWhat()}});
        answers_->want(&other, {trace::Question{about("heads"), trace::ImportanceWhat()}});
        answers_->want(&third, {trace::Question{about("first"), trace::LensWhat()}, trace::Question{about("then"), trace::LensWhat()}});
        script_.holdRuns = false;
        QTRY_VERIFY(!answers_->isAwaited(trace::Question{about("heads"), trace::ImportanceWhat()}));
        std::vector<std::optional<std::string>> asked;
        for (const auto& request : script_.requests)
            asked.push_back(request.ratherThan);
        QCOMPARE(asked, (decltype(asked){"first", "then", "heads"}));
    }

    void stoppingLeavesTheRunAsItWas() {
        script_.holdRuns = true;
        analyses_->measureImportance();
        QVERIFY(analyses_->isMeasuring());
        const auto shown = controller_->run();
        analyses_->stopMeasuring();
        QVERIFY(!analyses_->isMeasuring());
        QVERIFY(!analyses_->importance());
        QCOMPARE(controller_->run(), shown);
        script_.holdRuns = false;
    }

    void aSentenceDoesNotWaitForTheHeadsOfTheOneBefore() {
        script_.holdRuns = true;
        analyses_->measureImportance();
        QTRY_VERIFY(analyses_->importance());
        QVERIFY(!analyses_->importance()->complete);
        controller_->decode(std::string("two"));
        QVERIFY(!analyses_->isMeasuring());
        QVERIFY(!analyses_->importance());
        script_.holdRuns = false;
        QTRY_VERIFY(!controller_->isDecoding());
        QCOMPARE(std::get<std::string>(controller_->run()->request.source), std::string("two"));
        QVERIFY(!analyses_->importance());
    }

    void whatWasMeasuredIsThereAgainWithItsRun() {
        analyses_->measureImportance();
        QTRY_VERIFY(analyses_->importance() && analyses_->importance()->complete);
        const auto measured = analyses_->importance();
        decode("two");
        QVERIFY(!analyses_->importance());
        decode("one");
        QCOMPARE(analyses_->importance(), measured);
        const QSignalSpy changed(analyses_.get(), &Analyses::importanceChanged);
        analyses_->measureImportance();
        QVERIFY(!analyses_->isMeasuring()); // it is known
        QCOMPARE(changed.size(), 0);
        queue_->open({.path = "another-model"});
        QTRY_VERIFY(!queue_->isBusy(WorkQueue::JobKind::Model));
        controller_->clear({});
        decode("one");
        QVERIFY(!analyses_->importance());
    }

    void aContrastThatWasRefusedIsMeasuredAgainOnceItIsPutRight() {
        const QSignalSpy refused(analyses_.get(), &Analyses::importanceRefused);
        analyses_->measureImportance();
        QTRY_VERIFY(analyses_->importance() && analyses_->importance()->complete);
        controller_->setRatherThan("nothing");
        QTRY_COMPARE(refused.size(), 1);
        QVERIFY(!analyses_->importance());
        QTRY_VERIFY(!analyses_->isMeasuring());
        controller_->setRatherThan("t11");
        QTRY_VERIFY(analyses_->importance() && analyses_->importance()->complete);
        QCOMPARE(analyses_->importance()->request.ratherThan, std::optional<std::string>("t11"));
    }

    void whyThereIsNoLensIsKnownAsLongAsItIsWanted() {
        analyses_->readLens(true);
        controller_->setRatherThan("nothing");
        QTRY_VERIFY(analyses_->whyNoLens());
        analyses_->readLens(false);
        analyses_->readLens(true);
        QTRY_VERIFY(analyses_->whyNoLens() && !analyses_->lens());
        controller_->setRatherThan("t11");
        QTRY_VERIFY(analyses_->lens());
        QVERIFY(!analyses_->whyNoLens());
    }

    void whoeverShowsItHearsWhenItBeginsAndEnds() {
        const QSignalSpy measuring(analyses_.get(), &Analyses::measuringChanged);
        analyses_->measureImportance();
        QCOMPARE(measuring.size(), 1);
        QTRY_COMPARE(measuring.size(), 2);
        QVERIFY(!analyses_->isMeasuring());
        decode("two");
        QCOMPARE(measuring.size(), 2);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, AnalysesTest)
#include "analyses_test.moc"
