#include <QTest>

#include "model/analysis/maps/viewed_weight.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;
using trace::AttentionKind;

/// A cross-attention head over "<s>", "do", "n't", "know" with values that can be checked by hand.
class ViewedWeightTest : public QObject {
    Q_OBJECT

    static constexpr trace::HeadAddress head{{AttentionKind::Cross, 0}, 0};

    static trace::Token token(const char* piece, trace::TokenRole role = trace::TokenRole::Text) {
        return {.piece = piece, .role = role};
    }

    /// Row 0 has weights 0.5, 0.2, 0.1, 0.2; row 1 has 0.2, 0.1, 0.3, 0.4.
    static trace::Run run() {
        trace::Run made;
        made.source = {token("<s>", trace::TokenRole::Start), token("\u2581do"), token("n't"),
                       token("\u2581know")};
        made.target = {token("<s>", trace::TokenRole::Start), token("\u2581wei")};
        made.next = {token("\u2581wei"), token("\u00DF")};
        trace::AttentionRecord record{.site = head.site, .mask = trace::MaskMatrix(2, 4)};
        std::ranges::fill(record.mask.values(), std::uint8_t{1});
        const std::vector<float> weights{0.5F, 0.2F, 0.1F, 0.2F, 0.2F, 0.1F, 0.3F, 0.4F};
        record.weights = {1, 2, 4, weights};
        record.scores = record.weights;
        record.q = {1, 2, 2, {1, 0, 0, 1}}; // makes the keys contain the scores of both rows
        record.k = {1, 4, 2};
        record.v = {1, 4, 2};
        for (std::size_t t = 0; t < 2; ++t)
            for (std::size_t j = 0; j < 4; ++j) {
                const double score = std::log(double(weights[t * 4 + j]));
                record.scores.at(0, t, j) = static_cast<float>(score);
                record.k.at(0, j, t) = static_cast<float>(score * std::sqrt(2.0));
            }
        made.cross = {record};
        return made;
    }

    static analysis::ViewedWeight viewed(const trace::Run& run, std::size_t query, std::size_t key,
                                         const analysis::WeightView& view) {
        const auto cell = analysis::cellArithmetic(run, run, head, query, key).value();
        return analysis::viewedWeight(run, run, cell, view);
    }

    /// Compares a weight, or a sum of some. Scores are logarithms of at least 0.1 and rounded, or products
    /// with rounded keys; weights are rounded, divided by a sum of some, and rounded.
    static tests::Comparison compare(double found, double expected) {
        return tests::compare("weight", found, expected,
                              tests::ofRoundings(2, std::log(10)) + tests::ofRoundings(3, 1));
    }

  private Q_SLOTS:
    void keysThatAreLeftShareTheWeightAgain() {
        const auto made = run();
        const auto cell = viewed(made, 0, 3, {.withoutSpecial = true});
        VERIFY_AGREES(compare(cell.kept.value(), 0.5));
        VERIFY_AGREES(compare(cell.together, 0.2));
        VERIFY_AGREES(compare(cell.computed, 0.4));
        VERIFY_AGREES(compare(cell.shown.value(), 0.4));
        QCOMPARE(cell.keyPieces, std::size_t(1));
        QVERIFY(viewed(made, 0, 0, {.withoutSpecial = true}).isHidden);
        QVERIFY(!viewed(made, 0, 0, {.words = true}).isHidden);
    }

    void aWordHasTheSumOfItsKeysPiecesAndTheMeanOfItsQuerys() {
        const auto cell = viewed(run(), 0, 1, {.words = true});
        QCOMPARE(cell.keyPieces, std::size_t(2));
        QCOMPARE(cell.queryPieces, std::size_t(2));
        QVERIFY(!cell.kept);
        VERIFY_AGREES(compare(cell.together, 0.3));
        VERIFY_AGREES(compare(cell.computed, (0.3 + 0.4) / 2));
        VERIFY_AGREES(compare(cell.shown.value(), (0.3 + 0.4) / 2));
    }

    void bothComeOneAfterTheOther() {
        const auto cell = viewed(run(), 1, 2, {.words = true, .withoutSpecial = true});
        VERIFY_AGREES(compare(cell.together, 0.4));
        VERIFY_AGREES(compare(cell.kept.value(), 0.8));
        VERIFY_AGREES(compare(cell.computed, (0.3 / 0.5 + 0.4 / 0.8) / 2));
        VERIFY_AGREES(compare(cell.shown.value(), cell.computed));
    }

    void aPlaceThatIsClosedShowsNothing() {
        auto made = run();
        for (const std::size_t row : {0, 1})
            made.cross[0].mask(row, 3) = 0;
        made.source[3].role = trace::TokenRole::Padding;
        QVERIFY(!viewed(made, 0, 3, {.words = true}).shown);
    }
};

HEADSCOPE_TEST(ViewedWeightTest)
#include "viewed_weight_test.moc"
