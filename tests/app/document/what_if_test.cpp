#include <QSignalSpy>
#include <QTest>

#include "app/document/what_if.h"
#include "tests/app/window/busy_queue.h"
#include "tests/app/window/fake_engine.h"
#include "tests/registered_test.h"

using namespace headscope;
using app::DecodeController;
using app::WhatIf;
using app::WorkQueue;
using test::FakeEngine;

class WhatIfTest : public QObject {
    Q_OBJECT

    static constexpr trace::HeadAddress head{{trace::AttentionKind::Cross, 0}, 1};

    FakeEngine::Script script_;
    std::unique_ptr<WorkQueue> queue_;
    std::unique_ptr<widgets::Selection> selection_;
    std::unique_ptr<DecodeController> controller_;
    std::unique_ptr<WhatIf> whatIf_;

    std::size_t requests() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests.size();
    }

    void decode(const char* sentence) {
        controller_->decode(std::string(sentence));
        QTRY_VERIFY(!controller_->isDecoding());
    }

    void restore(const trace::Run& run) {
        whatIf_->restore({.request = run.request, .newTokens = 60, .shown = {}, .step = 0});
        QTRY_VERIFY(!controller_->isDecoding());
    }

    void add(const trace::Change& change) {
        auto list = whatIf_->interventions();
        list.push_back({change});
        whatIf_->apply(list);
    }

    void waitForRun() { QTRY_VERIFY(!controller_->isDecoding()); }

  private Q_SLOTS:
    void init() {
        script_.requests.clear();
        script_.holdRuns = false;
        script_.cancelled = 0;
        queue_ = std::make_unique<WorkQueue>([this] { return std::make_unique<FakeEngine>(script_); });
        selection_ = std::make_unique<widgets::Selection>();
        controller_ = std::make_unique<DecodeController>(queue_.get(), selection_.get());
        whatIf_ = std::make_unique<WhatIf>(controller_.get());
        QSignalSpy models(queue_.get(), &WorkQueue::modelOpened);
        queue_->start();
        queue_->open({.path = "a-model"});
        QTRY_COMPARE(models.size(), 1);
        decode("a sentence");
    }

    void cleanup() {
        queue_.reset(); // before those it tells
        whatIf_.reset();
        controller_.reset();
    }

    void goingBackShowsTheKeptRunsWithoutComputing() {
        const auto before = controller_->run();
        add(trace::ScaleHead{.head = head});
        waitForRun();
        const auto after = controller_->run();
        const auto computed = requests();
        restore(*before);
        QCOMPARE(controller_->run(), before);
        QVERIFY(whatIf_->interventions().empty());
        restore(*after);
        QCOMPARE(controller_->run(), after);
        QCOMPARE(whatIf_->interventions().size(), 1u);
        QVERIFY(tests::becomesIdle(*queue_));
        QCOMPARE(requests(), computed);
    }

    void aRunThatIsNotKeptIsComputedAgain() {
        auto request = controller_->run()->request;
        request.source = std::string("never seen");
        request.interventions = {{trace::ScaleHead{.head = head}}};
        const auto computed = requests();
        whatIf_->restore({.request = request, .newTokens = 60, .shown = {}, .step = 2});
        QTRY_VERIFY(!controller_->isDecoding());
        QVERIFY(requests() > computed);
        QCOMPARE(selection_->step(), 2);
        QCOMPARE(std::get<std::string>(controller_->run()->request.source), std::string("never seen"));
        QCOMPARE(whatIf_->interventions().size(), 1u);
    }

    void aPathThatIsNotTheLastOneIsTurnedTo() {
        controller_->choose(2, 22);
        QTRY_VERIFY(!controller_->isDecoding());
        const auto run = controller_->run();
        controller_->showPath(0);
        QTRY_VERIFY(!controller_->isDecoding());
        std::vector<std::int64_t> ids;
        for (const auto node : controller_->run()->path)
            ids.push_back(controller_->run()->tree.node(node).token.id);
        restore(*run);
        QCOMPARE(controller_->run()->next[2].id, 22);
        whatIf_->restore({.request = run->request, .newTokens = 60, .shown = ids, .step = 1});
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
        QTRY_VERIFY(!controller_->isDecoding());
        controller_->showPath(0);
        QTRY_VERIFY(!controller_->isDecoding());
        add(trace::ScaleHead{.head = head});
        waitForRun();
        controller_->showPath(0); // the paths were turned round: the other one
        QTRY_VERIFY(!controller_->isDecoding());
        QCOMPARE(controller_->run()->next[2].id, 22);
        whatIf_->apply({});
        QTRY_VERIFY(!controller_->isDecoding());
        QCOMPARE(controller_->run()->next[2].id, 22);
    }

    void theSameChangesAskForNothing() {
        whatIf_->apply({});
        add(trace::ScaleHead{.head = head});
        waitForRun();
        whatIf_->apply(WhatIf::List(whatIf_->interventions()));
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
        whatIf_->toggleHead(head);
        QVERIFY(whatIf_->interventions() == WhatIf::List{trace::withoutHead(head)});
        whatIf_->toggleHead(head);
        QVERIFY(whatIf_->interventions().empty());
    }

    void anotherModelBeginsWithoutChanges() {
        add(trace::ScaleHead{.head = head});
        controller_->clear({});
        QVERIFY(whatIf_->interventions().empty());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, WhatIfTest)
#include "what_if_test.moc"
