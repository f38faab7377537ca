#include <QTest>

#include "tests/watched_test.h"
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
        QVERIFY2(note.startsWith(QStringLiteral("“Tochter” is first from %1 %2 on")
                                     .arg(shortSublayer(sublayer.kind), QString::number(sublayer.layer))),
                 qPrintable(note));
        QVERIFY(note.contains("its lead is largest after ff 2"));
        QVERIFY(!lensStepNote(tableOf(std::nullopt), 5).contains("lead"));
    }
};

HEADSCOPE_WATCHED_TEST(LensStepTest)
#include "lens_step_test.moc"
