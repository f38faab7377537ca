#include <QTest>

#include "app/window/causal_rows.h"
#include "tests/app/window/fake_engine.h"

using namespace headscope;
using app::CausalRows;
using app::DecodeController;
using app::RunQueue;
using trace::AttentionKind;

class CausalRowsTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<RunQueue> queue_;
    std::unique_ptr<widgets::Selection> selection_;
    std::unique_ptr<DecodeController> controller_;
    std::unique_ptr<CausalRows> rows_;

    void decode(const char* sentence) {
        controller_->decode(std::string(sentence));
        QTRY_VERIFY(!controller_->isDecoding());
    }
    bool isBusy() const { return queue_->isBusy(RunQueue::Slot::CausalRow); }
    bool isKnown() const { return rows_->cause().everywhere && rows_->cause().here; }

  private Q_SLOTS:
    void init() {
        script_.holdRuns = false;
        queue_ = std::make_unique<RunQueue>([this] { return std::make_unique<test::FakeEngine>(script_); });
        selection_ = std::make_unique<widgets::Selection>();
        controller_ = std::make_unique<DecodeController>(queue_.get(), selection_.get());
        rows_ = std::make_unique<CausalRows>(queue_.get(), controller_.get(), selection_.get());
        queue_->start();
        queue_->open({.path = "a-model"});
        QTRY_VERIFY(!queue_->isBusy(RunQueue::Slot::Model));
        decode("one");
        selection_->setHead({{AttentionKind::Cross, 0}, 0});
    }

    void cleanup() {
        script_.holdRuns = false;
        rows_.reset();
        controller_.reset();
        selection_.reset();
        queue_.reset();
    }

    void nothingIsMeasuredThatNobodySees() {
        QVERIFY(!isBusy());
        QVERIFY(rows_->cause() == widgets::ShownCause());
    }

    void bothRowsOfTheStepAreMeasured() {
        rows_->setWanted(true);
        QVERIFY(rows_->cause().isAwaited);
        QTRY_VERIFY(isKnown());
        QVERIFY(!rows_->cause().isAwaited);
        QVERIFY(!rows_->cause().everywhere->head);
        QVERIFY(*rows_->cause().here->head == selection_->head());
        QCOMPARE(rows_->cause().here->step, std::size_t(selection_->step()));
    }

    void theyFollowStepAndHeadAndStayForWhoStepsBack() {
        rows_->setWanted(true);
        QTRY_VERIFY(isKnown());
        const auto first = rows_->cause().everywhere;
        const int step = selection_->step();
        selection_->setHead({{AttentionKind::Cross, 0}, 1});
        QCOMPARE(rows_->cause().everywhere, first); // of no head
        QVERIFY(!rows_->cause().here);
        QTRY_VERIFY(isKnown());
        selection_->setStep(step == 0 ? 1 : 0);
        QVERIFY(!rows_->cause().everywhere);
        QTRY_VERIFY(isKnown());
        selection_->setStep(step);
        QCOMPARE(rows_->cause().everywhere, first);
    }

    void otherAttentionHasNone() {
        rows_->setWanted(true);
        QTRY_VERIFY(isKnown());
        selection_->setHead({{AttentionKind::EncoderSelf, 0}, 0});
        QVERIFY(rows_->cause() == widgets::ShownCause());
        QVERIFY(!isBusy());
    }

    void aModelThatIsRefusedMeanwhileLeavesTheRows() {
        script_.holdRuns = true;
        rows_->setWanted(true);
        queue_->open({.path = "bad-model"});
        script_.holdRuns = false;
        QTRY_VERIFY(isKnown());
    }

    void whatIsUnderWayIsDroppedWhenNobodyWantsItAnyMore() {
        script_.holdRuns = true;
        rows_->setWanted(true);
        QVERIFY(isBusy());
        rows_->setWanted(false);
        QVERIFY(!isBusy());
        rows_->setWanted(true);
        controller_->decode(std::string("two"));
        QVERIFY(!isBusy()); // of a run that is about to be another one
        script_.holdRuns = false;
        QTRY_VERIFY(isKnown());
        QVERIFY(rows_->cause().everywhere->request.source == trace::Source(std::string("two")));
    }
};

QTEST_GUILESS_MAIN(CausalRowsTest)
#include "causal_rows_test.moc"
