#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_masks.h"
#include "tests/widgets/shown_view.h"
#include "widgets/controls/text_band.h"
#include "widgets/views/predictions/prediction_tracks.h"
#include "widgets/views/predictions/predictions_view.h"
#include "widgets/words/hesitation_words.h"

using namespace headscope;
using namespace headscope::widgets;
using tests::plain;

class PredictionsViewTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<PredictionsView> view_;

    PredictionTracks* tracks() const { return view_->findChild<PredictionTracks*>(); }
    QPushButton* put() const { return view_->findChild<QPushButton*>(); }
    QString band(std::size_t line) const {
        QString text;
        for (const auto& word : view_->findChild<TextBand*>()->lines().at(line).words)
            text += word.text;
        return text;
    }
    static QString textOf(const trace::Run& run) {
        return QString::fromStdString(std::get<std::string>(run.request.source));
    }

  private Q_SLOTS:
    void init() {
        selection_ = std::make_unique<Selection>();
        view_ = std::make_unique<PredictionsView>(selection_.get());
        QVERIFY(tests::isSeen(*view_, {1000, 500}));
    }
    void cleanup() {
        view_.reset();
        selection_.reset();
    }

    void everyMaskHasItsFirstFiveCandidatesBelowIt() {
        const auto run = example::masked();
        view_->setRun(run);
        QCOMPARE(tracks()->rowCount(), 6);
        QCOMPARE(tracks()->columnCount(), static_cast<int>(run->source.size()));
        for (const auto& [position, candidates] : run->maskCandidates)
            for (int rank = 0; rank < 5; ++rank) {
                const MapCell cell{.row = rank + 1, .column = static_cast<int>(position)};
                const auto& candidate = candidates[std::size_t(rank)];
                QCOMPARE(
                    plain(tracks()->cellInWords(cell)),
                    QString("“guess%1”, %2")
                        .arg(QString::number(rank), percentText(std::exp(double{candidate.logProbability}))));
                QVERIFY(!tracks()->cellArea(cell).isEmpty());
            }
        QVERIFY(tracks()->cellInWords({.row = 1, .column = 0}).isEmpty());
    }

    void aClickSelectsACandidateAndTheTextShowsIt() {
        const auto run = example::masked();
        view_->setRun(run);
        QCOMPARE(put()->text(), QString("Put In “guess0”"));
        QTest::mouseClick(tracks(), Qt::LeftButton, {}, tracks()->cellArea({.row = 3, .column = 5}).center());
        QCOMPARE(int(selection_->step()), 1); // the second mask
        QCOMPARE(put()->text(), QString("Put In “guess2”"));
        QCOMPARE(band(0), textOf(*run));
        QString after = textOf(*run);
        after.replace(after.lastIndexOf("[MASK]"), 6, "guess2");
        QCOMPARE(band(1), after);
    }

    void putInPredictsTheTextWithTheCandidate() {
        const auto run = example::masked();
        view_->setRun(run);
        QSignalSpy wanted(view_.get(), &View::intended);
        QTest::keyClick(tracks(), Qt::Key_Right); // the second mask
        QTest::keyClick(tracks(), Qt::Key_Down);  // its second candidate, which continues a word
        QTest::keyClick(tracks(), Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
        const auto decode = std::get<intents::Decode>(wanted[0][0].value<Intent>());
        QString after = textOf(*run);
        after.replace(after.lastIndexOf(" [MASK]"), 7, "guess1");
        QCOMPARE(QString::fromStdString(decode.sentence), after);
        auto next = std::make_shared<trace::Run>(*run);
        next->request.source = decode.sentence;
        next->maskCandidates.clear();
        view_->setRun(next);
        QVERIFY(!view_->hasFigure() && !put()->isVisible());
        QCOMPARE(band(0), textOf(*run)); // of what was put in
        QCOMPARE(band(1), after);
        auto other = std::make_shared<trace::Run>(*next);
        other->request.source = std::string("another text");
        view_->setRun(other);
        QVERIFY(!view_->findChild<TextBand*>()->isVisible());
    }

    void ofReplacedTokensThereIsOneTrackOfProbabilities() {
        const auto run = example::replaced();
        view_->setRun(run);
        QCOMPARE(tracks()->rowCount(), 2);
        QVERIFY(!put()->isVisible());
        QVERIFY(plain(tracks()->cellInWords({.row = 1, .column = 4})).contains("replaced with 75"));
        const auto data = view_->figureData();
        QCOMPARE(data.tables.front().columns.size(), std::size_t(4));
        QCOMPARE(std::get<std::vector<double>>(data.tables.front().columns[3].values).at(4), 0.75);
    }

    void ofAnAnswerThereAreTwoTracksOfProbabilities() {
        const auto run = example::answered();
        view_->setRun(run);
        QCOMPARE(tracks()->rowCount(), 3);
        QCOMPARE(tracks()->rowName(1), QString("Start"));
        QCOMPARE(tracks()->rowName(2), QString("End"));
        QVERIFY(plain(tracks()->cellInWords({.row = 1, .column = 2})).contains("start with 50"));
        QVERIFY(plain(tracks()->cellInWords({.row = 2, .column = 4})).contains("end with 50"));
        QVERIFY(tracks()->cellArea({.row = 2, .column = 4}).top() >=
                tracks()->cellArea({.row = 1, .column = 4}).bottom());
        const auto data = view_->figureData();
        QCOMPARE(data.tables.front().columns.size(), std::size_t(5));
        QVERIFY(view_->figureText().caption.contains("Most probable answer"));
    }

    void withoutAMaskItSaysHowToWriteOne() {
        auto run = example::masked();
        run->maskCandidates.clear();
        view_->setRun(run);
        QVERIFY(!view_->hasFigure());
        QVERIFY2(view_->whyEmpty().contains("[MASK]"), qPrintable(view_->whyEmpty()));
    }
};

HEADSCOPE_WATCHED_TEST(PredictionsViewTest)
#include "predictions_view_test.moc"
