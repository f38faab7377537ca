#include <QSignalSpy>
#include <QTest>

#include "app/document/document.h"
#include "app/document/intents.h"
#include "tests/app/window/fake_engine.h"
#include "tests/registered_test.h"

#include <string>

using namespace headscope;
using app::Document;
using app::WorkQueue;
namespace intents = widgets::intents;

class DocumentTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<Document> document_;

    const widgets::DocumentState& state() const { return document_->state(); }
    void decode(const char* sentence) {
        document_->controller()->decode(std::string(sentence));
        QTRY_VERIFY(!document_->controller()->isDecoding() && state().request);
    }

  private Q_SLOTS:
    void init() {
        script_.holdRuns = false;
        document_ =
            std::make_unique<Document>([this] { return std::make_unique<test::FakeEngine>(script_); });
        document_->start();
        document_->queue()->open({.path = "a-model"});
        QTRY_VERIFY(!document_->queue()->isBusy(WorkQueue::JobKind::Model));
        decode("one");
    }

    void cleanup() {
        script_.holdRuns = false;
        document_.reset();
    }

    void itsRequestIsThatOfTheShownRunWithTheTokenToCompareWith() {
        QCOMPARE(std::get<std::string>(state().request->source), std::string("one"));
        QVERIFY(!state().request->ratherThan);
        app::carryOut(document_.get(), intents::CompareWith{" t11 "});
        QCOMPARE(state().request->ratherThan, std::optional<std::string>("t11"));
        QCOMPARE(state().ratherThan, std::optional<std::string>("t11"));
        app::carryOut(document_.get(), intents::CompareWith{});
        QVERIFY(!state().request->ratherThan);
    }

    void aSecondModelIsOpenedOnceAndNoMoreWhenItIsStopped() {
        const auto& second = state().second;
        document_->openSecond("b-model");
        QVERIFY(second.isOpening());
        QTRY_VERIFY(second.model);
        document_->openSecond("b-model");
        QVERIFY(second.model && !second.isOpening());
        script_.holdOpening = true;
        document_->openSecond("c-model");
        QVERIFY(second.isOpening());
        document_->stopOpeningSecond();
        script_.holdOpening = false;
        QVERIFY(!second.isOpening() && second.refused);
        document_->openSecond("c-model"); // once more
        QTRY_VERIFY(second.model);
        QVERIFY(second.model->name == "c-model" && QString::fromStdString(second.name).endsWith("c-model"));
        QCOMPARE(document_->model()->name, std::string("a-model"));
        document_->openSecond({});
        QVERIFY(!second.model && !second.isOpening());
    }

    void aRunThatGrowsHasNoRequestYet() {
        script_.holdRuns = true;
        document_->controller()->decode(std::string("two"));
        QTRY_VERIFY(state().run && !state().run->complete);
        QVERIFY(!state().request && state().isDecoding);
        script_.holdRuns = false;
        QTRY_VERIFY(state().request && !state().isDecoding);
    }

    void headsAreMeasuredOfTheSentenceThatAPersonWantedItOf() {
        QVERIFY(!state().measures);
        app::carryOut(document_.get(), intents::MeasureHeads());
        QVERIFY(state().measures);
        decode("one");
        QVERIFY(state().measures);
        decode("two");
        QVERIFY(!state().measures);
    }

    void comparedWithAnotherTokenTheyAreMeasuredAgain() {
        document_->measureHeads();
        document_->controller()->setRatherThan("t11");
        QVERIFY(state().measures);
        document_->noteMeasured();
        app::carryOut(document_.get(), intents::StopMeasuring());
        QVERIFY(!state().measures && state().stoppedMeasuring);
        document_->controller()->setRatherThan("t12");
        QVERIFY(state().measures && !state().stoppedMeasuring); // as they were measured
    }

    void theTwinIsWhatItIsUntilItIsSwitched() {
        const QSignalSpy told(document_.get(), &Document::stateChanged);
        document_->choose("random-twin", "on", true);
        document_->choose("random-twin", "on", true);
        QCOMPARE(told.size(), 1);
        app::carryOut(document_.get(), intents::SeedTwin{7});
        QVERIFY(widgets::hasTwin(state()));
        QCOMPARE(state().twinSeed, std::uint64_t(7));
        const auto run = widgets::twinRunQuestion(state());
        QVERIFY(run && run->request.randomTwin == std::uint64_t(7));
        const auto heads = widgets::twinImportanceQuestion(state());
        QVERIFY(heads && heads->request.randomTwin == std::uint64_t(7));
        document_->choose("random-twin", "on", false);
        QVERIFY(!widgets::twinRunQuestion(state()) && !widgets::twinImportanceQuestion(state()));
    }

    void aChoiceThatViewsShareIsKeptOnce() {
        QCOMPARE(widgets::chosenWord(state(), "logit-lens", "of"), 0);
        const QSignalSpy told(document_.get(), &Document::stateChanged);
        app::carryOut(document_.get(), intents::Choose{"logit-lens", "of", std::string("twin")});
        app::carryOut(document_.get(), intents::Choose{"logit-lens", "of", std::string("twin")});
        QCOMPARE(told.size(), 1);
        QCOMPARE(widgets::chosenWord(state(), "logit-lens", "of"), 1);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, DocumentTest)
#include "document_test.moc"
