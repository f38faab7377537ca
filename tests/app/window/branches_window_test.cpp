#include <QAction>
#include <QSettings>
#include <QTest>

#include "app/window/main_window.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "tests/widgets/example_search.h"
#include "widgets/controls/decoding_editor.h"
#include "widgets/controls/run_to_editor.h"
#include "widgets/views/paths/paths_view.h"
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

    widgets::PathTree* tree() const { return part<widgets::PathsView>()->findChild<widgets::PathTree*>(); }
    std::size_t rows() const { return tree()->drawing().paths().rows.size(); }

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
        auto* bench = tests::bench(*window_);
        QVERIFY(!bench->isInSight("paths"));
        branch();
        QVERIFY(bench->isInSight("paths"));
        QCOMPARE(rows(), std::size_t(2));
        QVERIFY(tree()->drawing().titleOf(0).contains("t22"));
    }

    void enterShowsABranchEverywhere() {
        branch();
        tree()->setFocus();
        QTest::keyClick(tree(), Qt::Key_Down);
        QTest::keyClick(tree(), Qt::Key_Return);
        QTRY_COMPARE(window_->controller()->run()->next[2].id, 12);
        QCOMPARE(rows(), std::size_t(2));
    }

    void arrowsInTheTreeStep() {
        branch();
        tree()->setFocus();
        window_->selection()->setStep(0);
        QTest::keyClick(tree(), Qt::Key_Right);
        QCOMPARE(window_->selection()->step(), 1);
        QTest::keyClick(tree(), Qt::Key_Left);
        QCOMPARE(window_->selection()->step(), 0);
    }

    void aNameStaysWithItsBranch() {
        branch();
        Q_EMIT tree()->rowRenamed(0, "mine");
        QTRY_COMPARE(tree()->drawing().titleOf(0), QString("mine"));
        window_->controller()->choose(1, 23);
        waitForRun();
        QCOMPARE(rows(), std::size_t(3));
        const auto named = [this](std::size_t row) { return tree()->drawing().titleOf(row) == "mine"; };
        QVERIFY(!named(0) && named(1) != named(2));
    }

    void aReferenceIsForcedAndListed() {
        auto* reference = part<widgets::ReferenceView>();
        Q_EMIT reference->intended(widgets::intents::ForceTarget{"10 23 3"});
        waitForRun();
        QCOMPARE(lastRequest().paths.back().newTokens, 0);
        QCOMPARE(std::get<trace::TargetIds>(lastRequest().paths.back().forced).ids.front(),
                 2); // the start token
        QVERIFY(reference->summary().contains("of 3."));
        QCOMPARE(rows(), std::size_t(2));
        QCOMPARE(tree()->drawing().titleOf(0), QString("Forced"));
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
        auto* bench = tests::bench(*window_);
        QAction* key = window_->actions()["paths"];
        Q_EMIT window_->findChild<app::WorkQueue*>()->runDelivered(app::WorkQueue::JobKind::Main,
                                                                   example::searchedRun());
        QVERIFY(bench->isInSight("paths"));
        window_->setFocus();
        key->trigger();
        QVERIFY(bench->isInSight("paths"));
        QVERIFY(bench->view("paths")->isAncestorOf(window_->focusWidget()));
        key->trigger();
        QVERIFY(!bench->isInSight("paths"));
        key->trigger();
        QVERIFY(bench->isInSight("paths"));
    }

    void runToStopsTheCursor() {
        Q_EMIT part<widgets::RunToEditor>()->runRequested({.text = "t13"});
        QCOMPARE(window_->selection()->step(), 3);
    }
};

HEADSCOPE_WATCHED_TEST(BranchesWindowTest)
#include "branches_window_test.moc"
