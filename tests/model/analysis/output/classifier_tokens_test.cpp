#include <QTest>

#include "model/analysis/output/classifier_tokens.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;
using analysis::TokenShare;

class ClassifierTokensTest : public QObject {
    Q_OBJECT

    /// Two classes, three tokens, four features; the second word has two tokens.
    static trace::ClassifierReading reading() {
        return {.logits = {1, 0},
                .logProbabilities = {std::log(0.75), std::log(0.25)},
                .bias = {0.5, 0.25},
                .positions = {2, 0, 2, 2},
                .contributions = {{1.5, 0, -1}, {-0.5, 0, 0.25}},
                .leftOut = {{0, 1, {std::log(0.25), std::log(0.75)}},
                            {1, 3, {std::log(0.875), std::log(0.125)}}}};
    }

  private Q_SLOTS:
    void everyFeatureBelongsToOneToken() {
        QCOMPARE(analysis::tokenShares(reading(), 0), (std::vector<TokenShare>{{1, 1.5}, {0, 0}, {3, -1}}));
        QCOMPARE(analysis::tokenShares(reading(), 1)[2], (TokenShare{3, 0.25}));
    }

    void tokensAndBiasAreTheLogit() {
        for (const std::size_t chosen : {std::size_t(0), std::size_t(1)}) {
            double sum = reading().bias[chosen];
            for (const auto& share : analysis::tokenShares(reading(), chosen))
                sum += share.contribution;
            QCOMPARE(sum, reading().logits[chosen]);
        }
    }

    void aWordThatSpokeForTheClassTakesProbabilityWithIt() {
        const auto effects = analysis::wordEffects(reading(), 0);
        QCOMPARE(effects.size(), std::size_t(2));
        // Two logarithms of at least 0.25, perhaps their exponentials, and a difference.
        const auto agrees = [](double found, double expected) {
            return tests::compare("effect", found, expected,
                                  tests::ofRoundings(6, std::log(4), tests::float64));
        };
        VERIFY_AGREES(agrees(effects[0].logProbabilityLost, std::log(3.0)));
        VERIFY_AGREES(agrees(effects[0].probabilityLost, 0.5));
        VERIFY_AGREES(agrees(effects[1].probabilityLost, -0.125));
        VERIFY_AGREES(agrees(effects[1].probabilityWithout, 0.875));
        QCOMPARE(effects[1].firstToken, std::size_t(1));
        QCOMPARE(effects[1].lastToken, std::size_t(3));
    }

    void whatAddsMostMayNotBeWhatIsMissedMost() {
        QVERIFY(!analysis::wordsApart(reading(), 0)); // the first word by both measures
        QVERIFY(!analysis::wordsApart(reading(), 1)); // the second word by both
        auto other = reading();
        other.contributions[0] = {0.5, 1, -0.25};
        QCOMPARE(analysis::wordsApart(other, 0), (analysis::WordsApart{1, 0.75, 0}));
        other.leftOut[0].logProbabilities[0] = other.logProbabilities[0]; // no word causes a loss
        QCOMPARE(analysis::wordsApart(other, 0), (analysis::WordsApart{1, 0.75, std::nullopt}));
        other.contributions[0] = {-1, -1, 0};
        QVERIFY(!analysis::wordsApart(other, 0));
    }

    void theTokenThatTellsMostIsTheOneThatIsMissedMost() {
        QCOMPARE(analysis::tellingToken(reading(), 0), std::optional<std::size_t>(0));
        QCOMPARE(analysis::tellingToken(reading(), 1), std::optional<std::size_t>(1)); // the word's first
        auto none = reading();
        none.leftOut.clear();
        QCOMPARE(analysis::tellingToken(none, 1), std::optional<std::size_t>(2)); // adds most
    }

    void theLikeliestClassIsTheFirstOfEqualOnes() {
        QCOMPARE(analysis::likeliestClass({-2, -0.5, -0.5}), std::size_t(1));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ClassifierTokensTest)
#include "classifier_tokens_test.moc"
