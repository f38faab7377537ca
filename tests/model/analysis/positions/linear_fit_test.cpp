#include <QTest>

#include "model/analysis/positions/linear_fit.h"
#include "tests/model/positional_tables.h"
#include "tests/registered_test.h"

using namespace headscope;
using analysis::leastSquares;
using analysis::Rows;

class LinearFitTest : public QObject {
    Q_OBJECT

    static Rows random(std::size_t rows, std::size_t columns) {
        const trace::Matrix table = test::randomTable(rows, columns);
        return {rows, columns, {table.values().begin(), table.values().end()}};
    }

  private Q_SLOTS:
    void aLinearMapIsFoundAgain() {
        const Rows inputs = random(40, 6);
        const Rows map = random(6, 4);
        const Rows found = leastSquares(inputs, analysis::product(inputs, map));
        for (std::size_t row = 0; row < 6; ++row)
            for (std::size_t column = 0; column < 4; ++column)
                QVERIFY(std::abs(found(row, column) - map(row, column)) < 1e-10);
    }

    void whatIsLeftIsAtRightAnglesToWhatWasKnown() {
        const Rows inputs = random(30, 5);
        const Rows outputs(30, 1, std::vector<double>(30, 1.0));
        const Rows foreseen = analysis::product(inputs, leastSquares(inputs, outputs));
        for (std::size_t column = 0; column < 5; ++column) {
            double along = 0;
            for (std::size_t row = 0; row < 30; ++row)
                along += inputs(row, column) * (outputs(row, 0) - foreseen(row, 0));
            QVERIFY(std::abs(along) < 1e-10);
        }
    }

    void columnsThatFollowFromOthersDoNoHarm() {
        Rows inputs = random(20, 4);
        for (std::size_t row = 0; row < 20; ++row) {
            inputs(row, 2) = inputs(row, 0) - 2 * inputs(row, 1);
            inputs(row, 3) = 0;
        }
        const Rows outputs = analysis::product(inputs, random(4, 2));
        const Rows foreseen = analysis::product(inputs, leastSquares(inputs, outputs));
        for (std::size_t i = 0; i < outputs.values().size(); ++i)
            QVERIFY(std::abs(foreseen.values()[i] - outputs.values()[i]) < 1e-10);
    }

    void theLongestDirectionsComeOut() {
        Rows rows(50, 6);
        const Rows noise = random(50, 6);
        for (std::size_t row = 0; row < 50; ++row) {
            const double place = static_cast<double>(row);
            rows(row, 1) = 10 * std::sin(place);
            rows(row, 4) = 5 * std::cos(place);
            for (std::size_t column = 0; column < 6; ++column)
                rows(row, column) += 1e-3 * noise(row, column);
        }
        const Rows basis = analysis::leadingDirections(rows, 2);
        for (const std::size_t dimension : {std::size_t(1), std::size_t(4)}) {
            double held = 0;
            for (std::size_t each = 0; each < 2; ++each)
                held += basis(dimension, each) * basis(dimension, each);
            QVERIFY(std::abs(held - 1) < 1e-4);
        }
        double length = 0;
        double across = 0;
        for (std::size_t i = 0; i < 6; ++i) {
            length += basis(i, 0) * basis(i, 0);
            across += basis(i, 0) * basis(i, 1);
        }
        QVERIFY(std::abs(length - 1) < 1e-12 && std::abs(across) < 1e-12);
    }
};

HEADSCOPE_TEST(LinearFitTest)
#include "linear_fit_test.moc"
