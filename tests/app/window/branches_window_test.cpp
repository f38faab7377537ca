#include <QAction>
#include <QSettings>
#include <QTableWidget>
#include <QTest>
#include <QTreeWidget>

#include "app/window/main_window.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "tests/widgets/example_search.h"
#include "widgets/controls/decoding_editor.h"
#include "widgets/controls/run_to_editor.h"
#include "widgets/views/branches/branch_list.h"
#include "widgets/views/reference/reference_view.h"

using headscope::app::ActionId;
using headscope::app::MainWindow;
using headscope::test::FakeEngine;
using namespace headscope;

/// Branches, reference and decoding options in the window. The fake engine decodes <s> 10 11 12 13 </s>.
class BranchesWindowTest : public QObject {
    Q_OBJECT

    FakeEngine::Script script_;
    std::unique_ptr<MainWindow> window_;

    void openWindow() {
        window_ =
            std::make_unique<MainWindow>([this] { return std::make_unique<FakeEngine>(script_); },
                                         app::StartWith{.model = "ids-model", .sentence = QString("5 6 7")});
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        waitForRun();
    }

    void waitForRun() {
        QTRY_VERIFY(window_->controller()->run() && window_->controller()->run()->complete &&
                    !window_->controller()->isDecoding());
    }

    template <class Widget>
    Widget* part() const {
        return window_->findChild<Widget*>();
    }

    QTreeWidget* list() const { return part<widgets::BranchList>()->findChild<QTreeWidget*>(); }

    trace::Request lastRequest() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests.back();
    }

    void branch() {
        window_->controller()->choose(2, 22);
        waitForRun();
    }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        script_.requests.clear();
        openWindow();
    }

    void cleanup() { window_.reset(); }

    void thePanelIsClosedUntilThereIsABranch() {
        const auto* bench = tests::bench(*window_);
        QVERIFY(!bench->isInSight("branches"));
        branch();
        QVERIFY(bench->isInSight("branches"));
        QCOMPARE(list()->topLevelItemCount(), 2);
        QVERIFY(list()->topLevelItem(1)->text(0).contains("t22"));
    }

    void movingInTheListShowsABranchEverywhere() {
        branch();
        list()->setCurrentItem(list()->topLevelItem(0));
        QTRY_COMPARE(window_->controller()->run()->next[2].id, 12);
        QCOMPARE(list()->topLevelItemCount(), 2);
    }

    void arrowsInTheListStep() {
        branch();
        list()->setFocus();
        window_->selection()->setStep(0);
        QTest::keyClick(list(), Qt::Key_Right);
        QCOMPARE(window_->selection()->step(), 1);
        QTest::keyClick(list(), Qt::Key_Left);
        QCOMPARE(window_->selection()->step(), 0);
    }

    void aNameStaysWithItsBranch() {
        branch();
        list()->topLevelItem(1)->setText(0, "mine");
        QTRY_COMPARE(list()->topLevelItem(1)->text(0), QString("mine"));
        window_->controller()->choose(1, 23);
        waitForRun();
        QCOMPARE(list()->topLevelItem(1)->text(0), QString("mine"));
        QVERIFY(list()->topLevelItem(2)->text(0) != "mine");
    }

    void aReferenceIsForcedAndListed() {
        auto* reference = part<widgets::ReferenceView>();
        Q_EMIT reference->intended(widgets::intents::ForceTarget{"10 23 3"});
        waitForRun();
        QCOMPARE(lastRequest().paths.back().newTokens, 0);
        QCOMPARE(std::get<trace::TargetIds>(lastRequest().paths.back().forced).ids.front(),
                 2); // the start token
        QCOMPARE(reference->findChild<QTableWidget*>()->columnCount(), 3);
        Q_EMIT reference->findChild<QTableWidget*>()->cellClicked(0, 1);
        QCOMPARE(window_->selection()->step(), 1);
    }

    void otherOptionsDecodeAtOnceAndAreKeptForTheModel() {
        auto* options = part<widgets::DecodingEditor>();
        Q_EMIT options->decodingChanged({.beam = 3, .lengthPenalty = 0.5}, 40);
        waitForRun();
        QCOMPARE(lastRequest().decoding.beam, 3);
        QCOMPARE(window_->actions()[ActionId::DecodingOptions]->iconText(), QString("Beam 3"));
        window_.reset();
        openWindow();
        QCOMPARE(lastRequest().decoding.beam, 3);
        QCOMPARE(lastRequest().decoding.lengthPenalty, 0.5);
        QCOMPARE(lastRequest().paths.back().newTokens, 40);
        window_->openModel("another-ids-model");
        QTRY_VERIFY(window_->windowTitle().contains("another"));
        waitForRun();
        QCOMPARE(lastRequest().decoding.beam, 1); // that was the other model's
    }

    /// The tree comes with the first beam, without a key: whoever wants it then presses the key of what is
    /// there.
    void theKeyOfATreeThatCameByItselfGoesThereFirst() {
        const auto* bench = tests::bench(*window_);
        QAction* key = window_->actions()["beam-tree"];
        Q_EMIT window_->findChild<app::WorkQueue*>()->runDelivered(app::WorkQueue::JobKind::Main,
                                                                   example::searchedRun());
        QVERIFY(bench->isInSight("beam-tree"));
        window_->setFocus();
        key->trigger();
        QVERIFY(bench->isInSight("beam-tree"));
        QVERIFY(bench->view("beam-tree")->isAncestorOf(window_->focusWidget()));
        key->trigger();
        QVERIFY(!bench->isInSight("beam-tree"));
        key->trigger();
        QVERIFY(bench->isInSight("beam-tree"));
    }

    void runToStopsTheCursor() {
        Q_EMIT part<widgets::RunToEditor>()->runRequested({.text = "t13"});
        QCOMPARE(window_->selection()->step(), 3);
    }
};

HEADSCOPE_WATCHED_TEST(BranchesWindowTest)
#include "branches_window_test.moc"
