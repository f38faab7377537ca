#include <QTest>

#include "model/analysis/maps/map_views.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::analysis;

class MapViewsTest : public QObject {
    Q_OBJECT

    static trace::Token piece(const char* text, trace::TokenRole role = trace::TokenRole::Text) {
        return {.piece = text, .role = role};
    }

    /// Two rows over "▁an", "▁appl", "e", ".", "</s>".
    static std::vector<trace::Token> keys() {
        return {piece("▁an"), piece("▁appl"), piece("e"), piece("."), piece("</s>", trace::TokenRole::End)};
    }
    static MapTable table() {
        const trace::Matrix values(2, 5, {0.1F, 0.2F, 0.3F, 0.1F, 0.3F, 0.01F, 0.01F, 0.01F, 0.01F, 0.96F});
        return tableOf(trace::view(values), trace::MaskMatrix(2, 5, 1));
    }
    static double rowSum(const MapTable& table, std::size_t row) {
        double sum = 0;
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            sum += table.mask(row, c) ? table.values(row, c) : 0;
        return sum;
    }

    /// Compares a number that was made of rounded weights and perhaps divided by a sum of them, and rounded.
    static tests::Comparison compare(double found, double expected) {
        return tests::compare("weight", found, expected, tests::ofRoundings(3, expected));
    }

  private Q_SLOTS:
    void withoutSpecialKeysEqualsTheSoftmaxOverTheKeptScores() {
        std::vector<double> scores{0.3, -1.2, 2, 0.5, 1.7};
        trace::Matrix weights(1, 5);
        double all = 0, kept = 0;
        for (std::size_t c = 0; c < 5; ++c) {
            all += std::exp(scores[c]);
            kept += c < 4 ? std::exp(scores[c]) : 0;
        }
        for (std::size_t c = 0; c < 5; ++c)
            weights(0, c) = static_cast<float>(std::exp(scores[c]) / all);
        auto view = withoutSpecialKeys(tableOf(trace::view(weights), trace::MaskMatrix(1, 5, 1)), keys());
        const auto sums = normaliseRows(view);
        QCOMPARE(view.columns.size(), std::size_t(4));
        VERIFY_AGREES(compare(sums[0], kept / all));
        for (std::size_t c = 0; c < 4; ++c)
            VERIFY_AGREES(compare(view.values(0, c), std::exp(scores[c]) / kept));
    }

    void rowsThatKeptLittleAreNamed() {
        const auto whole = table();
        auto view = withoutSpecialKeys(whole, keys());
        const auto sums = normaliseRows(view);
        QCOMPARE(weakRows(whole, sums), std::vector<std::size_t>{1});
        const auto kept = keptShares(whole, sums);
        QCOMPARE(kept.size(), whole.rows.size());
        QVERIFY(kept[0] >= 0.05 && kept[1] < 0.05);
        VERIFY_AGREES(compare(rowSum(view, 1), 1));
    }

    void aMapOfSpecialKeysOnlyIsEmpty() {
        const trace::Matrix values(1, 1, 1.0F);
        const auto view = withoutSpecialKeys(tableOf(trace::view(values), trace::MaskMatrix(1, 1, 1)),
                                             {piece("</s>", trace::TokenRole::End)});
        QVERIFY(view.values.empty());
        QVERIFY(view.columns.empty());
    }

    void theTwoSidesOfARowAreNormalisedApart() {
        auto sides = table();
        normaliseRows(sides, 2);
        VERIFY_AGREES(compare(double(sides.values(0, 0)) + sides.values(0, 1), 1));
        VERIFY_AGREES(compare(rowSum(sides, 0), 2));
    }

    void wordsBeginAtASpaceAndEndBeforePunctuation() {
        QCOMPARE(wordsOf(keys()), (std::vector<MapSpan>{{0, 1}, {1, 3}, {3, 4}, {4, 5}}));
        QCOMPARE(wordsOf({piece("▁do"), piece("n"), piece("'"), piece("t"), piece("?"), piece("!")}),
                 (std::vector<MapSpan>{{0, 4}, {4, 6}}));
        QCOMPARE(wordsOf({piece("a"), piece("b")}), (std::vector<MapSpan>{{0, 1}, {1, 2}}));
        QVERIFY(wordsOf({}).empty());
    }

    void rowsOfWordsStillSumToOne() {
        const auto words = byWords(table(), {{0, 2}}, wordsOf(keys()));
        QCOMPARE(words.rows, (std::vector<MapSpan>{{0, 2}}));
        QCOMPARE(words.columns.size(), std::size_t(4));
        VERIFY_AGREES(compare(words.values(0, 1), (0.2 + 0.3 + 0.01 + 0.01) / 2));
        VERIFY_AGREES(compare(rowSum(words, 0), 1));
    }

    void wordsOfKeysThatWereLeftOutAreLeftOutToo() {
        const auto words = byWords(withoutSpecialKeys(table(), keys()), {{0, 1}, {1, 2}}, wordsOf(keys()));
        QCOMPARE(words.columns, (std::vector<MapSpan>{{0, 1}, {1, 3}, {3, 4}}));
    }

    void aClosedRowIsNoPartOfItsWord() {
        auto half = table();
        for (std::size_t c = 0; c < 5; ++c)
            half.mask(1, c) = 0;
        const auto words = byWords(half, {{0, 2}}, wordsOf(keys()));
        VERIFY_AGREES(compare(rowSum(words, 0), 1));
        VERIFY_AGREES(compare(words.values(0, 0), 0.1));
    }

    void aWordWhosePiecesAreAllClosedIsClosed() {
        auto causal = table();
        causal.mask(0, 1) = causal.mask(0, 2) = 0;
        const auto words = byWords(causal, {{0, 1}, {1, 2}}, wordsOf(keys()));
        QCOMPARE(int(words.mask(0, 1)), 0);
        QCOMPARE(int(words.mask(1, 1)), 1);
    }

    void rowsWithoutANumberAreClosed() {
        auto undefined = table();
        for (std::size_t c = 0; c < 5; ++c)
            undefined.values(1, c) = std::numeric_limits<float>::quiet_NaN();
        undefined.values(0, 0) = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(closeUndefinedRows(undefined), std::vector<std::size_t>{1});
        QCOMPARE(int(undefined.mask(1, 3)), 0);
        QCOMPARE(int(undefined.mask(0, 0)), 1);
    }

    void whatKeysReceiveInAllIsTheSumOfTheirColumn() {
        auto some = table();
        some.mask(1, 4) = 0;
        const auto sums = received(some);
        VERIFY_AGREES(compare(sums[0], 0.11));
        VERIFY_AGREES(compare(sums[4], 0.3));
    }
};

HEADSCOPE_TEST(MapViewsTest)
#include "map_views_test.moc"
