#include <QTest>

#include "model/trace/run.h"
#include "tests/registered_test.h"

using namespace headscope::trace;

class RunTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aSiteThatIsNotThereHasNoRecord() {
        Run run;
        run.cross.push_back({.site = {AttentionKind::Cross, 0}});
        QCOMPARE(run.record({AttentionKind::Cross, 0}), &run.cross[0]);
        QVERIFY(!run.record({AttentionKind::Cross, 1}));
        QVERIFY(!run.record({AttentionKind::Cross, -1}));
        QVERIFY(!run.record({AttentionKind::EncoderSelf, 0}));
    }

    void crossRowsCarryTheChosenTokenAndDecoderRowsTheFedOne() {
        Run run;
        run.source = {{.id = 1}};
        run.target = {{.id = 2}};
        run.next = {{.id = 3}};
        QCOMPARE(run.queryTokens(AttentionKind::Cross)[0].id, 3);
        QCOMPARE(run.keyTokens(AttentionKind::Cross)[0].id, 1);
        QCOMPARE(run.queryTokens(AttentionKind::DecoderSelf)[0].id, 2);
        QCOMPARE(run.keyTokens(AttentionKind::DecoderSelf)[0].id, 2);
        QCOMPARE(run.queryTokens(AttentionKind::EncoderSelf)[0].id, 1);
        QCOMPARE(run.keyTokens(AttentionKind::EncoderSelf)[0].id, 1);
    }

    void oneFailureFailsTheSelfCheckAndAMissingOneLeavesItOpen() {
        SelfCheck check;
        QVERIFY(check.state() == CheckState::NotChecked);
        check.rowsSumToOne.state = check.maskedCellsAreZero.state = CheckState::Ok;
        QVERIFY(check.state() == CheckState::NotChecked);
        check.cachedEqualsFullPass.state = CheckState::Ok;
        QVERIFY(check.state() == CheckState::Ok);
        check.rowsSumToOne.state = CheckState::NotChecked;
        check.maskedCellsAreZero.state = CheckState::Failed;
        QVERIFY(check.state() == CheckState::Failed);
    }
};

HEADSCOPE_TEST(RunTest)
#include "run_test.moc"
