#include <QTest>

#include "model/analysis/positions/positional_geometry.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;
using analysis::cosineSimilarity;

class PositionalGeometryTest : public QObject {
    Q_OBJECT

    /// Each row is the previous one rotated by the same angle.
    static trace::Matrix turning(std::size_t count, double angle) {
        trace::Matrix rows(count, 2);
        for (std::size_t r = 0; r < count; ++r) {
            rows(r, 0) = static_cast<float>(3 * std::cos(angle * static_cast<double>(r)));
            rows(r, 1) = static_cast<float>(3 * std::sin(angle * static_cast<double>(r)));
        }
        return rows;
    }

  private Q_SLOTS:
    void aPositionIsLikeItselfAndLessLikeOthersTheFartherTheyAre() {
        const trace::Matrix rows = turning(20, 0.1);
        const trace::Matrix cosines = cosineSimilarity(trace::view(rows), 12);
        QCOMPARE(cosines.rows(), std::size_t(12));
        QCOMPARE(cosines.columns(), std::size_t(12));
        for (std::size_t i = 0; i < 12; ++i)
            for (std::size_t j = 0; j < 12; ++j) {
                const double turned = 0.1 * (static_cast<double>(i) - static_cast<double>(j));
                // Either vector is rounded, and their cosine.
                VERIFY_AGREES(
                    tests::compare("cosine", cosines(i, j), std::cos(turned), tests::ofRoundings(3, 1)));
                QCOMPARE(cosines(i, j), cosines(j, i));
            }
    }

    void thereAreNoMoreThanThereAreRows() {
        const trace::Matrix rows = turning(3, 1);
        QCOMPARE(cosineSimilarity(trace::view(rows), 9).rows(), std::size_t(3));
        QVERIFY(cosineSimilarity(trace::view(rows), 0).empty());
    }

    void aRowOfZerosIsLikeNothing() {
        const trace::Matrix zeros(2, 4);
        QCOMPARE(cosineSimilarity(trace::view(zeros), 2)(0, 1), 0.0f);
    }
};

HEADSCOPE_TEST(PositionalGeometryTest)
#include "positional_geometry_test.moc"
