#include <QListWidget>
#include <QTest>

#include "app/document/undo_controller.h"
#include "tests/app/window/real_engine_window.h"
#include "tests/watched_test.h"
#include "widgets/views/what_if/step_comparison_view.h"
#include "widgets/views/what_if/what_if_view.h"

using namespace headscope;
using app::ActionId;
using app::ActionKey;
using app::MainWindow;

/// What if, with the bundled model and the real engine.
class WhatIfWindowTest : public tests::RealEngineWindow {
    Q_OBJECT

    std::shared_ptr<const trace::Run> run() const { return window_->controller()->run(); }
    QAction* action(const ActionKey& id) const { return window_->actions()[id]; }
    widgets::WhatIfView* view() const { return window_->findChild<widgets::WhatIfView*>(); }
    widgets::StepComparisonView* steps() const { return window_->findChild<widgets::StepComparisonView*>(); }
    bool isShown(std::size_t changes) const {
        return run() && run()->complete && run()->request.interventions.size() == changes &&
               !window_->controller()->isDecoding();
    }

  private Q_SLOTS:
    void initTestCase() {
        open({.sentence = "The old man gave his daughter a red book."});
        QTRY_VERIFY_WITH_TIMEOUT(isShown(0) && !window_->undo()->history().isEmpty(), 30000);
    }

    void cleanupTestCase() { window_.reset(); }

    void aHeadIsSwitchedOffComparedSwitchedOnAndUndone() {
        const auto original = run();
        const auto head = window_->selection()->head();
        action(ActionId::ToggleHead)->trigger();
        QTRY_VERIFY(isShown(1));
        const auto changed = run();
        QVERIFY(changed->request.interventions.front() ==
                trace::Intervention{trace::ScaleHead{.head = head}});
        QTRY_VERIFY(!steps()->steps().empty());
        QCOMPARE(steps()->steps().size(), original->next.size());
        double divergence = 0;
        for (const auto& step : steps()->steps())
            divergence += step.divergence;
        QVERIFY(divergence > 0);
        // The original text stands beside it, or it is said that it stayed the same.
        const QString words = view()->inWords();
        const bool same = changed->output == original->output;
        QVERIFY2(words.contains(same ? "Output unchanged:" : "Original:"), qPrintable(words));
        QCOMPARE(words.contains("Changed:"), !same);

        window_->undo()->settle();
        action(ActionId::ToggleHead)->trigger();
        QTRY_VERIFY(isShown(0));
        QCOMPARE(run()->output, original->output);
        for (std::size_t layer = 0; layer < original->cross.size(); ++layer)
            QVERIFY(run()->cross[layer].weights == original->cross[layer].weights);
        QVERIFY(steps()->steps().empty());

        QTRY_COMPARE(action(ActionId::Undo)->text().remove('&'),
                     QString("Undo Enable %1").arg(QString::fromStdString(trace::toString(head))));
        action(ActionId::Undo)->trigger();
        QCOMPARE(run(), changed);
        QTRY_VERIFY(!steps()->steps().empty());
        action(ActionId::Undo)->trigger();
        QCOMPARE(run(), original);
        QVERIFY(!action(ActionId::Undo)->isEnabled());
        action(ActionId::Redo)->trigger();
        QCOMPARE(run(), changed);
        action(ActionId::ClearChanges)->trigger();
        QTRY_VERIFY(isShown(0));
    }

    void theStepsOfAnUnchangedModelDoNotDiffer() {
        // A temperature so near 1 that it changes no score, and is still a change.
        window_->controller()->setInterventions({{trace::SoftmaxTemperature{.temperature = 1 + 0x1p-52}}});
        QTRY_VERIFY(isShown(1) && !steps()->steps().empty());
        for (const auto& step : steps()->steps()) {
            QCOMPARE(step.divergence, 0.0);
            QVERIFY(!step.topChanged);
        }
        action(ActionId::ClearChanges)->trigger();
        QTRY_VERIFY(isShown(0));
    }

    void aCheckBoxInTheListIsAppliedLive() {
        action(ActionId::ToggleHead)->trigger();
        QTRY_VERIFY(isShown(1));
        auto* list = view()->findChild<QListWidget*>();
        list->item(0)->setCheckState(Qt::Unchecked);
        QTRY_VERIFY(isShown(1) && !run()->request.interventions.front().on);
        QTRY_VERIFY(steps()->steps().empty());
        action(ActionId::ClearChanges)->trigger();
        QTRY_VERIFY(isShown(0));
    }

    void aBlockThatIsRefusedLeavesWhatIsShown() {
        const auto shown = run();
        const trace::HeadAddress decoder{{trace::AttentionKind::DecoderSelf, 0}, 0};
        window_->undo()->settle(); // what the test before did
        window_->controller()->setInterventions(
            {{trace::BlockCell{.head = decoder, .query = 0, .key = 0}}}); // its only open key
        QTRY_VERIFY(!window_->controller()->isDecoding());
        QCOMPARE(run(), shown);
        window_->undo()->settle();
        action(ActionId::Undo)->trigger();
        QTRY_VERIFY(isShown(0));
        QVERIFY(view()->findChild<QListWidget*>()->count() == 0);
    }
};

HEADSCOPE_WATCHED_TEST(WhatIfWindowTest)
#include "what_if_window_test.moc"
