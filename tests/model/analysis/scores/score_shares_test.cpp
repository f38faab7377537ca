#include <QTest>

#include "model/analysis/scores/score_shares.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>
#include <numeric>
#include <random>

using namespace headscope;
using namespace headscope::analysis;
using trace::ScorePart;

namespace {

constexpr std::array parts{ScorePart::Word, ScorePart::Position, ScorePart::Bias};

/// Nine random terms of two heads over five tokens under a causal mask; key biases are constant along a row.
trace::ScoreTerms randomTerms() {
    constexpr std::size_t n = 5;
    trace::ScoreTerms terms;
    terms.tokens.resize(n);
    terms.scores = trace::HeadStack(2, n, n);
    terms.mask = trace::MaskMatrix(n, n);
    std::mt19937 random(5);
    const auto draw = [&] { return static_cast<float>(random()) / 0x80000000p0f - 1; };
    for (const auto query : parts)
        for (const auto key : parts) {
            trace::ScoreTerm term{.product = trace::ScoreTerm::Product{query, key},
                                  .values = trace::HeadStack(2, n, n)};
            for (std::size_t head = 0; head < 2; ++head)
                for (std::size_t row = 0; row < n; ++row) {
                    const float constant = draw();
                    for (std::size_t column = 0; column < n; ++column) {
                        const float value = key == ScorePart::Bias ? constant : draw();
                        term.values.at(head, row, column) = value;
                        terms.scores.at(head, row, column) += value;
                    }
                }
            terms.terms.push_back(std::move(term));
        }
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column <= row; ++column)
            terms.mask(row, column) = 1;
    return terms;
}

double sumOf(const std::vector<double>& shares) {
    return std::accumulate(shares.begin(), shares.end(), 0.0);
}

/// How much larger an error of one score, or of a term, may be in the shares of a row: a share is a sum over
/// the keys of products with centred scores, divided by their squares.
double magnified(const trace::ScoreTerms& terms, std::size_t head, std::size_t row) {
    double mean = 0, sizes = 0, squares = 0;
    for (std::size_t key = 0; key <= row; ++key)
        mean += terms.scores(head, row, key) / static_cast<double>(row + 1);
    for (std::size_t key = 0; key <= row; ++key) {
        sizes += std::abs(terms.scores(head, row, key) - mean);
        squares += std::pow(terms.scores(head, row, key) - mean, 2);
    }
    return sizes / squares;
}

/// A score is the sum of its nine terms in float32.
tests::Limit limitOfSum(const trace::ScoreTerms& terms, std::size_t head, std::size_t row) {
    double largest = 0;
    for (std::size_t key = 0; key <= row; ++key) {
        double sizes = 0;
        for (const auto& term : terms.terms)
            sizes += std::abs(term.values(head, row, key));
        largest = std::max(largest, sizes);
    }
    return magnified(terms, head, row) * tests::ofSum(terms.terms.size(), largest);
}

} // namespace

/// Which terms make the scores of a row differ.
class ScoreSharesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theSharesOfARowAddToOne() {
        const auto terms = randomTerms();
        for (std::size_t head = 0; head < 2; ++head)
            for (std::size_t row = 1; row < 5; ++row) {
                const auto shares = rowShares(terms, head, row);
                QVERIFY(shares && shares->size() == 9);
                VERIFY_AGREES(
                    tests::compare("sum of shares", sumOf(*shares), 1, limitOfSum(terms, head, row)));
            }
    }

    void aRowWithOneAllowedKeyHasNoShares() { QVERIFY(!rowShares(randomTerms(), 0, 0)); }

    void equalScoresHaveNoShares() {
        auto terms = randomTerms();
        terms.scores = trace::HeadStack(2, 5, 5);
        QVERIFY(!rowShares(terms, 1, 3));
    }

    void whatIsConstantAlongTheRowHasNoShare() {
        const auto terms = randomTerms();
        const auto shares = *rowShares(terms, 1, 4);
        // What is left of the term is the rounding of its mean over five keys.
        const auto limit = magnified(terms, 1, 4) * tests::ofSum(5 + 1, 1, tests::float64);
        for (const std::size_t term : {std::size_t{2}, std::size_t{5}, std::size_t{8}})
            VERIFY_AGREES(tests::compare("share", shares[term], 0, limit));
    }

    void theOnlyTermThatVariesHasAllOfIt() {
        auto terms = randomTerms();
        for (std::size_t term = 0; term < 9; ++term)
            if (term != 4)
                terms.terms[term].values = trace::HeadStack(2, 5, 5);
        terms.scores = terms.terms[4].values;
        const auto shares = headScoreShares(terms, 0);
        QCOMPARE(shares.terms[4], 1.0);
        QCOMPARE(shares.origins[std::size_t(ScoreOrigin::Position)], 1.0);
        QCOMPARE(shares.rows, std::size_t{4});
    }

    void aTermThatWorksAgainstTheRowIsNegative() {
        auto terms = randomTerms();
        terms.terms.resize(2);
        for (std::size_t column = 0; column < 5; ++column) {
            const float value = static_cast<float>(column);
            terms.terms[0].values.at(0, 4, column) = 3 * value;
            terms.terms[1].values.at(0, 4, column) = -value;
            terms.scores.at(0, 4, column) = 2 * value;
        }
        const auto shares = *rowShares(terms, 0, 4);
        QCOMPARE(shares[0], 1.5);
        QCOMPARE(shares[1], -0.5);
    }

    void theSharesOfAHeadAreMeansOverItsRows() {
        const auto terms = randomTerms();
        const auto head = headScoreShares(terms, 1);
        double mean = 0, sizes = 0;
        tests::Limit ofSum = limitOfSum(terms, 1, 1);
        for (std::size_t row = 1; row < 5; ++row) {
            const double share = (*rowShares(terms, 1, row))[3];
            mean += share / 4;
            sizes += std::abs(share) / 4;
            if (const auto ofRow = limitOfSum(terms, 1, row); ofRow.distance > ofSum.distance)
                ofSum = ofRow;
        }
        VERIFY_AGREES(tests::compare("mean share", head.terms[3], mean,
                                     2.0 * tests::ofSum(4 + 1, sizes, tests::float64)));
        VERIFY_AGREES(tests::compare("sum of shares", sumOf(head.terms), 1, ofSum));
        const double origins = std::accumulate(head.origins.begin(), head.origins.end(), 0.0);
        VERIFY_AGREES(tests::compare("sum of origins", origins, 1, ofSum));
    }

    void rowsOfPaddingAreLeftOut() {
        auto terms = randomTerms();
        terms.tokens[4].role = trace::TokenRole::Padding;
        QCOMPARE(headScoreShares(terms, 0).rows, std::size_t{3});
    }

    void termsGoBackToWhatTheyAreMadeOf() {
        const auto origin = [](ScorePart query, ScorePart key) {
            return originOf({.product = trace::ScoreTerm::Product{query, key}, .values = {}});
        };
        QCOMPARE(origin(ScorePart::Word, ScorePart::Word), ScoreOrigin::Content);
        QCOMPARE(origin(ScorePart::Position, ScorePart::Position), ScoreOrigin::Position);
        QCOMPARE(origin(ScorePart::Word, ScorePart::Position), ScoreOrigin::Mixed);
        QCOMPARE(origin(ScorePart::Position, ScorePart::Word), ScoreOrigin::Mixed);
        QCOMPARE(origin(ScorePart::Bias, ScorePart::Word), ScoreOrigin::Bias);
        QCOMPARE(origin(ScorePart::Bias, ScorePart::Bias), ScoreOrigin::Bias);
        QCOMPARE(originOf({}), ScoreOrigin::Position);
    }

    void centredRowsSumToZeroOverTheAllowedKeys() {
        const auto terms = randomTerms();
        const auto centred = centredRows(terms.scores.head(0), terms.mask);
        for (std::size_t row = 0; row < 5; ++row) {
            double sum = 0, sizes = 0;
            for (std::size_t column = 0; column < 5; ++column) {
                sum += centred(row, column);
                sizes += std::abs(centred(row, column));
                if (column > row)
                    QCOMPARE(centred(row, column), 0.0F);
            }
            VERIFY_AGREES(tests::compare("sum of a centred row", sum, 0, tests::ofRoundings(1, sizes)));
        }
        const double one = centred(4, 3), other = centred(4, 1);
        VERIFY_AGREES(tests::compare(
            "difference", one - other, double(terms.scores(0, 4, 3)) - double(terms.scores(0, 4, 1)),
            tests::ofRoundings(1, std::abs(one)) + tests::ofRoundings(1, std::abs(other))));
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ScoreSharesTest)
#include "score_shares_test.moc"
