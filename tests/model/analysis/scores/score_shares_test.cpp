#include <QTest>

#include "model/analysis/scores/score_shares.h"
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
                QVERIFY(std::abs(sumOf(*shares) - 1) < 1e-5);
            }
    }

    void aRowWithOneAllowedKeyHasNoShares() { QVERIFY(!rowShares(randomTerms(), 0, 0)); }

    void equalScoresHaveNoShares() {
        auto terms = randomTerms();
        terms.scores = trace::HeadStack(2, 5, 5);
        QVERIFY(!rowShares(terms, 1, 3));
    }

    void whatIsConstantAlongTheRowHasNoShare() {
        const auto shares = *rowShares(randomTerms(), 1, 4);
        for (const std::size_t term : {std::size_t{2}, std::size_t{5}, std::size_t{8}})
            QVERIFY(std::abs(shares[term]) < 1e-6);
    }

    void theOnlyTermThatVariesHasAllOfIt() {
        auto terms = randomTerms();
        for (std::size_t term = 0; term < 9; ++term)
            if (term != 4)
                terms.terms[term].values = trace::HeadStack(2, 5, 5);
        terms.scores = terms.terms[4].values;
        const auto shares = headScoreShares(terms, 0);
        QVERIFY(std::abs(shares.terms[4] - 1) < 1e-9);
        QVERIFY(std::abs(shares.origins[std::size_t(ScoreOrigin::Position)] - 1) < 1e-9);
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
        QVERIFY(std::abs(shares[0] - 1.5) < 1e-9);
        QVERIFY(std::abs(shares[1] + 0.5) < 1e-9);
    }

    void theSharesOfAHeadAreMeansOverItsRows() {
        const auto terms = randomTerms();
        const auto head = headScoreShares(terms, 1);
        double mean = 0;
        for (std::size_t row = 1; row < 5; ++row)
            mean += (*rowShares(terms, 1, row))[3] / 4;
        QVERIFY(std::abs(head.terms[3] - mean) < 1e-12);
        QVERIFY(std::abs(sumOf(head.terms) - 1) < 1e-5);
        const double origins = std::accumulate(head.origins.begin(), head.origins.end(), 0.0);
        QVERIFY(std::abs(origins - 1) < 1e-5);
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
            double sum = 0;
            for (std::size_t column = 0; column < 5; ++column) {
                sum += centred(row, column);
                if (column > row)
                    QCOMPARE(centred(row, column), 0.0F);
            }
            QVERIFY(std::abs(sum) < 1e-5);
        }
        const float difference = terms.scores(0, 4, 3) - terms.scores(0, 4, 1);
        QVERIFY(std::abs(centred(4, 3) - centred(4, 1) - difference) < 1e-5F);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ScoreSharesTest)
#include "score_shares_test.moc"
