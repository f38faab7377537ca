#include <QTest>

#include "tests/registered_test.h"
#include "tests/widgets/example_maps.h"
#include "widgets/map/shown_map.h"

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;
using trace::MapQuantity;

class ShownMapTest : public QObject {
    Q_OBJECT

    static constexpr trace::HeadAddress decoderHead{{AttentionKind::DecoderSelf, 1}, 2};

    static double rowSum(const ShownMap& shown, std::size_t row, std::size_t first, std::size_t last) {
        double sum = 0;
        for (std::size_t c = first; c < last; ++c)
            sum += shown.mask(row, c) ? shown.values(row, c) : 0;
        return sum;
    }

  private Q_SLOTS:
    void weightsAreTheRunsOwn() {
        const auto run = example::run();
        const auto shown = shownMap(*run, nullptr, example::aligningHead, {});
        QCOMPARE(shown.values(5, 3), run->cross[2].weights(5, 5, 3));
        QCOMPARE(shown.queries.labels[5].text, "Tochter");
        QCOMPARE(shown.keys.labels[5].text, "daughter");
        QVERIFY(!shown.divider);
    }

    void scoresBeforeTheMaskShowWhatItCloses() {
        const auto run = example::run();
        const auto before = shownMap(*run, nullptr, decoderHead, {.quantity = Quantity::Scores});
        const auto after = shownMap(*run, nullptr, decoderHead, {.quantity = Quantity::OpenScores});
        QCOMPARE(int(before.mask(1, 8)), 1);
        QCOMPARE(before.values(1, 8), run->decoder[1].scores(2, 1, 8));
        QCOMPARE(int(after.mask(1, 8)), 0);
    }

    void mapsOfAnotherSiteAreNeverShown() {
        const auto run = example::run();
        const auto maps = example::normWeighted(*run, {AttentionKind::Cross, 1});
        QVERIFY(
            shownMap(*run, maps.get(), example::aligningHead, {.quantity = Quantity::NormWeighted}).empty());
        QVERIFY(shownMap(*run, nullptr, example::aligningHead, {.quantity = Quantity::NormWeighted}).empty());
        QVERIFY(shownMap(*run, maps.get(), {{AttentionKind::Cross, 1}, 0}, {.quantity = Quantity::Rollout})
                    .empty());
    }

    void sharesOfLengthsSumToOne() {
        const auto run = example::run();
        const auto maps = example::normWeighted(*run, example::aligningHead.site);
        const auto shown =
            shownMap(*run, maps.get(), example::aligningHead, {.quantity = Quantity::NormShares});
        QCOMPARE(shown.values.rows(), run->target.size());
        for (std::size_t r = 0; r < shown.values.rows(); ++r)
            QVERIFY(std::abs(rowSum(shown, r, 0, 11) - 1) < 1e-5);
    }

    void bothSidesOfTheRollOutSumToOneForThemselves() {
        const auto run = example::run();
        const auto maps = example::shares(*run, MapQuantity::Rollout, example::aligningHead.site);
        const auto shown = shownMap(*run, maps.get(), example::aligningHead, {.quantity = Quantity::Rollout});
        QCOMPARE(shown.divider, std::optional<std::size_t>(11));
        for (std::size_t r = 0; r < shown.values.rows(); ++r) {
            QVERIFY(std::abs(rowSum(shown, r, 0, 11) - 1) < 1e-5);
            QVERIFY(std::abs(rowSum(shown, r, 11, 23) - 1) < 1e-5);
        }
    }

    void columnsOfContributionsAreTheSourceThenWhatWasFed() {
        const auto run = example::run();
        const auto maps = example::shares(*run, MapQuantity::Contribution, example::aligningHead.site);
        const auto shown =
            shownMap(*run, maps.get(), example::aligningHead, {.quantity = Quantity::Contribution});
        QCOMPARE(shown.keys.labels[10].text, "</s>");
        QCOMPARE(shown.keys.labels[11].text, "<s>");
        QCOMPARE(shown.focusOf(2, 3), (TokenFocus{.sourceKey = 3, .targetQuery = 2}));
        QCOMPARE(shown.focusOf(2, 12), (TokenFocus{.targetQuery = 2, .targetKey = 1}));
        QCOMPARE(shown.keyOf({.targetKey = 1}), std::optional(12));
        QVERIFY(!shown.runCell({2, 3}));
    }

    void undefinedRowsAreClosedAndCounted() {
        const auto run = example::run();
        auto maps = example::shares(*run, MapQuantity::Contribution, example::aligningHead.site);
        for (std::size_t c = 0; c < maps->values.columns(); ++c)
            maps->values.at(0, 4, c) = std::numeric_limits<float>::quiet_NaN();
        const auto shown =
            shownMap(*run, maps.get(), example::aligningHead, {.quantity = Quantity::Contribution});
        QCOMPARE(shown.undefinedRows, std::size_t(1));
        QCOMPARE(int(shown.mask(4, 0)), 0);
        QCOMPARE(int(shown.mask(3, 0)), 1);
    }

    void whatRemainsWithoutSpecialKeysSumsToOne() {
        const auto run = example::run();
        const auto shown = shownMap(*run, nullptr, example::aligningHead, {.withoutSpecial = true});
        QCOMPARE(shown.columns().labels.size(), std::size_t(10));
        for (std::size_t r = 0; r < shown.values.rows(); ++r)
            QVERIFY(std::abs(rowSum(shown, r, 0, 10) - 1) < 1e-5);
        QCOMPARE(shown.keyOf({.sourceKey = 10}), std::optional<int>()); // </s>
    }

    void lengthsAreNotSharedOutAgain() {
        const auto run = example::run();
        const auto maps = example::normWeighted(*run, example::aligningHead.site);
        const auto shown = shownMap(*run, maps.get(), example::aligningHead,
                                    {.quantity = Quantity::NormWeighted, .withoutSpecial = true});
        QCOMPARE(shown.values(3, 4), maps->values(5, 3, 4));
    }

    void aWordLightsAndIsLitByAllItsPieces() {
        const auto run = example::run();
        const auto shown = shownMap(*run, nullptr, example::aligningHead, {.words = true});
        QCOMPARE(shown.queries.labels[7].text, "rotes");
        QCOMPARE(shown.queryOf({.targetQuery = 8}), std::optional(7));
        QCOMPARE(shown.focusOf(8, std::nullopt), (TokenFocus{.targetQuery = 9}));
        QVERIFY(!shown.runCell({7, 0}));
        QCOMPARE(shown.runCell({8, 0}), std::optional(MapCell{9, 0}));
        QVERIFY(std::abs(rowSum(shown, 7, 0, shown.values.columns()) - 1) < 1e-5);
    }

    void scoresStayOfPieces() {
        const auto run = example::run();
        const auto shown =
            shownMap(*run, nullptr, example::aligningHead, {.quantity = Quantity::Scores, .words = true});
        QCOMPARE(shown.values.rows(), std::size_t(12));
    }

    void aTurnedMapHasItsKeysDownTheSide() {
        const auto run = example::run();
        const auto shown = shownMap(*run, nullptr, example::aligningHead, {.transposed = true});
        QCOMPARE(shown.values(3, 5), run->cross[2].weights(5, 5, 3));
        QCOMPARE(shown.rows().labels[3].text, "gave");
        QCOMPARE(shown.focusOf(3, 5), TokenFocus::cell(AttentionKind::Cross, 5, 3));
        QCOMPARE(shown.runCell({3, 5}), std::optional(MapCell{5, 3}));
        QCOMPARE(shown.shownCell({5, 3}), std::optional(MapCell{3, 5}));
    }

    void bytesOfAWordMakeTheirCharacterOnce() {
        auto run = example::run();
        run->source = example::tokens({"▁x", "<0xE2>", "<0x82>", "<0xAC>", "▁y"}, 1);
        const auto mask = trace::MaskMatrix(12, 5, 1);
        run->cross[2] = example::record(example::aligningHead.site, 8, mask);
        const auto shown = shownMap(*run, nullptr, example::aligningHead, {.words = true});
        QCOMPARE(shown.keys.labels[0].text, "x€");
    }
};

HEADSCOPE_TEST(ShownMapTest)
#include "shown_map_test.moc"
