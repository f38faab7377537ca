#include <QTest>

#include "model/decoding/token_rules.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;
using decoding::impossible;

namespace {

constexpr std::int64_t endToken = 1;

std::vector<double> apply(const trace::Decoding& decoding, const std::vector<std::int64_t>& fed,
                          decoding::SearchStart start = {.fed = {0}, .ends = {endToken}, .newTokens = 4}) {
    const std::vector<float> even(5, std::log(0.2F));
    return decoding::TokenRules(decoding, start).apply(even, fed);
}

std::vector<std::size_t> allowed(const std::vector<double>& values) {
    std::vector<std::size_t> tokens;
    for (std::size_t token = 0; token < values.size(); ++token)
        if (values[token] != impossible)
            tokens.push_back(token);
    return tokens;
}

using Tokens = std::vector<std::size_t>;

} // namespace

class TokenRulesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void withoutRulesNothingChanges() {
        for (const double value : tests::some(apply({}, {0, 2, 3})))
            QCOMPARE(value, static_cast<double>(std::log(0.2F)));
    }

    void theEndWaitsForTheMinimumLength() {
        const trace::Decoding decoding{.minimumLength = 3};
        QCOMPARE(allowed(apply(decoding, {0, 2})), (Tokens{0, 2, 3, 4}));
        QCOMPARE(allowed(apply(decoding, {0, 2, 3})), (Tokens{0, 1, 2, 3, 4}));
    }

    void noRunComesTwice() {
        QCOMPARE(allowed(apply({.noRepeat = 2}, {0, 2, 3, 2})), (Tokens{0, 1, 2, 4}));
        QCOMPARE(allowed(apply({.noRepeat = 1}, {0, 2, 3})), (Tokens{1, 4}));
        QCOMPARE(allowed(apply({.noRepeat = 3}, {0, 2, 3})), (Tokens{0, 1, 2, 3, 4}));
    }

    void forbiddenRunsLackTheirLastToken() {
        const trace::Decoding decoding{.forbidden = {{4}, {2, 3}, {9}}};
        QCOMPARE(allowed(apply(decoding, {0, 2})), (Tokens{0, 1, 2}));
        QCOMPARE(allowed(apply(decoding, {0, 3})), (Tokens{0, 1, 2, 3}));
    }

    void theLastTokenIsTheForcedEnd() {
        const trace::Decoding decoding{.forcedEnd = endToken};
        QCOMPARE(allowed(apply(decoding, {0, 2, 2})), (Tokens{0, 1, 2, 3, 4}));
        const auto last = apply(decoding, {0, 2, 2, 2});
        QCOMPARE(allowed(last), (Tokens{1}));
        QCOMPARE(last[1], 0.0);
        QCOMPARE(allowed(apply(decoding, {0, 2, 2, 2},
                               {.fed = {0}, .ends = {endToken}, .newTokens = 4, .mayContinue = true})),
                 (Tokens{0, 1, 2, 3, 4}));
    }

    void theFirstTokenIsTheForcedOne() {
        const trace::Decoding decoding{.forcedFirst = 3, .suppressed = {2}, .suppressedFirst = {4}};
        const auto first = apply(decoding, {0});
        QCOMPARE(allowed(first), (Tokens{3}));
        QCOMPARE(first[3], 0.0);
        QCOMPARE(allowed(apply(decoding, {0, 3})), (Tokens{0, 1, 3}));
        QCOMPARE(allowed(apply(decoding, {0, 3, 3})), (Tokens{0, 1, 3, 4}));
        QCOMPARE(allowed(apply({.suppressedFirst = {4}}, {0})), (Tokens{0, 1, 2, 3}));
    }

    void everyEndWaitsForTheMinimumLength() {
        const trace::Decoding decoding{.minimumTotal = 3};
        QCOMPARE(allowed(apply(decoding, {0, 2}, {.fed = {0}, .ends = {1, 4}, .newTokens = 4})),
                 (Tokens{0, 2, 3}));
    }

    void fedTokensAreLessProbableByThePenalty() {
        const trace::Decoding decoding{.repetitionPenalty = 2};
        const double even = static_cast<double>(std::log(0.2F));
        const auto values = apply(decoding, {0, 2, 2});
        QCOMPARE(values[2], 2 * even);
        QCOMPARE(values[3], even);
        // A logit of log 0.2 + 4 is positive, and is divided.
        const std::vector<float> list(5, std::log(0.2F));
        const auto logits =
            decoding::TokenRules(decoding, {.fed = {0}}).apply(list, std::vector<std::int64_t>{0}, 4);
        QCOMPARE(logits[0], (even + 4) / 2 - 4);
        QCOMPARE(logits[1], even);
    }

    void whatIsLeftIsRenormalisedWhereTheFolderWantsIt() {
        const auto values = apply({.forbidden = {{4}}, .renormalise = true}, {0});
        double sum = 0;
        for (const double value : values)
            sum += std::exp(value);
        // Four equal exponentials, and a logarithm of their sum.
        VERIFY_AGREES(tests::compare("sum", sum, 1, tests::ofSum(4 + 4, 1, tests::float64)));
        VERIFY_AGREES(tests::compare("value", values[0], std::log(0.25),
                                     tests::ofRoundings(2 * 4, std::log(5), tests::float64)));
    }

    void aNanIsNeverChosen() {
        const std::vector<float> row{NAN, -2, -1, NAN};
        const auto values = decoding::TokenRules({}, {.fed = {0}}).apply(row, std::vector<std::int64_t>{0});
        QCOMPARE(decoding::mostProbable(values), std::optional<std::int64_t>(2));
        QCOMPARE(decoding::mostProbable(std::vector<double>(3, impossible)), std::nullopt);
    }

    void theLowerOfEqualTokensIsTaken() {
        QCOMPARE(decoding::mostProbable(std::vector<double>{-2, -1, -1}), std::optional<std::int64_t>(1));
    }
};

HEADSCOPE_TEST(TokenRulesTest)
#include "token_rules_test.moc"
