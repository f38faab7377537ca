#include <QTest>

#include "model/decoding/beam_search.h"
#include "tests/compared_numbers.h"
#include "tests/model/decoding/score_tables.h"
#include "tests/registered_test.h"

#include <random>

using namespace headscope;
using decoding::beamSearch;
using score_tables::Table;
using trace::BeamRule;
using trace::Fate;

namespace {

constexpr std::int64_t start = 0;
constexpr std::int64_t end = 1;

decoding::SearchStart from(int newTokens) {
    return {.fed = {start}, .ends = {end}, .newTokens = newTokens};
}

std::vector<std::int64_t> tokens(const decoding::SearchTree& tree, std::size_t node) {
    std::vector<std::int64_t> tokens;
    for (std::optional<std::size_t> at = node; at; at = tree.nodes[*at].parent)
        tokens.insert(tokens.begin(), tree.nodes[*at].token);
    return tokens;
}

std::vector<std::int64_t> best(const decoding::SearchTree& tree) {
    return tokens(tree, tree.ranking.front());
}

/// Greedy takes 2, a dead end; 3 is better in the end.
Table gardenPath() {
    return Table(
        {{{0}, {0, 0.1F, 0.5F, 0.4F}}, {{0, 2}, {0, 0.3F, 0.35F, 0.35F}}, {{0, 3}, {0, 0.9F, 0.05F, 0.05F}}},
        {0, 0.4F, 0.3F, 0.3F});
}

/// Arbitrary distributions, the same for the same prefix.
class Random : public decoding::NextTokenScorer {
  public:
    explicit Random(unsigned seed) : seed_(seed) {}

    std::span<const float> logProbabilities(const std::vector<std::int64_t>& fed) override {
        std::seed_seq sequence(fed.begin(), fed.end());
        std::vector<unsigned> mixed(1);
        sequence.generate(mixed.begin(), mixed.end());
        std::mt19937 random(mixed.front() ^ seed_);
        values_.resize(7);
        double sum = 0;
        for (float& value : values_)
            sum += value = std::exp(static_cast<float>(random() % 1000) / 200.0F);
        for (float& value : values_)
            value = static_cast<float>(std::log(value / sum));
        return values_;
    }

  private:
    unsigned seed_;
    std::vector<float> values_;
};

} // namespace

class BeamSearchTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void twoHypothesesFindWhatGreedyMisses() {
        auto table = gardenPath();
        const auto tree = beamSearch(table, from(4), {.beam = 2});
        QCOMPARE(best(tree), (std::vector<std::int64_t>{3, end}));
        // 0.4, then 0.9, both and their logarithms rounded to float32.
        VERIFY_AGREES(tests::compare("score", tree.nodes[tree.ranking.front()].record.score, std::log(0.36),
                                     tests::ofRoundings(2, 1) + tests::ofRoundings(1, -std::log(0.36))));
    }

    void whatIsNotAmongTheBestIsPrunedAndKept() {
        auto table = gardenPath();
        const auto tree = beamSearch(table, from(1), {.beam = 1});
        // Of the best 2 of the first step, one is alive; 1 = end would be the third.
        QCOMPARE(tree.nodes.size(), 2U);
        QVERIFY(tree.nodes[0].record.fate == Fate::Unfinished);
        QVERIFY(tree.nodes[1].record.fate == Fate::Pruned);
        QCOMPARE(tree.nodes[1].record.rank, 1);
    }

    void equalSumsGoToTheLowerTokenThenToTheOlderHypothesis() {
        Table table({}, {0.0F, 0.2F, 0.4F, 0.4F});
        const auto tree = beamSearch(table, from(2), {.beam = 2});
        QCOMPARE(tree.nodes[0].token, 2);
        QCOMPARE(tree.nodes[1].token, 3);
        // Second step: 2 after the first, 2 after the second, then 3 and 3.
        const auto second = std::find_if(tree.nodes.begin(), tree.nodes.end(),
                                         [](const auto& node) { return node.record.step == 1; });
        QCOMPARE(second->token, 2);
        QCOMPARE(*second->parent, 0U);
        QCOMPARE((second + 1)->token, 2);
        QCOMPARE(*(second + 1)->parent, 1U);
    }

    void livingOnesCountOnlyWhereNoneHasFinished() {
        Table table({}, {0.0F, 0.0F, 0.6F, 0.4F});
        const auto tree = beamSearch(table, from(3), {.beam = 2});
        QCOMPARE(best(tree), (std::vector<std::int64_t>{2, 2, 2}));
        QVERIFY(tree.nodes[tree.ranking.front()].record.fate == Fate::Unfinished);
    }

    void theLengthPenaltyDecidesAmongTheFinished() {
        Table table({{{0}, {0, 0.4F, 0.6F, 0}}}, {0, 0.55F, 0.45F, 0});
        QCOMPARE(best(beamSearch(table, from(6), {.beam = 2})), (std::vector<std::int64_t>{end}));
        QCOMPARE(best(beamSearch(table, from(6), {.beam = 2, .lengthPenalty = 2})),
                 (std::vector<std::int64_t>{2, end}));
    }

    /// 1 ends at rank 2 of 4: the plain rule finishes it, generate() drops it.
    void generateLosesWhatEndsBelowTheBeam() {
        Table table({{{0}, {0, 0.2F, 0.5F, 0.3F}}}, {0, 0.1F, 0.5F, 0.4F});
        const auto plain = beamSearch(table, from(2), {.beam = 2});
        QVERIFY(plain.nodes[2].record.fate == Fate::Finished);
        const auto generate = beamSearch(table, from(2), {.beam = 2, .rule = BeamRule::GenerateHeuristic});
        QVERIFY(generate.nodes[2].record.fate == Fate::EndedTooLow);
    }

    void thePlainRuleStopsWithEnoughFinishedAndGenerateWhereNoneIsBetter() {
        // Ends at once or later: the hypothesis that is alive stays better for a while.
        Table table({{{0}, {0, 0.45F, 0.55F, 0}}}, {0, 0.3F, 0.7F, 0});
        const auto plain = beamSearch(table, from(20), {.beam = 1, .lengthPenalty = 1});
        QCOMPARE(best(plain), (std::vector<std::int64_t>{end}));
        const auto generate =
            beamSearch(table, from(20), {.beam = 2, .lengthPenalty = 1, .rule = BeamRule::GenerateHeuristic});
        QVERIFY(best(generate).size() > 2);
    }

    void aForcedEndComesAtTheLastTokenUnlessMoreIsToCome() {
        Table table({}, {0.1F, 0.0F, 0.5F, 0.4F});
        const trace::Decoding decoding{.beam = 2, .rule = BeamRule::GenerateHeuristic, .forcedEnd = end};
        QCOMPARE(best(beamSearch(table, from(3), decoding)), (std::vector<std::int64_t>{2, 2, end}));
        auto open = from(3);
        open.mayContinue = true;
        QCOMPARE(best(beamSearch(table, open, decoding)), (std::vector<std::int64_t>{2, 2, 2}));
    }

    void aBeamAsWideAsAllFindsTheBestOfAll() {
        for (unsigned seed = 0; seed < 30; ++seed) {
            Random model(seed);
            const auto wide = beamSearch(model, from(3), {.beam = 400});
            double bestOfAll = decoding::impossible;
            const auto walk = [&](auto&& walk, std::vector<std::int64_t> fed, double score) -> void {
                const auto row = model.logProbabilities(fed);
                const std::vector<float> values(row.begin(), row.end());
                for (std::int64_t token = 0; token < 7; ++token) {
                    const double sum = score + values[static_cast<std::size_t>(token)];
                    if (token == end)
                        bestOfAll = std::max(bestOfAll, sum);
                    else if (fed.size() < 3) {
                        auto longer = fed;
                        longer.push_back(token);
                        walk(walk, longer, sum);
                    }
                }
            };
            walk(walk, {start}, 0);
            VERIFY_AGREES(tests::compare("score", wide.nodes[wide.ranking.front()].record.score, bestOfAll,
                                         2.0 * tests::ofSum(3, std::abs(bestOfAll), tests::float64)));
        }
    }

    void everyNodeHasOneFateAndTheSumsAddUp() {
        for (unsigned seed = 0; seed < 60; ++seed) {
            Random model(seed);
            const int beam = 1 + static_cast<int>(seed % 5);
            const auto tree = beamSearch(model, from(8), {.beam = beam, .lengthPenalty = 0.6});
            std::map<int, int> living;
            for (const auto& node : tests::some(tree.nodes)) {
                const auto& record = node.record;
                if (node.parent) {
                    QVERIFY(tree.nodes[*node.parent].record.fate == Fate::Extended);
                    QVERIFY(record.score <= tree.nodes[*node.parent].record.score);
                    QCOMPARE(record.step, tree.nodes[*node.parent].record.step + 1);
                }
                QCOMPARE(node.token == end, record.fate == Fate::Finished);
                living[record.step] += record.fate == Fate::Extended || record.fate == Fate::Unfinished;
            }
            for (const auto& [step, count] : living)
                QVERIFY(count <= beam);
        }
    }
};

HEADSCOPE_TEST(BeamSearchTest)
#include "beam_search_test.moc"
