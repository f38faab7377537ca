#include <QTest>

#include "model/trace/exponentials.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace headscope;

class ExponentialsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    /// Of a million numbers, so that every power of two and all kinds of remainders are met.
    void theyAreThoseOfFloat64() {
        std::vector<float> exponents;
        for (int i = 0; i <= 1'000'000; ++i)
            exponents.push_back(-86.99F * static_cast<float>(i) / 1e6F);
        auto found = exponents;
        trace::exponentials(found.data(), found.size(), 0);
        double worst = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            const double exact = std::exp(double{exponents[i]});
            worst = std::max(worst, std::abs(double{found[i]} - exact) / exact);
        }
        VERIFY_AGREES(tests::compare("relative error", worst, 0, tests::Limit{1e-7, "said in the header"}));
    }

    void theLargestIsSubtracted() {
        std::vector<float> row{3, 5, 4};
        trace::exponentials(row.data(), row.size(), 5);
        QCOMPARE(row[1], 1.0F);
        VERIFY_AGREES(tests::compare("e^-2", row[0], std::exp(-2.0), tests::ofRoundings(2, std::exp(-2.0))));
    }

    void whatIsFarBelowIsExactlyZero() {
        std::vector<float> row{0, -88, -1e9F, -std::numeric_limits<float>::infinity()};
        trace::exponentials(row.data(), row.size(), 0);
        QCOMPARE(row, (std::vector<float>{1, 0, 0, 0}));
    }

    void whatIsNoNumberStaysNone() {
        std::vector<float> row(17, std::numeric_limits<float>::quiet_NaN());
        trace::exponentials(row.data(), row.size(), 0);
        for (const float value : row)
            QVERIFY(std::isnan(value));
    }
};

HEADSCOPE_TEST(ExponentialsTest)
#include "exponentials_test.moc"
