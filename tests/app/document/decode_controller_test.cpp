#include <QSignalSpy>
#include <QTest>

#include "app/document/decode_controller.h"
#include "tests/app/window/busy_queue.h"
#include "tests/app/window/fake_engine.h"
#include "tests/registered_test.h"

using headscope::app::DecodeController;
using headscope::app::WorkQueue;
using headscope::test::FakeEngine;
using headscope::trace::TargetIds;

/// The fake engine decodes <s> 10 11 12 13 </s>: five rows.
class DecodeControllerTest : public QObject {
    Q_OBJECT

    FakeEngine::Script script_;
    std::unique_ptr<WorkQueue> queue_;
    std::unique_ptr<headscope::widgets::Selection> selection_;
    std::unique_ptr<DecodeController> controller_;

    headscope::trace::Request lastRequest() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests.back();
    }

    void decodeAndWait(const char* sentence) {
        controller_->decode(std::string(sentence));
        waitForRun();
    }

    void waitForRun() {
        QTRY_VERIFY(!controller_->isDecoding());
        QVERIFY(controller_->run() && controller_->run()->complete);
    }

  private Q_SLOTS:
    void init() {
        script_.requests.clear();
        queue_ = std::make_unique<WorkQueue>([this] { return std::make_unique<FakeEngine>(script_); });
        selection_ = std::make_unique<headscope::widgets::Selection>();
        controller_ = std::make_unique<DecodeController>(queue_.get(), selection_.get());
        QSignalSpy models(queue_.get(), &WorkQueue::modelOpened);
        queue_->start();
        queue_->open({.path = "a-model"});
        QTRY_COMPARE(models.size(), 1);
    }

    void cleanup() {
        controller_.reset();
        queue_.reset();
    }

    void aSentenceIsDecodedToItsEndAndLookedAtFromItsStart() {
        decodeAndWait("a sentence");
        QCOMPARE(controller_->steps(), 5);
        QCOMPARE(selection_->step(), 0);
        QVERIFY(controller_->isFinished());
    }

    void steppingStaysWithinTheRows() {
        decodeAndWait("a sentence");
        controller_->back();
        QCOMPARE(selection_->step(), 0);
        controller_->forward();
        controller_->forward();
        QCOMPARE(selection_->step(), 2);
        controller_->toEnd();
        QCOMPARE(selection_->step(), 4);
        controller_->forward();
        QCOMPARE(selection_->step(), 4);
        QVERIFY(!controller_->isDecoding());
        controller_->toStart();
        QCOMPARE(selection_->step(), 0);
    }

    void stepByStepDecodesOneTokenMoreEachTime() {
        controller_->setStepByStep(true);
        decodeAndWait("a sentence");
        QCOMPARE(controller_->steps(), 1);
        QVERIFY(!controller_->isFinished());
        for (int rows = 2; rows <= 5; ++rows) {
            controller_->forward();
            waitForRun();
            QCOMPARE(controller_->steps(), rows);
            QCOMPARE(selection_->step(), rows - 1);
        }
        QVERIFY(controller_->isFinished());
        QCOMPARE(lastRequest().paths.size(), 1u); // one path that grew
        controller_->setStepByStep(false);
    }

    void toTheEndDecodesWhatIsMissing() {
        controller_->setStepByStep(true);
        decodeAndWait("a sentence");
        controller_->toEnd();
        waitForRun();
        QCOMPARE(controller_->steps(), 5);
        QCOMPARE(selection_->step(), 4);
    }

    void choosingAnotherTokenOpensABranchFromThatStep() {
        decodeAndWait("a sentence");
        controller_->goTo(2);
        controller_->choose(2, 22);
        waitForRun();
        const auto request = lastRequest();
        QCOMPARE(request.paths.size(), 2u);
        QCOMPARE(std::get<TargetIds>(request.paths.back().forced).ids,
                 (std::vector<std::int64_t>{2, 10, 11, 22}));
        QCOMPARE(selection_->step(), 2);
        QCOMPARE(controller_->run()->next[2].id, 22);
        QCOMPARE(controller_->run()->next[1].id, 11);
    }

    void choosingTheEndTokenEndsThere() {
        decodeAndWait("a sentence");
        controller_->choose(1, 3);
        waitForRun();
        QCOMPARE(controller_->steps(), 2);
        QVERIFY(controller_->isFinished());
    }

    void paddingKeepsPathsAndStep() {
        decodeAndWait("a sentence");
        controller_->goTo(3);
        controller_->setPadding(2, 1);
        waitForRun();
        QCOMPARE(lastRequest().padding, (headscope::trace::Padding{.source = 2, .target = 1}));
        QCOMPARE(selection_->step(), 3);
    }

    void aStepTheWalkerTakesWhileItDecodesIsKept() {
        decodeAndWait("a sentence");
        controller_->goTo(3);
        script_.holdRuns = true; // partial runs come, each with all rows
        QSignalSpy changes(controller_.get(), &DecodeController::runChanged);
        controller_->decode(std::string("another"));
        QTRY_VERIFY(changes.size() > 0);
        QCOMPARE(selection_->step(), 0);
        controller_->goTo(2);
        const auto seen = changes.size();
        QTRY_VERIFY(changes.size() > seen + 1);
        QCOMPARE(selection_->step(), 2);
        script_.holdRuns = false;
        waitForRun();
        QCOMPARE(selection_->step(), 2);
    }

    void whatIsChosenGoesOnFromTheRunThatIsShown() {
        decodeAndWait("shown");
        script_.holdRuns = true;
        controller_->decode(std::string("asked for since"));
        controller_->stop(); // nothing of it was delivered
        script_.holdRuns = false;
        controller_->choose(1, 21);
        waitForRun();
        QCOMPARE(std::get<std::string>(lastRequest().source), std::string("shown"));
        QCOMPARE(lastRequest().paths.size(), 2u);
    }

    void aStoppedPathEndsWhereItWasStopped() {
        script_.holdRuns = true;
        QSignalSpy changes(controller_.get(), &DecodeController::runChanged);
        controller_->decode(std::string("long"));
        QTRY_VERIFY(changes.size() > 0);
        controller_->stop();
        script_.holdRuns = false;
        controller_->choose(0, 21);
        waitForRun();
        const auto request = lastRequest();
        QCOMPARE(request.paths.size(), 2u);
        QCOMPARE(request.paths.front().newTokens, 1);
    }

    void anotherModelForgetsThePadding() {
        decodeAndWait("a sentence");
        controller_->setPadding(2, 1);
        waitForRun();
        controller_->clear(*controller_->run()->model);
        decodeAndWait("a sentence");
        QCOMPARE(lastRequest().padding, headscope::trace::Padding());
    }

    void oneTokenAtATimeSaysThatMoreWillCome() {
        controller_->setStepByStep(true);
        decodeAndWait("a sentence");
        QVERIFY(lastRequest().paths.back().mayContinue);
        controller_->setDecoding({}, 2);
        waitForRun();
        controller_->forward();
        waitForRun();
        QVERIFY(!lastRequest().paths.back().mayContinue); // the last token that may come
        QVERIFY(controller_->isFinished());
    }

    void otherOptionsDecodeAgain() {
        decodeAndWait("a sentence");
        controller_->setDecoding({.beam = 4, .lengthPenalty = 1}, 3);
        waitForRun();
        QCOMPARE(lastRequest().decoding.beam, 4);
        QCOMPARE(lastRequest().paths.back().newTokens, 3);
        QCOMPARE(controller_->steps(), 3);
    }

    void otherOptionsShowWhatIsDecodedNotTheReference() {
        decodeAndWait("a sentence");
        controller_->force(TargetIds{{2, 20, 21}});
        waitForRun();
        controller_->setDecoding({.beam = 4}, 3);
        waitForRun();
        QCOMPARE(lastRequest().paths.size(), 2u);
        QCOMPARE(lastRequest().paths.front().newTokens, 0);
        QCOMPARE(lastRequest().paths.back().newTokens, 3);
    }

    void aBranchIsShownWithoutTheEngine() {
        decodeAndWait("a sentence");
        controller_->choose(2, 22);
        waitForRun();
        const auto requests = script_.requests.size();
        controller_->showPath(0);
        waitForRun();
        QCOMPARE(controller_->run()->next[2].id, 12);
        QCOMPARE(script_.requests.size(), requests);
        controller_->showPath(1);
        waitForRun();
        QCOMPARE(controller_->run()->next[2].id, 22);
    }

    void whatGoesOnFromABranchLeavesTheOthers() {
        decodeAndWait("a sentence");
        controller_->choose(2, 22);
        waitForRun();
        controller_->showPath(0);
        waitForRun();
        controller_->setPadding(1, 0);
        waitForRun();
        QCOMPARE(controller_->run()->paths.size(), 2u);
        QCOMPARE(controller_->run()->next[2].id, 12); // still the one that was looked at
    }

    void aNodeIsLookedAtInTheRowThatChoseIt() {
        decodeAndWait("a sentence");
        controller_->choose(2, 22);
        waitForRun();
        const auto other = controller_->run()->paths.front().leaf;
        controller_->showNode(controller_->run()->tree.path(other)[3]);
        waitForRun();
        QCOMPARE(selection_->step(), 2);
        QCOMPARE(controller_->run()->next[2].id, 12);
        QVERIFY(!controller_->isFinished());
        const auto asked = controller_->shownRequest().paths.back(); // its tokens were chosen, no reference
        QCOMPARE(asked.newTokens, 1);
        QVERIFY(asked.mayContinue != asked.ends);
        controller_->forward(); // to the row that was fed it
        controller_->forward(); // and on from there
        waitForRun();
        QCOMPARE(controller_->run()->paths.size(), 3u);
    }

    void removingTheShownBranchShowsAnother() {
        decodeAndWait("a sentence");
        controller_->choose(2, 22);
        waitForRun();
        controller_->removePath(1);
        waitForRun();
        QCOMPARE(controller_->run()->paths.size(), 1u);
        QCOMPARE(controller_->run()->next[2].id, 12);
        controller_->removePath(0);
        QVERIFY(!controller_->isDecoding()); // the last one stays
    }

    void aForcedTargetIsFedAndNothingMore() {
        decodeAndWait("a sentence");
        controller_->force(TargetIds{{2, 10, 23, 3}});
        waitForRun();
        QCOMPARE(lastRequest().paths.back().newTokens, 0);
        QCOMPARE(controller_->run()->target.size(), 4u);
        QCOMPARE(controller_->run()->tree.node(controller_->run()->path[2]).token.id, 23);
    }

    void runningStopsWhereTheConditionIsMet() {
        controller_->setStepByStep(true);
        decodeAndWait("a sentence");
        QSignalSpy ended(controller_.get(), &DecodeController::runToEnded);
        controller_->runTo({.text = "t12"});
        waitForRun();
        QCOMPARE(selection_->step(), 2);
        QCOMPARE(ended.size(), 1);
        controller_->runTo({.text = "t12"});
        QCOMPARE(ended.size(), 2);
        QVERIFY(!ended.back().front().value<std::optional<int>>());
        QCOMPARE(selection_->step(), 2);
        controller_->setStepByStep(false);
    }

    void stoppingKeepsWhatWasShown() {
        decodeAndWait("a sentence");
        const auto shown = controller_->run();
        script_.holdRuns = true;
        QSignalSpy changes(controller_.get(), &DecodeController::runChanged);
        controller_->choose(0, 21);
        controller_->stop();
        script_.holdRuns = false;
        QVERIFY(!controller_->isDecoding());
        QVERIFY(headscope::tests::becomesIdle(*queue_));
        QCOMPARE(changes.size(), 0);
        QCOMPARE(controller_->run(), shown);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, DecodeControllerTest)
#include "decode_controller_test.moc"
