#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_classifier.h"
#include "tests/widgets/example_lens.h"
#include "tests/widgets/shown_view.h"
#include "widgets/views/lens/lens_step.h"
#include "widgets/words/card_words.h"

#include <cmath>

using namespace headscope;
using namespace headscope::widgets;

class LensStepTest : public QObject {
    Q_OBJECT

    static LensTable tableOf(std::optional<trace::Token> contrast) {
        const auto run = example::run();
        return {run, example::lens(*run, std::move(contrast))};
    }

  private Q_SLOTS:
    void theLastSublayerIsTheFirstRow() {
        const auto table = tableOf(example::token(901, "▁Frau"));
        const auto content = lensStepContent(table, 5);
        const auto& [layer, after, says, bar, share, lead] =
            std::tie(content.columns[0], content.columns[1], content.columns[2], content.columns[3],
                     content.columns[4], content.columns[5]);
        QCOMPARE(after.texts.size(), 10);
        QCOMPARE(layer.texts, QStringList({"2", "", "", "1", "", "", "0", "", "", ""}));
        QCOMPARE(after.texts.mid(0, 3), QStringList({"feed-forward", "cross", "self"}));
        QCOMPARE(after.texts.last(), QStringLiteral("embedding"));
        QCOMPARE(content.ruled, (std::set<int>{3, 6}));
        for (int row = 0; row < table.rows(); ++row) {
            const auto& reading = table.reading({row, 5});
            const auto place = static_cast<std::size_t>(row);
            const double chosen = std::exp(double(reading.chosenLogProbability));
            QCOMPARE(*bar.numbers[place], chosen);
            QCOMPARE(*share.numbers[place], chosen);
            QCOMPARE(*lead.numbers[place], double(*reading.lead));
            // The difference of logits is the logarithm of the ratio.
            QVERIFY(std::abs(std::log(chosen / *bar.second[place]) - *lead.numbers[place]) < 1e-6);
            QCOMPARE(says.tokens[place], table.piece({row, 5}));
        }
    }

    void aBaselineIsATickOnEachBar() {
        const auto table = tableOf(std::nullopt);
        LensBaseline twin{.name = "random twin", .probabilities = {}};
        for (int stage = 0; stage < table.rows(); ++stage)
            twin.probabilities.push_back(0.01 * stage);
        const auto content = lensStepContent(table, 5, twin);
        const auto& ticks = content.columns[3].ticks;
        QCOMPARE(ticks.size(), static_cast<std::size_t>(table.rows()));
        QCOMPARE(*ticks.front(), twin.probabilities.back()); // the last sublayer is the first row
        QCOMPARE(*ticks.back(), 0.0);
        QVERIFY(content.words(0).endsWith("random twin: " + shareText(twin.probabilities.back())));
        QVERIFY(lensStepContent(table, 5).columns[3].ticks.empty());
    }

    void ofAClassifierTheSublayersOfTheEncoderAreListed() {
        const auto run = example::classified(*example::run());
        auto lens = std::make_shared<trace::Lens>();
        lens->request = run->request;
        lens->stages = {"embedding", "encoder.0", "encoder-ff.0"};
        lens->contrast = trace::Token{.id = 0, .piece = "#0"};
        lens->readings.emplace_back();
        for (const float chosen : {0.3F, 0.6F, 0.8F})
            lens->readings.front().push_back(
                {.candidates = {{.token = {.id = chosen > 0.5F, .piece = chosen > 0.5F ? "#1" : "#0"}}},
                 .chosenLogProbability = std::log(chosen),
                 .lead = std::log(chosen) - std::log(1 - chosen)});
        const LensTable table(run, lens);
        QCOMPARE(table.columns(), 1);
        const auto content = lensStepContent(table, 0);
        QCOMPARE(content.columns[1].texts, QStringList({"feed-forward", "self", "embedding"}));
        QVERIFY(std::abs(*content.columns[3].second[0] - 0.2) < 1e-6);
        QCOMPARE(tests::plain(lensStepInWords(table, 0)), QStringLiteral("Class “#1”"));
        QVERIFY(tests::plain(lensStepNote(table, 0)).startsWith("“#1” ranks first from self 0 on"));
        QVERIFY(
            lensStepCaption(table, 0).contains("what the output head of example-classifier would predict"));
    }

    void aloneItHasNoSecondBarAndNoDifference() {
        const auto content = lensStepContent(tableOf(std::nullopt), 5);
        QCOMPARE(content.columns.size(), std::size_t(5));
        QVERIFY(content.columns[3].second.empty());
    }

    void theNoteSaysFromWhereOnItIsFirst() {
        const auto table = tableOf(example::token(901, "▁Frau"));
        const int row = *table.decidedRow(5);
        const auto sublayer = *table.sublayer(row);
        const QString note = tests::plain(lensStepNote(table, 5));
        QVERIFY2(note.startsWith(QStringLiteral("“Tochter” ranks first from %1 %2 on")
                                     .arg(shortSublayer(sublayer.kind), QString::number(sublayer.layer))),
                 qPrintable(note));
        QVERIFY(note.contains("its lead is largest after ff 2"));
        QVERIFY(!lensStepNote(tableOf(std::nullopt), 5).contains("lead"));
    }
};

HEADSCOPE_WATCHED_TEST(LensStepTest)
#include "lens_step_test.moc"
