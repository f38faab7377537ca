#include <QLabel>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/random_twin_runs.h"
#include "widgets/export/figure_export.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/random_twin/random_twin_panel.h"
#include "widgets/views/random_twin/random_twin_words.h"
#include "widgets/views/random_twin/two_readings_table.h"
#include "widgets/words/captions.h"

using namespace headscope;
using namespace headscope::widgets;

class RandomTwinPanelTest : public QObject {
    Q_OBJECT

    Selection selection_;
    const example::TwinRuns runs_ = example::twinRuns(example::run());

    /// Without the marks that keep directions apart.
    static QString plain(QString text) { return text.remove(QChar(0x2068)).remove(QChar(0x2069)); }

  private Q_SLOTS:
    void init() {
        selection_.setHead(example::aligningHead);
        selection_.setStep(0);
    }

    void withoutATwinItSaysWhatItWouldShow() {
        RandomTwinPanel panel(&selection_);
        QVERIFY(panel.words().contains("random weights"));
        QVERIFY(panel.map()->isHidden());
        QVERIFY(panel.findChild<TwoReadingsTable*>()->isHidden());
    }

    void whatTheTwinSaysItselfIsSaidToBeItsOwn() {
        RandomTwinPanel panel(&selection_);
        panel.setRuns(runs_.shown, runs_.twin);
        QVERIFY(plain(panel.words())
                    .startsWith("On its own, the twin writes “<s>” 24 times, stopped after 24 tokens."));
        auto twin = std::make_shared<trace::Run>(*runs_.twin);
        twin->paths.front().output = "Haus Haus";
        QCOMPARE(plain(twinSaidInWords(*twin)), QString("“Haus Haus”, stopped after 24 tokens"));
        const auto end = twin->tree.add(
            {.parent = twin->paths.front().leaf, .token = example::token(3, "</s>", trace::TokenRole::End)});
        twin->paths.front().leaf = end;
        QCOMPARE(plain(twinSaidInWords(*twin)), QString("“Haus Haus”"));
        twin->paths.front().leaf = 0;
        QCOMPARE(twinSaidInWords(*twin), QString("nothing"));
    }

    /// Random networks say the same piece over and over, often one that begins no word.
    void aWordWithoutEndIsNotCut() {
        const QString word(300, 'w');
        RandomTwinPanel panel(&selection_);
        auto twin = std::make_shared<trace::Run>(*runs_.twin);
        twin->paths.front().output = word.toStdString();
        panel.setRuns(runs_.shown, twin);
        const auto widthOfSaid = [&] {
            for (const auto* label : panel.findChildren<QLabel*>())
                if (label->text().startsWith("On its own"))
                    return label->minimumSizeHint().width();
            return 0;
        };
        const QFontMetrics letters(panel.font());
        QVERIFY(widthOfSaid() > 0 && widthOfSaid() <= letters.horizontalAdvance(QString(30, 'w')));
        for (const QString& part : panel.words().split(QChar(0x200B)))
            QVERIFY2(part.contains(' ') || letters.horizontalAdvance(part) < 300, qPrintable(part));
        QVERIFY(panel.figureText().caption.contains(word)); // in a file it is whole
    }

    void theOutputIsReadTwice() {
        RandomTwinPanel panel(&selection_);
        panel.setRuns(runs_.shown, runs_.twin);
        const auto readings = analysis::compareReadings(*runs_.shown, *runs_.twin);
        const auto mean = analysis::meanReading(readings);
        QVERIFY(panel.words().contains(
            QString("%1 in the model, %2 in the twin").arg(numberText(mean.first), numberText(mean.second))));
        QVERIFY(panel.words().contains(numberText(-std::log(8000))));
        const auto* table = panel.findChild<TwoReadingsTable*>();
        QCOMPARE(table->columnCount(), static_cast<int>(readings.size()));
        QCOMPARE(table->item(1, 0)->text(), numberText(std::exp(readings[0].first)));
        QCOMPARE(table->item(2, 0)->text(), QString("0.00012"));
    }

    void aStepIsShownAndChosenInTheTable() {
        RandomTwinPanel panel(&selection_);
        panel.setRuns(runs_.shown, runs_.twin);
        auto* table = panel.findChild<TwoReadingsTable*>();
        selection_.setStep(4);
        QVERIFY(table->item(0, 4)->isSelected());
        Q_EMIT table->cellClicked(1, 2);
        QCOMPARE(selection_.step(), 2);
        table->setCurrentCell(0, 6);
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(selection_.step(), 6);
    }

    void theMapIsThatOfTheSelectedHeadInTheTwin() {
        RandomTwinPanel panel(&selection_);
        panel.setRuns(runs_.shown, runs_.twin);
        QVERIFY(panel.map()->figureText().caption.startsWith("Random twin, seed 1. Cross-attention cross.2"));
        const trace::HeadAddress other{{trace::AttentionKind::EncoderSelf, 1}, 3};
        selection_.setHead(other);
        QVERIFY(panel.map()->figureText().caption.contains("Encoder self-attention encoder.1.3"));
    }

    void aHeadIsSharperInTheModelThanInTheTwin() {
        const auto entropies = analysis::compareEntropy(*runs_.shown, *runs_.twin, example::aligningHead);
        QVERIFY(entropies && entropies->first.mean < entropies->second.mean);
        RandomTwinPanel panel(&selection_);
        panel.setRuns(runs_.shown, runs_.twin);
        panel.setEntropies(entropies);
        QVERIFY(
            panel.words().contains("cross.2.5, mean entropy of a row: " + numberText(entropies->first.mean)));
        for (const trace::HeadAddress& missing : {trace::HeadAddress{{trace::AttentionKind::Cross, 9}, 0},
                                                  {{trace::AttentionKind::Cross, 0}, 99}})
            QVERIFY(!analysis::compareEntropy(*runs_.shown, *runs_.twin, missing));
        panel.setEntropies(std::nullopt);
        QVERIFY(!panel.words().contains("entropy"));
    }

    void thePanelIsAPictureWithAllThatItSays() {
        RandomTwinPanel panel(&selection_);
        QVERIFY(!panel.hasFigure());
        panel.setRuns(runs_.shown, runs_.twin);
        panel.setEntropies(analysis::compareEntropy(*runs_.shown, *runs_.twin, example::aligningHead));
        QVERIFY(panel.hasFigure());
        QCOMPARE(panel.figureText().title, QString("Random twin, seed 1"));
        QVERIFY(panel.figureText().caption.contains(panel.words().split('\n').front()));
        const auto svg = figureBytes({.format = FigureFormat::Svg, .size = panel.figureSize()}, panel);
        const QString drawn = QString::fromUtf8(svg.bytes);
        for (const char* words : {">Model<", ">Twin<", ">0.00012<", "On its own, the twin writes",
                                  "mean entropy", "Random twin, seed 1."})
            QVERIFY2(drawn.contains(words), words);
    }

    void theNumbersBehindThePanelAreThoseOfTheTableTheWordsAndTheMap() {
        RandomTwinPanel panel(&selection_);
        QVERIFY(panel.figureData().empty());
        panel.setRuns(runs_.shown, runs_.twin);
        const auto entropies = analysis::compareEntropy(*runs_.shown, *runs_.twin, example::aligningHead);
        panel.setEntropies(entropies);
        const auto data = panel.figureData();
        const auto numbers = [&](const char* name, std::size_t column) {
            const auto table = std::ranges::find(data.tables, name, &trace::DataTable::name);
            return table == data.tables.end()
                       ? std::vector<double>()
                       : std::get<std::vector<double>>(table->columns.at(column).values);
        };
        const auto readings = analysis::compareReadings(*runs_.shown, *runs_.twin);
        QCOMPARE(numbers("readings", 2).size(), readings.size());
        QCOMPARE(numbers("readings", 2).at(3), readings[3].first);
        QCOMPARE(numbers("readings", 3).at(3), readings[3].second);
        const auto mean = analysis::meanReading(readings);
        QCOMPARE(numbers("mean_readings", 0), std::vector{mean.first});
        QCOMPARE(numbers("mean_readings", 1), std::vector{mean.second});
        QCOMPARE(numbers("mean_readings", 2), std::vector{-std::log(8000.0)});
        QCOMPARE(numbers("entropies", 1), std::vector{entropies->first.mean});
        QCOMPARE(numbers("entropies", 2), std::vector{entropies->second.mean});
        const auto said = std::ranges::find(data.tables, "said_by_twin", &trace::DataTable::name);
        QVERIFY(said != data.tables.end());
        QCOMPARE(std::get<std::vector<std::string>>(said->columns.front().values),
                 std::vector{plain(twinSaidInWords(*runs_.twin)).toStdString()});
        const auto map = panel.map()->figureData();
        QVERIFY(!map.arrays.empty() && map.arrays.front().values == data.arrays.front().values);
    }

    void aRefusalStandsWhereTheTwinWould() {
        RandomTwinPanel panel(&selection_);
        panel.setRuns(runs_.shown, runs_.twin);
        panel.showRefusal({.what = "No memory", .wayOut = "close other programs"});
        QVERIFY(panel.words().startsWith("No memory.") && panel.words().contains("close other programs"));
        QVERIFY(panel.map()->isHidden());
        panel.setRuns(runs_.shown, runs_.twin);
        QVERIFY(!panel.map()->isHidden());
    }

    void anEncoderAloneHasMapsOnly() {
        auto shown = std::make_shared<trace::Run>(*runs_.shown);
        shown->path.clear();
        auto twin = std::make_shared<trace::Run>(*runs_.twin);
        twin->path.clear();
        twin->paths.clear();
        RandomTwinPanel panel(&selection_);
        panel.setRuns(shown, twin);
        QVERIFY(panel.words().startsWith("Encoder-only model"));
        shown->classLogProbabilities = twin->classLogProbabilities = {-0.5F, -1};
        panel.setRuns(shown, twin);
        QVERIFY(panel.words().startsWith("The probability of each class"));
        auto* table = panel.findChild<TwoReadingsTable*>();
        Q_EMIT table->cellClicked(1, 1);
        QCOMPARE(selection_.step(), 0);
    }

    void anotherSeedIsAskedFor() {
        RandomTwinPanel panel(&selection_);
        QSignalSpy chosen(&panel, &RandomTwinPanel::intended);
        panel.setSeed(5);
        QVERIFY(chosen.isEmpty());
        auto* box = panel.findChild<QAbstractSpinBox*>();
        box->stepUp();
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(std::get<intents::SeedTwin>(chosen.front().front().value<Intent>()).seed, 6u);
    }
};

HEADSCOPE_WATCHED_TEST(RandomTwinPanelTest)
#include "random_twin_panel_test.moc"
