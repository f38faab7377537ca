#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QTest>
#include <QToolButton>

#include "app/desktop/message_panel.h"
#include "app/document/window_state.h"
#include "app/window/main_window.h"
#include "model/trace/run_path.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/busy_queue.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/map/linked_maps.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/paths/paths_view.h"

#include <algorithm>

using headscope::app::ActionId;
using headscope::app::ActionKey;
using headscope::app::MainWindow;
using headscope::test::FakeEngine;
using headscope::widgets::CompareBar;
using headscope::widgets::CompareView;
using namespace headscope;

/// The comparison in the window. The fake engine decodes <s> 10 11 12 13 </s>, whatever it reads.
class CompareWindowTest : public QObject {
    Q_OBJECT

    FakeEngine::Script script_;
    std::atomic<int> engines_ = 0; ///< that there are
    std::unique_ptr<MainWindow> window_;

    struct CountedEngine : FakeEngine {
        CountedEngine(Script& script, std::atomic<int>& count) : FakeEngine(script), count_(count) {
            ++count_;
        }
        ~CountedEngine() override { --count_; }
        std::atomic<int>& count_;
    };

    void waitForRun() {
        QTRY_VERIFY(window_->controller()->run() && window_->controller()->run()->complete &&
                    !window_->controller()->isDecoding());
    }

    CompareView* view() const { return window_->findChild<CompareView*>(); }
    CompareBar* bar() const { return view()->bar(); }
    void trigger(const ActionKey& id) { window_->actions()[id]->trigger(); }
    void open(CompareBar::With with) {
        trigger("workspace.compare");
        bar()->setWith(with);
    }
    bool isCompared() const { return view()->pair() && !view()->maps()->isEmpty(); }

    trace::Request lastRequest() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests.back();
    }
    /// The last one of this sentence.
    std::optional<trace::Request> requestOf(const std::string& sentence) {
        const std::lock_guard lock(script_.mutex);
        for (auto request = script_.requests.rbegin(); request != script_.requests.rend(); ++request)
            if (std::get<std::string>(request->source) == sentence)
                return *request;
        return std::nullopt;
    }
    std::size_t requestsOf(const std::string& sentence) {
        const std::lock_guard lock(script_.mutex);
        return static_cast<std::size_t>(std::ranges::count_if(script_.requests, [&](const auto& request) {
            return std::get<std::string>(request.source) == sentence;
        }));
    }
    std::size_t requests() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests.size();
    }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        script_.requests.clear();
        script_.opened.clear();
        script_.holdRuns = false;
        script_.cancelled = 0;
        window_ = std::make_unique<MainWindow>(
            [this] { return std::make_unique<CountedEngine>(script_, engines_); },
            app::StartWith{.model = "model", .sentence = QString("a sentence")});
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        waitForRun();
    }

    void cleanup() {
        script_.holdRuns = false;
        window_.reset();
        QCOMPARE(engines_.load(), 0);
    }

    void nothingIsComputedUntilSomebodyLooks() {
        bar()->setSentence("another one");
        bar()->enterSentence();
        QVERIFY(tests::becomesIdle(*window_->findChild<app::WorkQueue*>()));
        QCOMPARE(requestsOf("another one"), 0u);
        open(CompareBar::With::Sentence);
        QTRY_VERIFY(isCompared());
        QCOMPARE(requestsOf("another one"), 1u);
    }

    void whatAnEmptyComparisonLacksIsSaidWhereItsPictureIsWanted() {
        const auto* message = window_->findChild<app::MessagePanel*>();
        for (const auto id : {ActionId::SavePicture, ActionId::SaveData, ActionId::CopyPicture}) {
            open(CompareBar::With::Sentence);
            trigger(id);
            QVERIFY2(message->words().contains("no picture") &&
                         message->words().contains("Type another sentence"),
                     qPrintable(message->words()));
            open(CompareBar::With::Unchanged);
            trigger(id);
            QVERIFY2(message->words().contains("Nothing is changed in the model"),
                     qPrintable(message->words()));
        }
    }

    void anotherSentenceIsDecodedLikeTheShownOne() {
        trigger(ActionId::ToggleHead); // a change
        waitForRun();
        open(CompareBar::With::Sentence);
        bar()->setSentence("another one");
        bar()->enterSentence();
        QTRY_VERIFY(isCompared());
        QCOMPARE(requestOf("another one")->interventions.size(), 1u);
        QCOMPARE(view()->pair().first, window_->controller()->run());
        QTRY_COMPARE(view()->changes().size(), 6u);
    }

    void aSentenceIsDecodedOnce() {
        open(CompareBar::With::Sentence);
        bar()->setSentence("another one");
        bar()->enterSentence();
        QTRY_VERIFY(isCompared());
        trigger("heatmap");
        trigger("workspace.compare");
        window_->selection()->setHead({{trace::AttentionKind::EncoderSelf, 0}, 1});
        QVERIFY(tests::becomesIdle(*window_->findChild<app::WorkQueue*>()));
        QCOMPARE(requestsOf("another one"), 1u);
        QTRY_VERIFY(isCompared());
    }

    void itHasAWorkspaceOfItsOwn() {
        const auto* bench = tests::bench(*window_);
        trigger("heatmap");
        QTRY_VERIFY(bench->isInSight("contact-sheet") && bench->isInSight("candidates"));
        trigger("workspace.compare");
        QVERIFY(!bench->isInSight("contact-sheet") && !bench->isInSight("candidates"));
        trigger("heatmap");
        QTRY_VERIFY(bench->isInSight("contact-sheet") && bench->isInSight("candidates"));
    }

    void lettersAreKeysInTheComparisonThatWasJustOpened() {
        trigger("heatmap");
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        open(CompareBar::With::Sentence);
        bar()->setSentence("letters");
        const auto kind = [this] { return window_->selection()->head().site.kind; };
        trigger("heatmap");
        trigger("workspace.compare"); // before there is anything to compare with, and after
        QTest::keyClick(window_->focusWidget(), Qt::Key_1);
        QCOMPARE(kind(), trace::AttentionKind::EncoderSelf);
        bar()->enterSentence();
        QTRY_VERIFY(isCompared());
        trigger("workspace.compare");
        QVERIFY(view()->maps()->hasFocus());
        QTest::keyClick(window_->focusWidget(), Qt::Key_3);
        QCOMPARE(kind(), trace::AttentionKind::Cross);
        QCOMPARE(bar()->sentence(), QString("letters"));
    }

    /// As the frames of an animation do.
    void aDecodingIsSteppedThroughBesideOneB() {
        open(CompareBar::With::Sentence);
        bar()->setSentence("stepped beside");
        bar()->enterSentence();
        QTRY_VERIFY(isCompared());
        const auto whole = window_->controller()->run();
        for (std::size_t step = 0; step + 1 < whole->target.size(); ++step) {
            Q_EMIT window_->findChild<app::WorkQueue*>()->runDelivered(
                app::WorkQueue::JobKind::Main, trace::atPath(*whole, whole->path[step]));
            QTRY_COMPARE(view()->pair().first, window_->controller()->run());
        }
        QCOMPARE(requestsOf("stepped beside"), std::size_t(1));
        Q_EMIT window_->findChild<app::WorkQueue*>()->runDelivered(app::WorkQueue::JobKind::Main, whole);
    }

    void whetherOnlyAlignedTokensAreShownIsPartOfTheState() {
        open(CompareBar::With::Sentence);
        const auto ofState = [this] {
            return std::get<bool>(window_->state()->capture().choices.at("compare").at("aligned-only"));
        };
        for (const bool only : {true, false}) {
            bar()->setAlignedOnly(only);
            QCOMPARE(ofState(), only);
        }
    }

    void anotherModelHasAnEngineOfItsOwn() {
        open(CompareBar::With::Model);
        QCOMPARE(engines_.load(), 1);
        Q_EMIT bar()->modelMenu()->aboutToShow();
        const auto close = [&] { return bar()->modelMenu()->actions().last(); };
        QVERIFY(!close()->isEnabled());
        window_->compareWith("other");
        QTRY_VERIFY(isCompared());
        QCOMPARE(engines_.load(), 2);
        QCOMPARE(view()->pair().second->model->name, "other");
        QCOMPARE(window_->controller()->run()->model->name, "model"); // the shown one stays
        QVERIFY(lastRequest().interventions.empty());
        Q_EMIT bar()->modelMenu()->aboutToShow();
        close()->trigger();
        QTRY_COMPARE(engines_.load(), 1);
        QVERIFY(!view()->pair());
    }

    void aModelThatIsRefusedSaysSoInTheView() {
        open(CompareBar::With::Model);
        window_->compareWith("bad");
        QTRY_VERIFY(view()->whyNot().contains("This is no model"));
        window_->compareWith("bare"); // does not say how it is to be read
        QTRY_VERIFY2(view()->whyNot().contains("heads"), qPrintable(view()->whyNot()));
        window_->compareWith("other");
        QTRY_VERIFY(isCompared());
    }

    void anotherBranchStandsBesideTheShownOne() {
        trigger("compare/branches");
        QVERIFY(bar()->with() == CompareBar::With::Branch);
        QVERIFY2(view()->whyNot().contains("next token"), qPrintable(view()->whyNot()));
        window_->controller()->choose(2, 22);
        waitForRun();
        QTRY_VERIFY(isCompared());
        QCOMPARE(view()->pair().first->next[2].id, 22);
        QCOMPARE(view()->pair().second->next[2].id, 12);
        window_->controller()->choose(1, 23);
        waitForRun();
        trigger("heatmap");
        Q_EMIT window_->findChild<widgets::PathsView*>()->intended(widgets::intents::ComparePath{1});
        QTRY_VERIFY(view()->isVisible() && isCompared() && view()->pair().second->next[2].id == 22);
        QCOMPARE(view()->pair().first->next[1].id, 23);
    }

    void anotherStepIsARowBesideThisOne() {
        open(CompareBar::With::Step);
        window_->selection()->setStep(1);
        bar()->setStep(3);
        QTRY_VERIFY(isCompared());
        QCOMPARE(view()->pair().steps, std::pair(std::size_t(1), std::size_t(3)));
        window_->selection()->setStep(3);
        QVERIFY2(view()->whyNot().contains("same step"), qPrintable(view()->whyNot()));
    }

    void aStepStandsBesideTheOneBeforeItAtFirst() {
        const auto steps = [this] { return view()->pair().steps.value_or(std::pair(9, 9)); };
        using Two = std::pair<std::size_t, std::size_t>;
        open(CompareBar::With::Step);
        QTRY_VERIFY(isCompared());
        QCOMPARE(steps(), Two(0, 1)); // there is none before
        bar()->setWith(CompareBar::With::Sentence);
        window_->selection()->setStep(1);
        bar()->setWith(CompareBar::With::Step);
        QTRY_VERIFY(isCompared());
        QCOMPARE(steps(), Two(1, 0));
        bar()->setStep(3);
        window_->selection()->setStep(2);
        QTRY_VERIFY(isCompared());
        QCOMPARE(steps(), Two(2, 3)); // what was chosen stays
    }

    void theOriginalRunStandsBesideTheChangedOne() {
        open(CompareBar::With::Unchanged);
        QVERIFY2(view()->whyNot().contains("Nothing is changed"), qPrintable(view()->whyNot()));
        trigger(ActionId::ToggleHead);
        waitForRun();
        QTRY_VERIFY(isCompared());
        QCOMPARE(view()->pair().first->request.interventions.size(), 1u);
        QVERIFY(view()->pair().second->request.interventions.empty());
    }

    /// Both read what A said, with whole distributions.
    void distributionsAreComparedWhereTheyAreLookedAt() {
        open(CompareBar::With::Sentence);
        bar()->setSentence("another one");
        bar()->enterSentence();
        QTRY_VERIFY(isCompared());
        const auto before = requests();
        view()->setPage(CompareView::Page::Output);
        QTRY_COMPARE(requests(), before + 2);
        QVERIFY(lastRequest().recording.logProbabilities);
        QCOMPARE(std::get<std::string>(lastRequest().source), "another one");
        QVERIFY(lastRequest().paths.back().ends);
        QTRY_VERIFY(std::ranges::none_of(view()->questions(), [this](const auto& question) {
            return view()->context().known->isAwaited(question);
        }));
        QCOMPARE(requests(), before + 2);
    }

    void stopEndsWhatIsDecodedForB() {
        script_.holdRuns = true;
        open(CompareBar::With::Sentence);
        bar()->setSentence("another one");
        bar()->enterSentence();
        QTRY_VERIFY(requestOf("another one"));
        QVERIFY(window_->actions()[ActionId::Stop]->isEnabled());
        QVERIFY(view()->whyNot().contains("Decoding"));
        const auto isSaid = [this](const QString& words) {
            return std::ranges::any_of(view()->findChildren<QLabel*>(), [&](const auto* label) {
                return label->isVisible() && label->text().contains(words);
            });
        };
        QTRY_VERIFY(isSaid("Decoding B... 25 %")); // how far it is
        trigger(ActionId::Stop);
        QTRY_COMPARE(script_.cancelled.load(), 1);
        QVERIFY2(view()->whyNot().contains("was stopped"), qPrintable(view()->whyNot()));
        script_.holdRuns = false;
        bar()->enterSentence();
        QTRY_VERIFY(isCompared());
        QTRY_VERIFY(!isSaid("%"));
    }

    void anotherSentenceInTheWindowIsComparedAnew() {
        open(CompareBar::With::Sentence);
        bar()->setSentence("another one");
        bar()->enterSentence();
        QTRY_VERIFY(isCompared());
        window_->controller()->decode(std::string("a third"));
        waitForRun();
        QTRY_VERIFY(view()->pair().first == window_->controller()->run() && isCompared());
    }

    void anotherWorkspaceKeepsBAndAnotherModelClearsIt() {
        open(CompareBar::With::Model);
        window_->compareWith("other");
        QTRY_VERIFY(isCompared());
        const auto pair = view()->pair();
        trigger("heatmap");
        trigger("workspace.compare");
        QVERIFY(isCompared() && view()->pair() == pair);
        window_->openModel("third");
        QTRY_VERIFY(window_->windowTitle().contains("third"));
        waitForRun();
        QTRY_VERIFY(!view()->pair());
        QTRY_COMPARE(engines_.load(), 1); // its memory is free again
        bar()->setWith(CompareBar::With::Sentence);
        bar()->setSentence("another one");
        bar()->enterSentence();
        QTRY_VERIFY(isCompared());
        window_->openModel("fourth");
        QTRY_VERIFY(window_->windowTitle().contains("fourth"));
        waitForRun();
        QTRY_VERIFY(!view()->pair());
        QCOMPARE(bar()->sentence(), QString());
    }

    void aAndBAreExchanged() {
        open(CompareBar::With::Sentence);
        const auto swap = [this] {
            for (auto* button : bar()->findChildren<QToolButton*>())
                if (button->accessibleName() == "Exchange A and B")
                    return button;
            return static_cast<QToolButton*>(nullptr);
        };
        QVERIFY(!swap()->isEnabled() && swap()->toolTip().contains("sentence of B first"));
        bar()->setSentence("another one");
        bar()->enterSentence();
        QTRY_VERIFY(isCompared() && swap()->isEnabled());
        swap()->click();
        waitForRun();
        QTRY_VERIFY(isCompared() &&
                    std::get<std::string>(view()->pair().first->request.source) == "another one");
        QCOMPARE(std::get<std::string>(view()->pair().second->request.source), "a sentence");
        bar()->setWith(CompareBar::With::Step);
        window_->selection()->setStep(1);
        bar()->setStep(3);
        QTRY_VERIFY(isCompared());
        swap()->click();
        QTRY_COMPARE(view()->pair().steps, std::pair(std::size_t(3), std::size_t(1)));
        bar()->setWith(CompareBar::With::Unchanged);
        QVERIFY(!swap()->isEnabled() && swap()->toolTip().contains("original"));
    }
};

HEADSCOPE_WATCHED_TEST(CompareWindowTest)
#include "compare_window_test.moc"
