#include <QLabel>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/controls/self_check_badge.h"

#include <cmath>

using namespace headscope;
using namespace headscope::widgets;

class SelfCheckBadgeTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everythingOkIsSaidInFull() {
        SelfCheckBadge badge;
        badge.setRun(example::run());
        QCOMPARE(badge.words(), "✓ Numbers verified");
        QVERIFY(badge.details().contains("largest deviation 1.2e-07, limit 1e-05"));
        QVERIFY(badge.toolTip().contains("1.2e-07"));
    }

    void aFailureNamesWhatFailed() {
        auto run = example::run();
        run->selfCheck.cachedEqualsFullPass = {trace::CheckState::Failed, std::nan(""), 1e-5};
        run->selfCheck.rowsSumToOne = {trace::CheckState::Failed, 0.5, 1e-5};
        SelfCheckBadge badge;
        badge.setRun(run);
        QVERIFY2(badge.words().startsWith("✗ self-check failed: rows do not sum to 1 (off by up to 0.5"),
                 qPrintable(badge.words()));
        QVERIFY(badge.words().contains("cached rows"));
        QVERIFY(badge.details().contains("largest deviation not a number"));
    }

    void rowsThatNoCheckCountsAreNamed() {
        auto run = example::run();
        SelfCheckBadge badge;
        badge.setRun(run);
        QVERIFY(!badge.details().contains("have no allowed key"));
        for (auto& record : run->decoder)
            for (std::size_t key = 0; key < record.mask.columns(); ++key)
                record.mask(0, key) = 0; // a start token that is padding
        badge.setRun(run);
        QVERIFY2(badge.details().contains("Target rows without an allowed key: 1"),
                 qPrintable(badge.details()));
    }

    void whatWasNotCheckedIsNotCalledGood() {
        SelfCheckBadge badge;
        QCOMPARE(badge.words(), "– self-check: not checked");
        auto run = example::run();
        run->selfCheck.cachedEqualsFullPass = {};
        badge.setRun(run);
        QCOMPARE(badge.words(), "– self-check: not checked");
        QVERIFY(badge.details().contains("not checked"));
        badge.setRun(nullptr);
        QVERIFY(badge.details().contains("Nothing is decoded"));
    }

    void ofATraceWhatOnlyItsFileSaysIsGrey() {
        auto run = example::run();
        auto trace = std::make_shared<trace::ModelSummary>(*run->model);
        trace->recorded = std::make_shared<trace::Request>(run->request);
        run->model = trace;
        SelfCheckBadge badge;
        badge.setRun(run);
        run->selfCheck.cachedEqualsFullPass.state = trace::CheckState::Recorded;
        badge.setRun(run);
        QCOMPARE(badge.words(), "✓ trace: numbers verified; full pass as recorded");
        QVERIFY(badge.details().contains("recorded, not repeated"));
        run->selfCheck.cachedEqualsFullPass = {};
        badge.setRun(run);
        QCOMPARE(badge.words(), "– trace: numbers verified; full pass not checked");
        for (const auto finding : trace::allFindings)
            (run->selfCheck.*finding).state =
                trace::CheckState::Recorded; // a file too large to be read whole
        badge.setRun(run);
        QCOMPARE(badge.words(), "– trace: self-check recorded, not repeated");
        run->selfCheck = {};
        badge.setRun(run);
        QCOMPARE(badge.words(), "– trace: not checked");
        run->selfCheck.rowsSumToOne = {trace::CheckState::Failed, 1, 1e-5};
        badge.setRun(run);
        QVERIFY(badge.words().startsWith("✗ trace, self-check failed: rows do not sum to 1"));
    }

    void aClickShowsTheFiguresAsPlainText() {
        SelfCheckBadge badge;
        badge.setRun(example::run());
        badge.show();
        QTest::mouseClick(&badge, Qt::LeftButton);
        const auto* details = badge.findChild<QFrame*>("selfCheckDetails");
        QVERIFY(details);
        QCOMPARE(details->findChild<QLabel*>()->text(), badge.details());
        QCOMPARE(details->findChild<QLabel*>()->textFormat(), Qt::PlainText);
    }

    void aNarrowBadgeIsElidedAndSaysTheRestInItsTooltip() {
        auto run = example::run();
        run->selfCheck.rowsSumToOne = {trace::CheckState::Failed, 0.5, 1e-5};
        SelfCheckBadge badge;
        badge.setRun(run);
        badge.resize(160, 30);
        badge.show();
        QVERIFY(QTest::qWaitForWindowExposed(&badge));
        QVERIFY(badge.text().size() < badge.words().size());
        QVERIFY(badge.toolTip().contains("off by up to 0.5"));
        QVERIFY(badge.sizeHint().width() > 300);
    }
};

HEADSCOPE_WATCHED_TEST(SelfCheckBadgeTest)
#include "self_check_badge_test.moc"
