#include <QTest>

#include "model/analysis/heads/head_similarity.h"
#include "tests/compared_numbers.h"
#include "tests/model/analysis/hand_made_maps.h"
#include "tests/registered_test.h"
#include "tests/widgets/example_long_run.h"

#include <array>
#include <cmath>
#include <ranges>

using namespace headscope;
using namespace headscope::hand_made;
using analysis::jensenShannon;
using trace::AttentionKind;

namespace {

/// One head per layer.
trace::Run runOfHeads(std::initializer_list<std::function<double(std::size_t, std::size_t)>> heads) {
    trace::Run run;
    run.source = words(6);
    for (const auto& head : heads) {
        run.encoder.push_back(map(AttentionKind::EncoderSelf, 6, 6, head));
        run.encoder.back().site.layer = static_cast<int>(run.encoder.size()) - 1;
    }
    return run;
}

/// Of the weights of a head, relative to them: by twice as much as its scores, and by the softmax.
tests::Limit ofWeights(const trace::AttentionRecord& record, std::size_t head) {
    double largest = 0, sizes = 0; // of scores, and of what the products of a score sum to
    for (std::size_t query = 0; query < record.q.rows(); ++query)
        for (std::size_t key = 0; key < record.k.rows(); ++key) {
            double sum = 0, size = 0;
            for (std::size_t d = 0; d < record.q.columns(); ++d) {
                const double product = double(record.q(head, query, d)) * double(record.k(head, key, d));
                sum += product;
                size += std::abs(product);
            }
            largest = std::max(largest, record.rule->scale * std::abs(sum));
            sizes = std::max(sizes, record.rule->scale * size);
        }
    return 2.0 * tests::ofSum(record.q.columns() + 1, sizes) + tests::ofSoftmax(record.k.rows(), largest);
}

} // namespace

class HeadSimilarityTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theDivergenceOfAHeadFromItselfIsZero() {
        const std::array some{0.5F, 0.25F, 0.25F, 0.0F};
        QCOMPARE(jensenShannon(some, some), 0.0);
    }

    void itIsSymmetricAndNeverAboveOne() {
        const std::array one{0.5F, 0.5F, 0.0F};
        const std::array other{0.1F, 0.2F, 0.7F};
        // Six terms, each with a quotient, a logarithm, a product.
        VERIFY_AGREES(tests::compare("divergence", jensenShannon(one, other), jensenShannon(other, one),
                                     2.0 * tests::ofSum(6 + 4, 2, tests::float64)));
        QVERIFY(jensenShannon(one, other) > 0 && jensenShannon(one, other) < 1);
    }

    void oneHotRowsOnDifferentKeysAreOneApart() {
        QCOMPARE(jensenShannon(std::array{1.0F, 0.0F}, std::array{0.0F, 1.0F}), 1.0);
    }

    void headsAreComparedAllWithAll() {
        const auto found = analysis::headDivergences(runOfHeads({diagonal, column(2), diagonal}),
                                                     AttentionKind::EncoderSelf);
        QCOMPARE(found.heads.size(), std::size_t(3));
        QCOMPARE(found.values(0, 0), 0.0F);
        QCOMPARE(found.values(0, 2), 0.0F);
        // Row 2 is equal.
        VERIFY_AGREES(
            tests::compare("divergence", found.values(0, 1), 5 / 6.0, tests::ofRoundings(1, 5 / 6.0)));
        QCOMPARE(found.values(0, 1), found.values(1, 0));
    }

    void rowsThatSayNothingAreLeftOut() {
        auto run = runOfHeads({diagonal, column(2)});
        run.source[2].role = trace::TokenRole::Padding;
        QCOMPARE(analysis::headDivergences(run, AttentionKind::EncoderSelf).values(0, 1), 1.0F);
        for (auto& record : run.encoder)
            record.mask = trace::MaskMatrix(6, 6);
        QVERIFY(std::isnan(analysis::headDivergences(run, AttentionKind::EncoderSelf).values(0, 1)));
    }

    void headsBelowTheThresholdAreOneGroup() {
        const auto nearly = [](std::size_t query, std::size_t key) { return query == key ? 0.9 : 0.02; };
        const auto found = analysis::headDivergences(
            runOfHeads({diagonal, column(2), nearly, column(3), shifted}), AttentionKind::EncoderSelf);
        using Groups = std::vector<std::vector<std::size_t>>;
        QVERIFY(analysis::similarHeads(found, 0.1) == (Groups{{0, 2}, {1}, {3}, {4}}));
        QVERIFY(analysis::similarHeads(found, 0) == (Groups{{0}, {1}, {2}, {3}, {4}}));
        QCOMPARE(analysis::similarHeads(found, 1.1).size(), std::size_t(1));
        QVERIFY(analysis::similarHeads({}, 0.5).empty());
    }

    void theLargestGroupComesFirstAndOfTwoAsLargeTheCloser() {
        const auto nearly = [](double diagonal) {
            return [=](std::size_t query, std::size_t key) {
                return query == key ? diagonal : (1 - diagonal) / 5;
            };
        };
        const auto run = runOfHeads({shifted, column(3), nearly(0.9), diagonal, nearly(0.8), column(3)});
        const auto divergences = analysis::headDivergences(run, AttentionKind::EncoderSelf);
        const auto groups = analysis::groupedHeads(divergences, 0.2);
        QCOMPARE(groups.alike.size(), std::size_t(2));
        QVERIFY(groups.alike[0].heads ==
                (std::vector{divergences.heads[2], divergences.heads[3], divergences.heads[4]}));
        const double mean =
            (double(divergences.values(2, 3)) + divergences.values(2, 4) + divergences.values(3, 4)) / 3;
        VERIFY_AGREES(tests::compare("mean divergence", groups.alike[0].divergence, mean,
                                     2.0 * tests::ofSum(6 + 1, mean, tests::float64)));
        QVERIFY(groups.alike[1].heads == (std::vector{divergences.heads[1], divergences.heads[5]}));
        QCOMPARE(groups.alike[1].divergence, 0.0);
        QVERIFY(groups.alone == std::vector{divergences.heads[0]});
    }

    void stepByStepItIsTheSame() {
        const auto run = std::make_shared<const trace::Run>(
            runOfHeads({shifted, column(3), diagonal, column(2), diagonal}));
        const auto whole = analysis::headDivergences(*run, AttentionKind::EncoderSelf);
        analysis::DivergenceSteps steps(run, AttentionKind::EncoderSelf);
        QCOMPARE(steps.pairs(), std::size_t(10));
        // Without any time, one pair is still compared, so that the loop ends.
        using namespace std::chrono_literals;
        for (std::size_t done = 1; done < 10; ++done) {
            QVERIFY(!steps.goOn(0ms));
            QCOMPARE(steps.donePairs(), done);
        }
        QVERIFY(steps.goOn(0ms));
        QVERIFY(steps.divergences().heads == whole.heads);
        for (std::size_t one = 0; one < 5; ++one)
            for (std::size_t other = 0; other < 5; ++other)
                QCOMPARE(steps.divergences().values(one, other), whole.values(one, other));
        QVERIFY(analysis::DivergenceSteps(run, AttentionKind::Cross).goOn(0ms));
    }

    /// With sixty-odd rows, all are compared.
    void headsOfMapsThatAreLeftOutAreAsFarApart() {
        const auto [leftOut, kept] = example::longRuns();
        const auto kind = trace::AttentionKind::EncoderSelf;
        const auto again = analysis::headDivergences(*leftOut, kind);
        const auto stored = analysis::headDivergences(*kept, kind);
        QCOMPARE(again.everyRow, std::size_t{1});
        QVERIFY(again.heads == stored.heads);
        // A divergence is computed from two rows in either run. Its derivative with respect to a weight is
        // half a logarithm: it is off by at most 0.77 times as much as each of them, since x log2 1/x is at
        // most 0.53.
        const auto limits =
            stored.heads | std::views::transform([&](const auto& head) {
                return ofWeights(*leftOut->record(head.site), static_cast<std::size_t>(head.head));
            });
        const auto count = stored.heads.size();
        VERIFY_AGREES(
            tests::compare("divergences", again.values.values(), stored.values.values(), [&](std::size_t i) {
                return 2 * 0.77 * (limits[i / count] + limits[i % count]) + tests::ofRoundings(2, 1);
            }));
        QVERIFY(analysis::headDivergences(*example::longRuns(12).leftOut, kind).everyRow == 2);
    }

    void twoHeadsAreComparedAsAllWithAllAre() {
        const auto run = runOfHeads({diagonal, column(2), shifted});
        const auto whole = analysis::headDivergences(run, AttentionKind::EncoderSelf);
        const auto found = analysis::divergenceOfHeads(run, whole.heads[1], whole.heads[2]);
        QVERIFY(found);
        VERIFY_AGREES(
            tests::compare("divergence", *found, whole.values(1, 2), tests::ofRoundings(1, *found)));
        QVERIFY(!analysis::divergenceOfHeads(run, whole.heads[0], {{AttentionKind::Cross, 0}, 0}));
        QVERIFY(!analysis::divergenceOfHeads(run, whole.heads[0], {{AttentionKind::EncoderSelf, 9}, 0}));
    }
};

HEADSCOPE_TEST(HeadSimilarityTest)
#include "head_similarity_test.moc"
