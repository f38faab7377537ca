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
        QVERIFY(!run.record({AttentionKind::EncoderSelf, 0}));
    }

    void aHeadThatIsNotThereHasNoRecord() {
        Run run;
        run.cross.push_back({.site = {AttentionKind::Cross, 0}, .weights = HeadStack(2, 1, 1)});
        QCOMPARE(run.recordOf({{AttentionKind::Cross, 0}, 1}), &run.cross[0]);
        QVERIFY(!run.recordOf({{AttentionKind::Cross, 0}, 2}));
        QVERIFY(!run.recordOf({{AttentionKind::Cross, 1}, 0}));
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

    void changesOfCellsThatAreNotThereOrClosedMeetNothing() {
        Run run;
        const AttentionSite site{AttentionKind::Cross, 0};
        run.cross.push_back({.site = site, .mask = MaskMatrix(2, 3, 1), .weights = {2, 2, 3}});
        run.cross[0].mask(0, 1) = 0;
        const auto unreached = [&](std::initializer_list<Change> changes) {
            run.request.interventions.clear();
            for (const auto& change : changes)
                run.request.interventions.push_back({.change = change});
            return unreachedChanges(run).size();
        };
        const HeadAddress head{site, 1};
        QCOMPARE(unreached({BlockCell{head, 0, 0}, ScaleHead{head, 0}, LiftMask{}}), 0u);
        QCOMPARE(unreached({BlockCell{head, 0, 1}}), 1u);
        QCOMPARE(unreached({BlockCell{head, 2, 0}, BlockCell{head, 0, 3}, BlockCell{head, 1, 2}}), 2u);
        QCOMPARE(unreached({BlockCell{{{AttentionKind::Cross, 1}, 0}, 0, 0}}), 1u);
        QCOMPARE(unreached({ForceRow{head, 1, RowPattern::Uniform}}), 0u);
        QCOMPARE(unreached({ForceRow{head, 5, RowPattern::Uniform}}), 1u);
        QCOMPARE(unreached({ForceRow{head, 0, RowPattern::Key, 0}}), 0u);
        QCOMPARE(unreached({ForceRow{head, 0, RowPattern::Key, 1}}), 1u);
        QCOMPARE(unreached({ForceRow{head, 1, RowPattern::Key, 1}, BlockCell{head, 1, 1}}), 1u);
        unreached({BlockCell{head, 0, 1}});
        QCOMPARE(unreachedChanges(run).front(), std::string("--block cross.0.1:0,1"));
    }

    void oneFailureFailsTheSelfCheckAndAMissingOneLeavesItOpen() {
        SelfCheck check;
        QVERIFY(check.state() == CheckState::NotChecked);
        for (const auto finding : allFindings) {
            QVERIFY(check.state() == CheckState::NotChecked);
            (check.*finding).state = CheckState::Ok;
        }
        QVERIFY(check.state() == CheckState::Ok);
        check.cachedEqualsFullPass.state = CheckState::Recorded;
        QVERIFY(check.state() == CheckState::Ok); // the shown values were checked
        check.rowsSumToOne.state = CheckState::Recorded;
        QVERIFY(check.state() == CheckState::Recorded);
        QVERIFY(check.isFinite());
        check.logProbabilities.largest = std::nan("");
        QVERIFY(!check.isFinite());
        check.rowsSumToOne.state = CheckState::NotChecked;
        check.maskedCellsAreZero.state = CheckState::Failed;
        QVERIFY(check.state() == CheckState::Failed);
    }
};

HEADSCOPE_TEST(RunTest)
#include "run_test.moc"
