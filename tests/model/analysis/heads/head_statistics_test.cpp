#include <QTest>

#include "model/analysis/heads/head_statistics.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;
using trace::AttentionKind;
using trace::TokenRole;

namespace {

const std::vector<trace::Token> twoWords{{.id = 5}, {.id = 6}, {.id = 3, .role = TokenRole::End}};

/// Head 0 mostly attends to text, head 1 only to the end token. [2 heads, 2 queries, 3 keys]
trace::AttentionRecord record(int layer) {
    return {.site = {AttentionKind::Cross, layer},
            .mask = trace::MaskMatrix(2, 3, std::uint8_t{1}),
            .weights = {2, 2, 3, {0.5f, 0.25f, 0.25f, 0.125f, 0.75f, 0.125f, 0, 0, 1, 0.25f, 0, 0.75f}}};
}

} // namespace

class HeadStatisticsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void confidenceIsTheMeanOfTheLargestWeightsOnText() {
        const std::vector<trace::Token> queries(2);
        QCOMPARE(analysis::confidence(record(0), 0, queries, twoWords), 0.625);
        QCOMPARE(analysis::confidence(record(0), 1, queries, twoWords), 0.125);
    }

    void rowsOfPaddingDoNotCount() {
        std::vector<trace::Token> queries(2);
        queries[1].role = TokenRole::Padding;
        QCOMPARE(analysis::confidence(record(0), 0, queries, twoWords), 0.5);
        queries[0].role = TokenRole::Padding;
        QCOMPARE(analysis::confidence(record(0), 0, queries, twoWords), 0.0);
    }

    void rowsWithoutAnAllowedKeyDoNotCount() {
        auto closed = record(0);
        for (std::size_t key = 0; key < 3; ++key)
            closed.mask(0, key) = 0;
        QCOMPARE(analysis::confidence(closed, 0, std::vector<trace::Token>(2), twoWords), 0.75);
    }

    void anUnknownWordIsTextAllTheSame() {
        auto keys = twoWords;
        keys[0].role = TokenRole::Unknown;
        QCOMPARE(analysis::confidence(record(0), 0, std::vector<trace::Token>(2), keys), 0.625);
        keys[0].role = TokenRole::Start;
        QCOMPARE(analysis::confidence(record(0), 0, std::vector<trace::Token>(2), keys), 0.5);
    }

    void entropyIsThatOfTheRowsInBits() {
        const std::vector<trace::Token> queries(2);
        const double first = -(0.5 * std::log2(0.5) + 0.5 * std::log2(0.25));
        const double second = -(0.25 * std::log2(0.125) + 0.75 * std::log2(0.75));
        const auto found = analysis::entropy(record(0), 0, queries);
        // Either side is a sum of two rows of three logarithms.
        const auto limit = 2.0 * tests::ofSum(2 * 3 + 3, std::log2(3), tests::float64);
        VERIFY_AGREES(tests::compare("mean", found.mean, (first + second) / 2, limit));
        VERIFY_AGREES(tests::compare("largest", found.largest, std::log2(3), limit));
        const double sharp = -(0.25 * std::log2(0.25) + 0.75 * std::log2(0.75));
        VERIFY_AGREES(
            tests::compare("mean", analysis::entropy(record(0), 1, queries).mean, sharp / 2, limit));
    }

    void rowsThatDoNotCountHaveNoEntropy() {
        std::vector<trace::Token> queries(2);
        queries[0].role = TokenRole::Padding;
        auto closed = record(0);
        closed.mask(1, 0) = 0;
        QCOMPARE(analysis::entropy(closed, 0, queries).largest, 1.0);
        queries[1].role = TokenRole::Padding;
        QCOMPARE(analysis::entropy(closed, 0, queries).largest, 0.0);
    }

    void theBestHeadIsTheCrossHeadOfLargestConfidence() {
        trace::Run run;
        run.source = twoWords;
        run.next = std::vector<trace::Token>(2);
        QCOMPARE(trace::toString(analysis::bestAligningHead(run)), std::string("encoder.0.0"));
        run.cross = {record(0), record(1)};
        QCOMPARE(trace::toString(analysis::bestAligningHead(run)), std::string("cross.0.0"));
        run.cross[1].weights.at(1, 0, 1) = 1;
        run.cross[1].weights.at(1, 1, 0) = 1;
        QCOMPARE(trace::toString(analysis::bestAligningHead(run)), std::string("cross.1.1"));
    }
};

HEADSCOPE_TEST(HeadStatisticsTest)
#include "head_statistics_test.moc"
