#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/export/figure_export.h"
#include "widgets/selection.h"
#include "widgets/views/head_page/head_page.h"

#include <algorithm>

using namespace headscope;
using namespace headscope::widgets;
using analysis::Statistic;
using trace::AttentionKind;

class HeadPageTest : public QObject {
    Q_OBJECT

    std::shared_ptr<trace::Run> run_ = example::run();
    Selection selection_;
    std::unique_ptr<HeadPage> page_;

    HeadFacts factsOf(const trace::HeadAddress& head) const {
        const auto all = analysis::statisticsOfHeads(*run_);
        return {.statistics = *std::ranges::find(all, head, &analysis::HeadStatistics::head)};
    }
    QListWidget* list() const { return page_->findChild<QListWidget*>(); }
    QPushButton* button(const char* text) const {
        for (auto* button : page_->findChildren<QPushButton*>())
            if (button->text().startsWith(text))
                return button;
        return nullptr;
    }
    bool says(const char* words) const { return page_->words().contains(words); }

  private Q_SLOTS:
    void init() {
        page_ = std::make_unique<HeadPage>(&selection_);
        page_->resize(360, 480);
        page_->show();
        page_->setRun(run_);
    }

    void withoutFactsItSaysWhatItWouldShow() { QVERIFY(says("Decode a sentence")); }

    void statisticsAreSaidInWords() {
        page_->setFacts(factsOf(example::aligningHead));
        QVERIFY(says("Cross-attention cross.2.5 (of 3 layers, 8 heads per layer)"));
        QVERIFY(says("Effective keys"));
        QVERIFY(says("uniform"));
        QVERIFY(says("Least covered"));
        QVERIFY(!says("Mean attention distance")); // only for self-attention
        page_->setFacts(factsOf({{AttentionKind::DecoderSelf, 0}, 7}));
        QVERIFY(says("Mean attention distance"));
        QVERIFY(says("back on average"));
        QVERIFY(!says("Weight on the next token"));
    }

    void aRoleComesWithItsEvidence() {
        auto facts = factsOf(example::aligningHead);
        facts.statistics.values[Statistic::Monotony] = 0.95;
        facts.statistics.values[Statistic::Confidence] = 0.75;
        page_->setFacts(facts);
        QVERIFY(
            says("Aligns words (by shape): follows the source in order (monotony 0.95, confidence 0.75)"));
        QVERIFY(says("too few for a general statement"));
        facts.twin = facts.statistics;
        facts.twin->values[Statistic::Monotony] = -0.125;
        facts.statistics.sentences = 250;
        facts.statistics.rows = 2000;
        page_->setFacts(facts);
        QVERIFY(says("Random twin: −0.12") || says("Random twin: −0.13"));
        QVERIFY(says("Measured on 250 sentences (rows: 2000)."));
        QVERIFY(says("The random twin read the same sentences"));
        facts.importance = 0.5;
        page_->setFacts(facts);
        QVERIFY(says("The importance refers to the shown sentence only"));
        QVERIFY(!says("has not read these sentences"));
        page_->setTwinUnread(true);
        QVERIFY(says("The random twin has not read these sentences"));
        facts.statistics.values[Statistic::Monotony] = 0.1;
        facts.statistics.values[Statistic::NormalisedEntropy] = 0.5;
        page_->setFacts(facts);
        QVERIFY(says("No role on 250 sentences"));
        QVERIFY(!says("Broad"));
        facts.statistics.values[Statistic::NormalisedEntropy] = 0.97;
        page_->setFacts(facts);
        QVERIFY(says("No role on 250 sentences") && says("Broad: the entropy is 97"));
    }

    void thePageIsAFigure() {
        HeadPage empty(&selection_);
        QVERIFY(!empty.hasFigure());
        auto facts = factsOf(example::aligningHead);
        page_->setFacts(facts);
        QVERIFY(page_->hasFigure());
        const auto drawn =
            figureBytes({.format = FigureFormat::Svg, .size = page_->figureSize(), .dpi = 96}, *page_);
        QVERIFY2(drawn.error.isEmpty(), qPrintable(drawn.error));
        for (const char* words : {"cross.2.5", "Effective keys", "Run many sentences"})
            QVERIFY2(drawn.bytes.contains(words), words);
        QCOMPARE(page_->figureText().title, QString("Facts about cross.2.5"));
        QCOMPARE(page_->figureText().head, QString("cross.2.5"));
        QVERIFY(page_->figureText().provenance.startsWith("example-en-de; "));
        facts.statistics.sentences = 250;
        page_->setFacts(facts);
        QVERIFY(page_->figureText().provenance.contains("250 sentences"));
    }

    void theSentencesThatDriveItCanBeDecoded() {
        auto facts = factsOf(example::aligningHead);
        page_->setFacts(facts);
        QVERIFY(!list()->isVisible());
        QVERIFY(says("Run many sentences"));
        facts.driving = {{"I like <b>it</b>.", 0.9}, {"He came.", 0.5}};
        facts.drivenBy = Statistic::Monotony;
        page_->setFacts(facts);
        QCOMPARE(list()->count(), 2);
        QVERIFY(says("strongest \"Monotony\""));
        QCOMPARE(list()->item(0)->text(), "0.90  I like <b>it</b>.");
        const QSignalSpy intended(page_.get(), &View::intended);
        list()->setCurrentRow(0);
        QTest::keyClick(list(), Qt::Key_Return);
        QCOMPARE(std::get<intents::Decode>(intended.front().front().value<Intent>()).sentence,
                 std::string("I like <b>it</b>."));
    }

    void sentencesAreRunAndStoppedHere() {
        using From = intents::ReadSentences::From;
        QSignalSpy intended(page_.get(), &View::intended);
        const auto from = [&] {
            return std::get<intents::ReadSentences>(intended.takeFirst().front().value<Intent>()).from;
        };
        button("Run the Sample")->click();
        QCOMPARE(from(), From::Samples);
        button("Run a Text")->click();
        QCOMPARE(from(), From::File);
        page_->setProgress(HeadPage::Progress{.done = 3, .wanted = 8});
        QVERIFY(!button("Run the Sample")->isVisible());
        QCOMPARE(page_->findChild<QProgressBar*>()->text(), "3 of 8 sentences");
        button("Cancel")->click();
        QCOMPARE(from(), From::Nowhere);
        page_->setProgress(std::nullopt);
        QVERIFY(button("Run the Sample")->isVisible());
    }

    void whatCannotBeRunSaysWhy() {
        page_->setWhyNoCorpus("This model reads ids only.");
        QVERIFY(!button("Run the Sample")->isEnabled());
        QCOMPARE(button("Run the Sample")->toolTip(), "This model reads ids only.");
        page_->setWhyNoCorpus({});
        QVERIFY(button("Run the Sample")->isEnabled());
    }

    void refusedSentencesAreCounted() {
        page_->setFacts(factsOf(example::aligningHead));
        page_->setRefused(2);
        QVERIFY(says("refused by the model: 2"));
    }
};

HEADSCOPE_WATCHED_TEST(HeadPageTest)
#include "head_page_test.moc"
