#include <QTest>

#include "model/analysis/scores/score_distribution.h"
#include "tests/registered_test.h"

#include <cmath>
#include <limits>

using namespace headscope;
using analysis::compareScores;

namespace {

/// One head, two rows, three keys; the last cell of the first row is masked.
trace::AttentionRecord record(std::vector<float> scores, std::vector<float> weights) {
    trace::AttentionRecord record{.mask = {2, 3, 1}};
    record.mask(0, 2) = 0;
    record.scores = {1, 2, 3, std::move(scores)};
    record.weights = {1, 2, 3, std::move(weights)};
    return record;
}

} // namespace

class ScoreDistributionTest : public QObject {
    Q_OBJECT

    const trace::AttentionRecord before_ = record({0, 1, 99, 2, 3, 4}, {0.5F, 0.5F, 0, 1, 0, 0});
    const trace::AttentionRecord after_ = record({0, 2, 99, 4, 6, 8}, {1, 0, 0, 0.25F, 0.25F, 0.5F});

  private Q_SLOTS:
    void allowedCellsAreCountedInBinsThatBothShare() {
        const auto compared = compareScores(before_, after_, 0, 4, {});
        QCOMPARE(compared.lowest, 0.0);
        QCOMPARE(compared.highest, 8.0); // the masked cell does not count
        QCOMPARE(compared.before.cells, std::size_t{5});
        QCOMPARE(compared.before.shares, (std::vector<double>{0.4, 0.4, 0.2, 0}));
        QCOMPARE(compared.after.shares, (std::vector<double>{0.2, 0.2, 0.2, 0.4}));
        QCOMPARE(compared.before.standardDeviation, std::sqrt(2.0));
        QCOMPARE(compared.after.standardDeviation, 2 * std::sqrt(2.0));
    }

    void scoresThatAreAllEqualLieInOneBin() {
        const auto same = record({1, 1, 1, 1, 1, 1}, {0.5F, 0.5F, 0, 0, 0, 1});
        const auto compared = compareScores(same, same, 0, 3, {});
        QCOMPARE(compared.before.shares, (std::vector<double>{1, 0, 0}));
        QCOMPARE(compared.before.standardDeviation, 0.0);
    }

    void rowsOfPaddingDoNotCount() {
        const std::vector<trace::Token> queries{{}, {.role = trace::TokenRole::Padding}};
        const auto compared = compareScores(before_, after_, 0, 2, queries);
        QCOMPARE(compared.before.cells, std::size_t{2});
        QCOMPARE(compared.highest, 2.0);
    }

    void whereThereIsNothingToCountThereAreNoCells() {
        QCOMPARE(compareScores(before_, after_, 1, 4, {}).before.cells, std::size_t{0});
        auto closed = before_;
        closed.mask = {2, 3, 0};
        QCOMPARE(compareScores(closed, after_, 0, 4, {}).before.cells, std::size_t{0});
        auto infinite = before_;
        infinite.scores.at(0, 1, 1) = std::numeric_limits<float>::infinity();
        QCOMPARE(compareScores(infinite, after_, 0, 4, {}).after.cells, std::size_t{0});
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ScoreDistributionTest)
#include "score_distribution_test.moc"
