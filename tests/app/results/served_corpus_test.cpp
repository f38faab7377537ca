#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "model/analysis/heads/corpus_reading.h"
#include "tests/app/results/served_document.h"
#include "tests/model/files/foreign_files.h"
#include "tests/watched_test.h"

using namespace headscope;
using app::WorkQueue;

class ServedCorpusTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<tests::ServedDocument> served_;
    app::Document* document_ = nullptr;

    std::vector<std::string> sources() {
        const std::lock_guard lock(script_.mutex);
        std::vector<std::string> sources;
        for (const auto& request : script_.requests)
            sources.push_back(std::get<std::string>(request.source));
        return sources;
    }
    const widgets::DocumentState::ManySentences& corpus() const { return document_->state().corpus; }

  private Q_SLOTS:
    void init() {
        script_.holdRuns = false;
        script_.tamper = {};
        served_ = std::make_unique<tests::ServedDocument>(script_);
        document_ = served_->document();
        QVERIFY(served_->open("a-model") && served_->decode("shown"));
        script_.requests.clear();
    }

    void cleanup() {
        script_.holdRuns = false;
        served_.reset();
    }

    void everySentenceIsReadOnce() {
        document_->readCorpus({"one", "two", "three"});
        QVERIFY(corpus().underWay && !corpus().read);
        QTRY_VERIFY(corpus().read);
        QVERIFY(!corpus().underWay && corpus().areListed);
        QVERIFY(sources() == (std::vector<std::string>{"one", "two", "three"}));
        const analysis::CorpusHeadsWhat what{corpus().read};
        served_->results()->want(this, {trace::Counted(what)});
        QTRY_VERIFY(served_->results()->of(what));
        const auto heads = served_->results()->of(what);
        QCOMPARE(heads->heads.size(), std::size_t(6));
        QCOMPARE(heads->heads.front().sentences, std::size_t(3));
        QVERIFY(heads->twinHeads.empty());
    }

    void theTwinThatIsOnReadsWhatTheModelSaidOfEachSentence() {
        document_->setTwinSeed(7);
        document_->choose("random-twin", "on", true);
        document_->readCorpus({"one", "two"});
        QTRY_VERIFY(corpus().read);
        QVERIFY(sources() == (std::vector<std::string>{"one", "one", "two", "two"}));
        for (const std::size_t said : {0, 2}) {
            QVERIFY(!script_.requests[said].randomTwin);
            QVERIFY(script_.requests[said + 1].randomTwin == std::uint64_t(7));
            const auto& read = std::get<trace::TargetIds>(script_.requests[said + 1].paths.front().forced);
            QVERIFY(read.ids == (std::vector<std::int64_t>{2, 10, 11, 12, 13, 3}));
        }
        const auto twin = corpus().read->twin.heads();
        QCOMPARE(twin.size(), std::size_t(6));
        QCOMPARE(twin.front().sentences, std::size_t(2));
    }

    void whatTheTwinRefusesIsOfNeither() {
        document_->choose("random-twin", "on", true);
        script_.tamper = [](trace::Run& run) {
            if (run.request.randomTwin && run.request.source == trace::Source(std::string("two")))
                throw trace::Refusal({.what = "There is no memory left"});
        };
        document_->readCorpus({"one", "two", "three"});
        QTRY_VERIFY(corpus().read);
        QCOMPARE(corpus().refused, std::size_t(1));
        QCOMPARE(corpus().read->model.sentences(), std::size_t(2));
        QCOMPARE(corpus().read->twin.sentences(), std::size_t(2));
    }

    void ofSentencesThatAreAllRefusedNothingIsKnownAndTheLastOnesStay() {
        document_->readCorpus({"one"});
        QTRY_VERIFY(corpus().read);
        const auto before = corpus().read;
        script_.tamper = [](trace::Run&) { throw trace::Refusal({.what = "There is no memory left"}); };
        document_->readCorpus({"two", "three"});
        QTRY_VERIFY(!corpus().underWay);
        QCOMPARE(corpus().refused, std::size_t(2));
        QCOMPARE(corpus().read, before);
    }

    void whatIsAskedForMeanwhileGoesFirst() {
        script_.holdRuns = true;
        document_->readCorpus({"one", "two"});
        QTRY_COMPARE(sources().size(), std::size_t(1));
        document_->controller()->decode(std::string("wanted"));
        script_.holdRuns = false;
        QTRY_VERIFY(corpus().read);
        QVERIFY(sources() == (std::vector<std::string>{"one", "wanted", "one", "two"})); // the first anew
        QCOMPARE(corpus().read->model.sentences(), std::size_t(2));
    }

    void whatIsMeasuredMeanwhileGoesFirst() {
        script_.holdRuns = true;
        document_->readCorpus({"one", "two"});
        QTRY_COMPARE(sources().size(), std::size_t(1));
        document_->measureHeads();
        std::optional<std::size_t> doneBefore;
        connect(document_, &app::Document::stateChanged, this, [this, &doneBefore] {
            if (document_->state().measured && corpus().underWay && !doneBefore)
                doneBefore = corpus().underWay->done;
        });
        script_.holdRuns = false;
        QTRY_VERIFY(corpus().read);
        QCOMPARE(doneBefore, std::optional<std::size_t>(1));
        disconnect(document_, &app::Document::stateChanged, this, nullptr);
    }

    void whatIsThroughStaysWhenItIsStopped_data() {
        QTest::addColumn<bool>("byItself");
        QTest::newRow("alone") << true;
        QTest::newRow("with all that takes long") << false;
    }

    void whatIsThroughStaysWhenItIsStopped() {
        QFETCH(bool, byItself);
        script_.tamper = [this](const trace::Run& run) {
            if (run.request.source == trace::Source(std::string("two")))
                script_.holdRuns = true; // the next one
        };
        document_->readCorpus({"one", "two", "three", "four"});
        QTRY_VERIFY(corpus().underWay && corpus().underWay->done == 2);
        QVERIFY(served_->results()->isLong());
        if (byItself)
            document_->stopReading();
        else
            served_->results()->stop();
        QVERIFY(!corpus().underWay);
        QCOMPARE(corpus().read->model.sentences(), std::size_t(2));
        QVERIFY(!served_->queue()->isBusy(WorkQueue::JobKind::LongAnswers));
    }

    void anotherModelEndsItAndForgetsIt() {
        document_->readCorpus({"one"});
        QTRY_VERIFY(corpus().read);
        script_.holdRuns = true;
        document_->readCorpus({"two", "three"});
        QVERIFY(served_->open("another-model"));
        document_->adopt(document_->model());
        document_->controller()->clear(*document_->model());
        QVERIFY(!corpus().underWay && !corpus().read);
    }

    void aFilesSentencesAreRead() {
        const QTemporaryDir folder;
        const auto written = [&](const char* name, std::string_view text) {
            foreign_files::writeFile(folder.filePath(name).toStdString(), text);
            return folder.filePath(name);
        };
        const QString good = written("good.txt", "one\ntwo\tzwei\n\none\n");
        document_->readFile(good);
        document_->readCorpus({"one", "two", "three"});
        QTRY_VERIFY(!served_->queue()->isBusy());
        QCOMPARE(corpus().read->model.sentences(), std::size_t(3)); // the later request
        document_->readFile(good);
        QVERIFY(!corpus().underWay); // the file is read on another thread
        QTRY_VERIFY(corpus().read && !served_->queue()->isBusy());
        QCOMPARE(corpus().read->model.sentences(), std::size_t(2)); // distinct ones
        QSignalSpy refused(served_->queue(), &WorkQueue::refused);
        for (const QString& path : {written("empty.txt", ""), written("blank.txt", " \n\t\n"), folder.path(),
                                    folder.filePath("nowhere.txt")}) {
            document_->readFile(path);
            QTRY_COMPARE(refused.size(), 1);
            QVERIFY2(!corpus().underWay, qPrintable(path));
            const auto text = refused.takeFirst().at(1).value<trace::RefusalText>();
            QCOMPARE(QString::fromStdString(text.where), path);
            QVERIFY(!text.wayOut.empty());
        }
    }
};

HEADSCOPE_WATCHED_TEST(ServedCorpusTest)
#include "served_corpus_test.moc"
