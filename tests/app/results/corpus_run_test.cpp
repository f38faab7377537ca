#include <QSignalSpy>
#include <QTest>

#include "app/results/corpus_run.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/selection.h"

using namespace headscope;
using app::CorpusRun;
using app::WorkQueue;

class CorpusRunTest : public QObject {
    Q_OBJECT

    using JobKind = WorkQueue::JobKind;

    test::FakeEngine::Script script_;
    std::unique_ptr<app::Document> document_;
    WorkQueue* queue_ = nullptr;
    std::unique_ptr<CorpusRun> corpus_;

    std::vector<std::string> sources() {
        const std::lock_guard lock(script_.mutex);
        std::vector<std::string> sources;
        for (const auto& request : script_.requests)
            sources.push_back(std::get<std::string>(request.source));
        return sources;
    }

  private Q_SLOTS:
    void init() {
        script_.holdRuns = false;
        script_.requests.clear();
        document_ =
            std::make_unique<app::Document>([this] { return std::make_unique<test::FakeEngine>(script_); });
        queue_ = document_->queue();
        corpus_ = std::make_unique<CorpusRun>(document_.get());
        document_->start();
        const QSignalSpy opened(queue_, &WorkQueue::modelOpened);
        queue_->open({.path = "a-model"});
        QTRY_COMPARE(opened.size(), 1);
    }

    void cleanup() {
        script_.holdRuns = false;
        document_.reset();
        corpus_.reset();
    }

    void everySentenceIsRunOnce() {
        corpus_->start({"one", "two", "three"});
        QVERIFY(corpus_->isRunning());
        QTRY_VERIFY(corpus_->result());
        QVERIFY(!corpus_->isRunning());
        QCOMPARE(corpus_->done(), std::size_t(3));
        QVERIFY(sources() == (std::vector<std::string>{"one", "two", "three"}));
        QCOMPARE(corpus_->result()->corpus.sentences(), std::size_t(3));
        QCOMPARE(corpus_->result()->heads.size(), std::size_t(6));
        QCOMPARE(corpus_->result()->heads.front().sentences, std::size_t(3));
        QVERIFY(!corpus_->result()->twinSeed);
        QVERIFY(corpus_->result()->twinHeads.empty());
    }

    void theTwinThatIsOnReadsWhatTheModelSaidOfEachSentence() {
        document_->setTwinSeed(7);
        document_->choose("random-twin", "on", true);
        corpus_->start({"one", "two"});
        QTRY_VERIFY(corpus_->result());
        QVERIFY(sources() == (std::vector<std::string>{"one", "one", "two", "two"}));
        for (const std::size_t said : {0, 2}) {
            QVERIFY(!script_.requests[said].randomTwin);
            QVERIFY(script_.requests[said + 1].randomTwin == std::uint64_t(7));
            const auto& read = std::get<trace::TargetIds>(script_.requests[said + 1].paths.front().forced);
            QVERIFY(read.ids == (std::vector<std::int64_t>{2, 10, 11, 12, 13, 3}));
        }
        QVERIFY(corpus_->result()->twinSeed == std::uint64_t(7));
        QCOMPARE(corpus_->result()->twinCorpus.sentences(), std::size_t(2));
        QCOMPARE(corpus_->result()->twinHeads.size(), std::size_t(6));
        QCOMPARE(corpus_->result()->twinHeads.front().sentences, std::size_t(2));
    }

    void whatTheTwinRefusesIsOfNeither() {
        document_->choose("random-twin", "on", true);
        script_.tamper = [](trace::Run& run) {
            if (run.request.randomTwin && run.request.source == trace::Source(std::string("two")))
                throw trace::Refusal({.what = "There is no memory left"});
        };
        corpus_->start({"one", "two", "three"});
        QTRY_VERIFY(corpus_->result());
        script_.tamper = {};
        QCOMPARE(corpus_->refused(), std::size_t(1));
        QCOMPARE(corpus_->result()->corpus.sentences(), std::size_t(2));
        QCOMPARE(corpus_->result()->twinCorpus.sentences(), std::size_t(2));
    }

    void whatIsAskedForMeanwhileGoesFirst() {
        script_.holdRuns = true;
        corpus_->start({"one", "two", "three"});
        QTRY_COMPARE(sources().size(), std::size_t(1));
        queue_->run(JobKind::Main, {.source = "wanted"});
        script_.holdRuns = false;
        QTRY_VERIFY(corpus_->result());
        QVERIFY(sources() == (std::vector<std::string>{"one", "wanted", "two", "three"}));
    }

    void whatIsThroughStaysWhenItIsStopped() {
        connect(corpus_.get(), &CorpusRun::progressed, this, [this] {
            if (corpus_->isRunning() && corpus_->done() == 2 && corpus_->wanted() == 4)
                QMetaObject::invokeMethod(corpus_.get(), &CorpusRun::stop, Qt::QueuedConnection);
            if (corpus_->done() == 2)
                script_.holdRuns = true;
        });
        corpus_->start({"one", "two", "three", "four"});
        QTRY_VERIFY(corpus_->result());
        QCOMPARE(corpus_->result()->corpus.sentences(), std::size_t(2));
        QVERIFY(!corpus_->isRunning());
    }

    void anotherModelEndsItAndForgetsIt() {
        corpus_->start({"one"});
        QTRY_VERIFY(corpus_->result());
        script_.holdRuns = true;
        corpus_->start({"two", "three"});
        queue_->open({.path = "another-model"});
        QTRY_VERIFY(!corpus_->isRunning()); // it would go on if that model were refused
        QTRY_VERIFY(!corpus_->result());
    }
};

HEADSCOPE_WATCHED_TEST(CorpusRunTest)
#include "corpus_run_test.moc"
