#include <QTest>

#include "app/results/causal_rows.h"
#include "tests/app/window/fake_engine.h"
#include "tests/registered_test.h"

using namespace headscope;
using app::CausalRows;
using app::DecodeController;
using app::Results;
using app::WorkQueue;
using trace::AttentionKind;

class CausalRowsTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<WorkQueue> queue_;
    std::unique_ptr<widgets::Selection> selection_;
    std::unique_ptr<Results> answers_;
    std::unique_ptr<DecodeController> controller_;
    std::unique_ptr<CausalRows> rows_;

    void decode(const char* sentence) {
        controller_->decode(std::string(sentence));
        QTRY_VERIFY(!controller_->isDecoding());
    }
    void decodeLong(std::size_t sourceTokens) {
        script_.sourceTokens = sourceTokens;
        decode("a long one");
    }
    std::vector<trace::KeyRange> asked() {
        const std::lock_guard lock(script_.mutex);
        return script_.causalKeys;
    }
    bool isBusy() const { return queue_->isBusy(WorkQueue::JobKind::CausalRow); }
    bool isKnown() const {
        return rows_->causeAt(selection_->head()).everywhere && rows_->causeAt(selection_->head()).here;
    }

  private Q_SLOTS:
    void init() {
        script_.holdRuns = false;
        script_.sourceTokens = 3;
        script_.causalKeys.clear();
        queue_ = std::make_unique<WorkQueue>([this] { return std::make_unique<test::FakeEngine>(script_); });
        selection_ = std::make_unique<widgets::Selection>();
        answers_ = std::make_unique<Results>(queue_.get());
        controller_ = std::make_unique<DecodeController>(queue_.get(), selection_.get());
        rows_ = std::make_unique<CausalRows>(queue_.get(), controller_.get(), selection_.get());
        queue_->start();
        queue_->open({.path = "a-model"});
        QTRY_VERIFY(!queue_->isBusy(WorkQueue::JobKind::Model));
        decode("one");
        selection_->setHead({{AttentionKind::Cross, 0}, 0});
    }

    void cleanup() {
        script_.holdRuns = false;
        rows_.reset();
        controller_.reset();
        answers_.reset();
        selection_.reset();
        queue_.reset();
    }

    void nothingIsMeasuredThatNobodySees() {
        QVERIFY(!isBusy());
        QVERIFY(rows_->causeAt(selection_->head()) == widgets::ShownCause());
    }

    void bothRowsOfTheStepAreMeasured() {
        rows_->setWanted(true);
        QVERIFY(rows_->causeAt(selection_->head()).isAwaited);
        QTRY_VERIFY(isKnown());
        QVERIFY(!rows_->causeAt(selection_->head()).isAwaited);
        QVERIFY(!rows_->causeAt(selection_->head()).everywhere->head);
        QVERIFY(*rows_->causeAt(selection_->head()).here->head == selection_->head());
        QCOMPARE(rows_->causeAt(selection_->head()).here->step, std::size_t(selection_->step()));
    }

    void theyFollowStepAndHeadAndStayForWhoStepsBack() {
        rows_->setWanted(true);
        QTRY_VERIFY(isKnown());
        const auto first = rows_->causeAt(selection_->head()).everywhere;
        const int step = selection_->step();
        selection_->setHead({{AttentionKind::Cross, 0}, 1});
        QCOMPARE(rows_->causeAt(selection_->head()).everywhere, first); // of no head
        QVERIFY(!rows_->causeAt(selection_->head()).here);
        QTRY_VERIFY(isKnown());
        selection_->setStep(step == 0 ? 1 : 0);
        QVERIFY(!rows_->causeAt(selection_->head()).everywhere);
        QTRY_VERIFY(isKnown());
        selection_->setStep(step);
        QCOMPARE(rows_->causeAt(selection_->head()).everywhere, first);
    }

    void theyAreMeasuredAgainstTheTokenOfAllAnalyses() {
        rows_->setWanted(true);
        QTRY_VERIFY(isKnown());
        QVERIFY(!rows_->causeAt(selection_->head()).everywhere->request.ratherThan);
        controller_->setRatherThan("t11");
        QVERIFY(!rows_->causeAt(selection_->head()).everywhere);
        QTRY_VERIFY(isKnown());
        QCOMPARE(rows_->causeAt(selection_->head()).everywhere->request.ratherThan,
                 std::optional<std::string>("t11"));
        controller_->setRatherThan({});
        QTRY_VERIFY(isKnown());
        QVERIFY(!rows_->causeAt(selection_->head()).everywhere->request.ratherThan);
    }

    void otherHeadsThatAreLookedAtHaveTheirOwn() {
        const trace::HeadAddress other{{AttentionKind::Cross, 0}, 1};
        const trace::HeadAddress encoder{{AttentionKind::EncoderSelf, 0}, 0};
        rows_->setAlsoShown({other, encoder});
        rows_->setWanted(true);
        QTRY_VERIFY(isKnown() && rows_->causeAt(other).here);
        QVERIFY(*rows_->causeAt(other).here->head == other);
        QCOMPARE(rows_->causeAt(other).everywhere,
                 rows_->causeAt(selection_->head()).everywhere); // measured once for all
        QVERIFY(rows_->causeAt(encoder) == widgets::ShownCause());
        selection_->setHead(encoder); // what is beside it is still looked at
        QVERIFY(rows_->causeAt(selection_->head()) == widgets::ShownCause());
        QVERIFY(rows_->causeAt(other).everywhere);
    }

    void otherAttentionHasNone() {
        rows_->setWanted(true);
        QTRY_VERIFY(isKnown());
        selection_->setHead({{AttentionKind::EncoderSelf, 0}, 0});
        QVERIFY(rows_->causeAt(selection_->head()) == widgets::ShownCause());
        QVERIFY(!isBusy());
    }

    void theyAreMeasuredSomeTokensAtATime() {
        decodeLong(100);
        QStringList told;
        connect(rows_.get(), &CausalRows::changed, this, [&] {
            if (rows_->isMeasuring())
                told += rows_->causeAt(selection_->head()).progress;
        });
        rows_->setWanted(true);
        QTRY_VERIFY(isKnown());
        QVERIFY(!rows_->isMeasuring() && rows_->causeAt(selection_->head()).progress.isEmpty());
        std::size_t next = 0; // each goes on where the one before ended
        for (const auto& keys : asked()) {
            QCOMPARE(keys.first, next);
            next = keys.last >= 100 ? 0 : keys.last;
        }
        QVERIFY(asked().size() > 2);
        QVERIFY2(told.front() == "Measured: 16 of 100 source tokens.", qPrintable(told.front()));
        QVERIFY2(told.contains("Measured in this head alone: 16 of 100 source tokens."),
                 qPrintable(told.last()));
        for (const auto& row :
             {rows_->causeAt(selection_->head()).everywhere, rows_->causeAt(selection_->head()).here})
            for (std::size_t key = 0; key < 100; ++key)
                QCOMPARE(row->drops[key], 0.25 * double(key));
    }

    void whatIsMoreUrgentGoesBetween() {
        decodeLong(100);
        bool knownBefore = true;
        connect(queue_.get(), &WorkQueue::runDelivered, this, [&](WorkQueue::JobKind kind, const auto&) {
            if (kind == WorkQueue::JobKind::Forced)
                knownBefore = isKnown();
        });
        const auto once = std::make_shared<QMetaObject::Connection>();
        *once = connect(rows_.get(), &CausalRows::changed, this, [&, once] {
            if (!rows_->isMeasuring())
                return;
            disconnect(*once);
            queue_->run(WorkQueue::JobKind::Forced, controller_->shownRequest());
        });
        rows_->setWanted(true);
        QTRY_VERIFY(isKnown());
        QVERIFY(!knownBefore);
    }

    void ofALongSourceTheyAreMeasuredOnlyWhereSomebodyAsks() {
        decodeLong(CausalRows::longestUnasked + 1);
        rows_->setWanted(true);
        QVERIFY(!isBusy());
        QVERIFY(!rows_->causeAt(selection_->head()).isAwaited);
        QVERIFY2(rows_->causeAt(selection_->head()).whyNot.contains("128") &&
                     rows_->causeAt(selection_->head()).whyNot.contains("129"),
                 qPrintable(rows_->causeAt(selection_->head()).whyNot));
        rows_->setAskedFor(true);
        QVERIFY(rows_->causeAt(selection_->head()).isAwaited &&
                rows_->causeAt(selection_->head()).whyNot.isEmpty());
        QTRY_VERIFY(isKnown());
        rows_->setAskedFor(false);
        QVERIFY(isKnown() && rows_->causeAt(selection_->head()).whyNot.isEmpty()); // what is known stays
    }

    void theyCanBeStopped() {
        decodeLong(100);
        connect(rows_.get(), &CausalRows::changed, this, [this] {
            if (rows_->isMeasuring() && selection_->step() == 0)
                rows_->stopMeasuring();
        });
        selection_->setStep(0);
        rows_->setWanted(true);
        QTRY_VERIFY(!isBusy());
        QVERIFY(!isKnown() && !rows_->isMeasuring());
        QVERIFY2(rows_->causeAt(selection_->head()).whyNot.startsWith("stopped after 16 of 100"),
                 qPrintable(rows_->causeAt(selection_->head()).whyNot));
        selection_->setStep(1);
        QTRY_VERIFY(isKnown());
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
        QVERIFY(rows_->causeAt(selection_->head()).everywhere->request.source ==
                trace::Source(std::string("two")));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, CausalRowsTest)
#include "causal_rows_test.moc"
