#include <QTest>

#include "model/analysis/architecture/stream_addition.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;

namespace {

/// Two keys of one head, another head that adds (1, 0, 0), and a bias.
trace::RowContributions row() {
    trace::RowContributions row;
    row.added = {2, 3, {3, 4, 0, /**/ 0, 0, -2}};
    row.bias = {0, 1, 0};
    row.sublayer = {4, 5, -2};
    row.before = {6, 8, 0};
    return row;
}

} // namespace

class StreamAdditionTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void lengthsAreThoseOfTheVectors() {
        const auto addition = analysis::streamAddition(row(), 0);
        QCOMPARE(addition->length, 5.0);
        QCOMPARE(addition->lengthOfHead, std::sqrt(29.0));
        QCOMPARE(addition->lengthOfSublayer, std::sqrt(45.0));
        QCOMPARE(addition->lengthOfBias, 1.0);
        QCOMPARE(addition->lengthBefore, 10.0);
        QCOMPARE(addition->head, std::vector<double>({3, 4, -2}));
        QCOMPARE(addition->largest, std::size_t{1});
        QCOMPARE(analysis::streamAddition(row(), 1)->largest,
                 std::size_t{2}); // the largest change may be negative
    }

    void sharesOfHeadsAndBiasSumToOne() {
        const auto first = analysis::streamAddition(row(), 0);
        const auto second = analysis::streamAddition(row(), 1);
        QCOMPARE(*first->share, 32.0 / 45);
        QCOMPARE(*first->share + *second->share, *first->shareOfHead);
        const double ofOther = 4.0 / 45; // (1, 0, 0) . (4, 5, -2)
        // Three quotients of whole numbers, and their sum.
        VERIFY_AGREES(tests::compare("sum of shares", *first->shareOfHead + *first->shareOfBias + ofOther, 1,
                                     tests::ofRoundings(4, 1, tests::float64)));
        QCOMPARE(*first->cosine, 32 / (5 * std::sqrt(45.0)));
    }

    void whatIsZeroHasNoDirection() {
        auto nothing = row();
        nothing.sublayer = {0, 0, 0};
        nothing.bias.clear();
        const auto addition = analysis::streamAddition(nothing, 0);
        QVERIFY(!addition->share && !addition->cosine);
        QCOMPARE(addition->lengthOfBias, 0.0);
        auto closed = row();
        closed.added = {2, 3, {0, 0, 0, 1, 0, 0}};
        QCOMPARE(*analysis::streamAddition(closed, 0)->share, 0.0);
        QVERIFY(!analysis::streamAddition(closed, 0)->cosine);
    }

    void aKeyThatIsNotThereAddsNothing() { QVERIFY(!analysis::streamAddition(row(), 2)); }
};

HEADSCOPE_TEST(StreamAdditionTest)
#include "stream_addition_test.moc"
