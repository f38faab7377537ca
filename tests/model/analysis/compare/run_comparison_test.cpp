#include <QTest>

#include "model/analysis/compare/run_comparison.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::analysis;

class RunComparisonTest : public QObject {
    Q_OBJECT

    static std::vector<trace::Token> tokens(std::initializer_list<std::pair<int, const char*>> all) {
        std::vector<trace::Token> made;
        for (const auto& [id, piece] : all)
            made.push_back({.id = id, .piece = piece});
        return made;
    }

    static std::vector<float> logs(const std::vector<double>& probabilities) {
        std::vector<float> made;
        for (const double p : probabilities)
            made.push_back(static_cast<float>(std::log(p)));
        return made;
    }

    /// Of a sum of probabilities whose logarithms are in float32: rounding one changes it in proportion.
    static tests::Limit ofProbabilities(std::initializer_list<double> all) {
        double sizes = 0;
        for (const double p : all)
            sizes -= p * std::log(p);
        return tests::ofRoundings(1, sizes);
    }

    /// Decodes `ids`; step t has the distribution distributions[t].
    static trace::Run run(const std::vector<int>& ids, const std::vector<std::vector<float>>& distributions) {
        trace::Run made;
        std::optional<trace::DecodeTree::NodeId> parent;
        int fed = 0; // the start token
        for (std::size_t t = 0; t < ids.size(); ++t) {
            auto row = std::make_shared<trace::DecodeRow>();
            row->logProbabilities = distributions[t];
            const trace::Token token{.id = fed};
            parent = made.tree.add({.parent = parent, .token = token, .row = std::move(row)});
            made.path.push_back(*parent);
            made.target.push_back(token);
            made.next.push_back({.id = ids[t]});
            fed = ids[t];
        }
        return made;
    }

  private Q_SLOTS:
    void equalOutputsHaveNoChangedWord() {
        const auto same = tokens({{1, "▁ein"}, {2, "▁rot"}, {3, "es"}});
        const auto comparison = compareOutputs(same, same);
        QCOMPARE(comparison.pairs.size(), 3u);
        QCOMPARE(comparison.before, (std::vector<OutputWord>{{0, 1, false}, {1, 3, false}}));
        QCOMPARE(comparison.after, comparison.before);
    }

    void oneOtherPieceChangesItsWholeWordAndNoOther() {
        const auto before = tokens({{1, "▁ein"}, {2, "▁rot"}, {3, "es"}, {4, "▁Buch"}});
        const auto after = tokens({{1, "▁ein"}, {2, "▁rot"}, {5, "er"}, {4, "▁Buch"}});
        const auto comparison = compareOutputs(before, after);
        QCOMPARE(comparison.before, (std::vector<OutputWord>{{0, 1, false}, {1, 3, true}, {3, 4, false}}));
        QCOMPARE(comparison.after, comparison.before);
    }

    void anInsertedWordDoesNotDisturbWhatFollows() {
        const auto before = tokens({{1, "▁ein"}, {4, "▁Buch"}});
        const auto after = tokens({{1, "▁ein"}, {7, "▁altes"}, {4, "▁Buch"}});
        const auto comparison = compareOutputs(before, after);
        QVERIFY(!comparison.before[0].changed && !comparison.before[1].changed);
        QVERIFY(comparison.after[1].changed && !comparison.after[2].changed);
        QCOMPARE(comparison.pairs.back(), (std::pair<std::size_t, std::size_t>(1, 2)));
    }

    void theLongestCommonPartIsFoundFromTheFirstTokenOn() {
        using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
        const auto both = tokens({{1, "▁a"}, {2, "▁b"}});
        const auto longer = tokens({{9, "▁x"}, {1, "▁a"}, {2, "▁b"}});
        QCOMPARE(compareOutputs(longer, both).pairs, (Pairs{{1, 0}, {2, 1}}));
        QCOMPARE(compareOutputs(both, longer).pairs, (Pairs{{0, 1}, {1, 2}}));
    }

    void wordsOfAVocabularyWithoutSpaceMarksAreTokens() {
        const auto comparison = compareOutputs(tokens({{1, "ein"}, {2, "Buch"}}), tokens({{1, "ein"}}));
        QCOMPARE(comparison.before, (std::vector<OutputWord>{{0, 1, false}, {1, 2, true}}));
        QCOMPARE(comparison.after.size(), 1u);
    }

    void nothingComparedWithNothingIsNothing() {
        const auto comparison = compareOutputs({}, {});
        QVERIFY(comparison.before.empty() && comparison.after.empty() && comparison.pairs.empty());
    }

    void theDivergenceOfADistributionFromItselfIsZero() {
        const auto p = logs({0.5, 0.3, 0.2});
        QCOMPARE(divergence(p, p), 0.0);
    }

    void theDivergenceIsTheSumOfPLogPOverQ() {
        // 0.5 ln(0.5/0.25) + 0.5 ln(0.5/0.75), by hand
        const double expected = 0.5 * std::log(2.0) + 0.5 * std::log(2.0 / 3.0);
        // Logarithms of at least 0.25 are rounded; both are multiplied with probabilities that sum to 1.
        VERIFY_AGREES(tests::compare("divergence", divergence(logs({0.5, 0.5}), logs({0.25, 0.75})), expected,
                                     tests::ofRoundings(1, 3 * std::log(4))));
    }

    void whatIsImpossibleBeforeCountsNothingAndWhatBecomesImpossibleIsInfinite() {
        VERIFY_AGREES(tests::compare("divergence", divergence(logs({1, 0}), logs({0.5, 0.5})), std::log(2.0),
                                     tests::ofRoundings(1, std::log(2))));
        QCOMPARE(divergence(logs({0.5, 0.5}), logs({1, 0})), std::numeric_limits<double>::infinity());
    }

    void distributionsOverDifferentVocabulariesAreRefused() {
        QVERIFY_EXCEPTION_THROWN(divergence(logs({1}), logs({0.5, 0.5})), std::invalid_argument);
    }

    void stepsSayHowTheChosenTokensProbabilityChanged() {
        const auto before = run({1, 2}, {logs({0.2, 0.7, 0.1}), logs({0.1, 0.1, 0.8})});
        const auto after = run({1, 0}, {logs({0.2, 0.7, 0.1}), logs({0.6, 0.1, 0.3})});
        const auto steps = compareSteps(before, after);
        QCOMPARE(steps.size(), 2u);
        QCOMPARE(steps[0].divergence, 0.0);
        QVERIFY(!steps[0].topChanged);
        QVERIFY(steps[1].topChanged);
        VERIFY_AGREES(tests::compare("change", steps[1].change(), 0.3 - 0.8, ofProbabilities({0.3, 0.8})));
        QCOMPARE(steps[1].token.id, 2);
    }

    void againstAnotherTokenBothAreComparedWithIt() {
        auto before = run({1, 2}, {logs({0.2, 0.7, 0.1}), logs({0.1, 0.1, 0.8})});
        before.contrast = trace::Token{.id = 0};
        const auto after = run({1, 0}, {logs({0.2, 0.7, 0.1}), logs({0.6, 0.1, 0.3})});
        const auto steps = compareSteps(before, after);
        QCOMPARE(steps[1].contrast->id, 0);
        const auto ofTwo = tests::ofRoundings(2, std::log(10.0)); // logarithms down to that of 0.1
        VERIFY_AGREES(tests::compare("before", steps[1].before, std::log(8.0), ofTwo));
        VERIFY_AGREES(tests::compare("after", steps[1].after, std::log(0.5), ofTwo));
        VERIFY_AGREES(tests::compare("change", steps[1].change(), std::log(0.5) - std::log(8.0), 2 * ofTwo));
    }

    void ofAnEncoderAloneTheMasksAreCompared() {
        const auto masked = [](std::int64_t first, std::vector<std::vector<double>> rows) {
            trace::Run made;
            std::vector<float> values;
            for (const auto& row : rows)
                for (const float value : logs(row))
                    values.push_back(value);
            made.sourceLogProbabilities = trace::Matrix(rows.size(), rows.front().size(), values);
            made.maskCandidates[1] = {{.token = {.id = first}}};
            return made;
        };
        const auto before = masked(2, {{1, 0, 0}, {0.2, 0.3, 0.5}});
        const auto after = masked(1, {{0, 1, 0}, {0.25, 0.5, 0.25}});
        QCOMPARE(comparedIn(before), analysis::Compared::Masks);
        const auto masks = compareSteps(before, after);
        QCOMPARE(masks.size(), 1u);
        QCOMPARE(masks[0].token.id, 2);
        VERIFY_AGREES(tests::compare("change", masks[0].change(), -0.25, ofProbabilities({0.25, 0.5})));
        VERIFY_AGREES(tests::compare("divergence", masks[0].divergence,
                                     divergence(logs({0.2, 0.3, 0.5}), logs({0.25, 0.5, 0.25})),
                                     tests::exact()));
        QVERIFY(masks[0].topChanged);
        auto unrecorded = after;
        unrecorded.sourceLogProbabilities = {};
        QVERIFY(compareSteps(before, unrecorded).empty());
    }

    void ofAClassifierTheClassesAreCompared() {
        const auto classified = [](const std::vector<double>& probabilities) {
            trace::Run made;
            auto model = std::make_shared<trace::ModelSummary>();
            model->classLabels = {"negative", "positive"};
            made.model = model;
            made.classLogProbabilities = logs(probabilities);
            return made;
        };
        const auto before = classified({0.25, 0.75}), after = classified({0.5, 0.5});
        QCOMPARE(comparedIn(before), analysis::Compared::Classes);
        const auto classes = compareSteps(before, after);
        QCOMPARE(classes.size(), 2u);
        QCOMPARE(classes[1].token.piece, std::string("positive"));
        VERIFY_AGREES(tests::compare("change", classes[0].change(), 0.25, ofProbabilities({0.25, 0.5})));
        VERIFY_AGREES(tests::compare("before", classes[1].before, std::log(0.75),
                                     tests::ofRoundings(1, -std::log(0.75))));
        VERIFY_AGREES(tests::compare("divergence", classes[0].divergence + classes[1].divergence,
                                     divergence(before.classLogProbabilities, after.classLogProbabilities),
                                     2 * tests::ofSum(2, std::log(4.0), tests::float64)));
    }

    void stepsEndWhereTheRunsWereFedDifferentTokens() {
        const auto flat = logs({0.5, 0.25, 0.25});
        const auto before = run({1, 2, 1}, {flat, flat, flat});
        const auto after = run({2, 2, 1}, {flat, flat, flat});
        QCOMPARE(compareSteps(before, after).size(), 1u);
    }

    void stepsEndWhereNoDistributionWasRecorded() {
        const auto flat = logs({0.5, 0.25, 0.25});
        QCOMPARE(compareSteps(run({1, 2}, {flat, {}}), run({1, 2}, {flat, flat})).size(), 1u);
    }

    void paddingIsNoOutput() {
        auto made = run({1, 2}, {{}, {}});
        made.target.push_back({.id = 9, .role = trace::TokenRole::Padding});
        made.next.push_back({.id = 1});
        QCOMPARE(outputTokens(made).size(), 2u);
    }
};

HEADSCOPE_TEST(RunComparisonTest)
#include "run_comparison_test.moc"
