#include <QTest>

#include "app/document/intents.h"
#include "tests/app/results/served_document.h"
#include "tests/app/window/busy_queue.h"
#include "tests/registered_test.h"

using namespace headscope;
using test::FakeEngine;
namespace intents = widgets::intents;

/// Changes of the model, with runs that were shown before at hand.
class IntentsTest : public QObject {
    Q_OBJECT

    using Changes = std::vector<trace::Intervention>;

    static constexpr trace::HeadAddress head{{trace::AttentionKind::Cross, 0}, 1};

    FakeEngine::Script script_;
    std::unique_ptr<tests::ServedDocument> served_;
    app::DecodeController* controller_ = nullptr;

    std::size_t requests() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests.size();
    }

    void restore(const trace::Run& run) {
        controller_->restore({.request = run.request, .newTokens = 60, .shown = {}, .step = 0});
        QTRY_VERIFY(!controller_->isDecoding());
    }

    const Changes& changes() const { return controller_->interventions(); }
    void change(Changes list) { carryOut(intents::ChangeModel{std::move(list)}); }
    void add(const trace::Change& change) {
        auto list = changes();
        list.push_back({change});
        this->change(std::move(list));
    }
    void carryOut(const widgets::Intent& intent) { app::carryOut(served_->document(), intent); }

    void waitForRun() { QTRY_VERIFY(!controller_->isDecoding()); }

  private Q_SLOTS:
    void init() {
        script_.requests.clear();
        script_.holdRuns = false;
        script_.cancelled = 0;
        served_ = std::make_unique<tests::ServedDocument>(script_);
        controller_ = served_->controller();
        QVERIFY(served_->open("a-model") && served_->decode("a sentence"));
    }

    void cleanup() { served_.reset(); }

    void goingBackShowsTheKeptRunsWithoutComputing() {
        const auto before = controller_->run();
        add(trace::ScaleHead{.head = head});
        waitForRun();
        const auto after = controller_->run();
        const auto computed = requests();
        restore(*before);
        QCOMPARE(controller_->run(), before);
        QVERIFY(changes().empty());
        restore(*after);
        QCOMPARE(controller_->run(), after);
        QCOMPARE(changes().size(), 1u);
        QVERIFY(tests::becomesIdle(*served_->queue()));
        QCOMPARE(requests(), computed);
    }

    void aRunThatIsNotKeptIsComputedAgain() {
        auto request = controller_->run()->request;
        request.source = std::string("never seen");
        request.interventions = {{trace::ScaleHead{.head = head}}};
        const auto computed = requests();
        controller_->restore({.request = request, .newTokens = 60, .shown = {}, .step = 2});
        QTRY_VERIFY(!controller_->isDecoding());
        QVERIFY(requests() > computed);
        QCOMPARE(served_->selection()->step(), 2);
        QCOMPARE(std::get<std::string>(controller_->run()->request.source), std::string("never seen"));
        QCOMPARE(changes().size(), 1u);
    }

    void aPathThatIsNotTheLastOneIsTurnedTo() {
        controller_->choose(2, 22);
        waitForRun();
        const auto run = controller_->run();
        controller_->showPath(0);
        waitForRun();
        std::vector<std::int64_t> ids;
        for (const auto node : controller_->run()->path)
            ids.push_back(controller_->run()->tree.node(node).token.id);
        restore(*run);
        QCOMPARE(controller_->run()->next[2].id, 22);
        controller_->restore({.request = run->request, .newTokens = 60, .shown = ids, .step = 1});
        QTRY_VERIFY(!controller_->isDecoding());
        QCOMPARE(controller_->run()->next[2].id, 12);
        QCOMPARE(controller_->run()->paths.size(), std::size_t(2));
    }

    void aChangeWhileASentenceIsDecodedIsForThatSentence() {
        script_.holdRuns = true;
        controller_->decode(std::string("another one"));
        QTRY_COMPARE(requests(), 2u);
        add(trace::ScaleHead{.head = head});
        script_.holdRuns = false;
        waitForRun();
        const auto& request = controller_->run()->request;
        QCOMPARE(std::get<std::string>(request.source), std::string("another one"));
        QVERIFY(std::holds_alternative<std::monostate>(request.paths.back().forced));
    }

    void aKeptRunShowsThePathItWasAskedFor() {
        controller_->choose(2, 22);
        waitForRun();
        controller_->showPath(0);
        waitForRun();
        add(trace::ScaleHead{.head = head});
        waitForRun();
        controller_->showPath(0); // the paths were turned round: the other one
        waitForRun();
        QCOMPARE(controller_->run()->next[2].id, 22);
        change({});
        QTRY_VERIFY(!controller_->isDecoding());
        QCOMPARE(controller_->run()->next[2].id, 22);
    }

    void theSameChangesAskForNothing() {
        change({});
        add(trace::ScaleHead{.head = head});
        waitForRun();
        change(Changes(changes()));
        QCOMPARE(requests(), 2u);
    }

    void staleWorkIsDropped() {
        add(trace::ScaleHead{.head = head});
        waitForRun();
        script_.holdRuns = true;
        add(trace::SoftmaxTemperature{.temperature = 2});
        QTRY_COMPARE(requests(), 3u);
        add(trace::LiftMask{});
        QTRY_COMPARE(script_.cancelled.load(), 1);
        script_.holdRuns = false;
        waitForRun();
        QCOMPARE(controller_->run()->request.interventions.size(), 3u);
    }

    void aHeadIsToggled() {
        carryOut(intents::ToggleHead{head});
        QVERIFY(changes() == Changes{trace::withoutHead(head)});
        carryOut(intents::ToggleHead{head});
        QVERIFY(changes().empty());
    }

    void scoresAreDividedOnceMore() {
        carryOut(intents::DivideScores{2});
        carryOut(intents::DivideScores{4});
        QVERIFY(changes() == Changes{{trace::SoftmaxTemperature{8}}});
    }

    void anotherModelBeginsWithoutChanges() {
        add(trace::ScaleHead{.head = head});
        controller_->clear({});
        QVERIFY(changes().empty() && served_->document()->state().changes.empty());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, IntentsTest)
#include "intents_test.moc"
