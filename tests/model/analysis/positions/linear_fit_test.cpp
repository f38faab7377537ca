#include <QTest>

#include "model/analysis/positions/linear_fit.h"
#include "tests/compared_numbers.h"
#include "tests/model/positional_tables.h"
#include "tests/registered_test.h"

#include <array>
#include <cmath>

using namespace headscope;
using analysis::leastSquares;
using analysis::Rows;

class LinearFitTest : public QObject {
    Q_OBJECT

    static Rows random(std::size_t rows, std::size_t columns) {
        const trace::Matrix table = test::randomTable(rows, columns);
        return {rows, columns, {table.values().begin(), table.values().end()}};
    }

    /// Frobenius norm.
    static double norm(const Rows& rows) {
        double squares = 0;
        for (const double value : rows.values())
            squares += value * value;
        return std::sqrt(squares);
    }

    /// A least-squares solution by Householder reflections is the exact one of inputs and outputs that differ
    /// by this share of their norms (Higham 2002, 20.3). Each of `columns` reflections of `rows` numbers
    /// takes about eight roundings.
    static tests::Limit ofFit(const Rows& inputs, double size) {
        return tests::ofSum(8 * inputs.rows() * inputs.columns(), size, tests::float64);
    }

  private Q_SLOTS:
    void aLinearMapIsFoundAgain() {
        const Rows inputs = random(40, 6);
        const Rows map = random(6, 4);
        const Rows found = leastSquares(inputs, analysis::product(inputs, map));
        Rows one(40, 40);
        for (std::size_t i = 0; i < 40; ++i)
            one(i, i) = 1;
        const double condition = norm(inputs) * norm(leastSquares(inputs, one));
        VERIFY_AGREES(
            tests::compare("map", found.values(), map.values(), 2.0 * ofFit(inputs, condition * norm(map))));
    }

    void whatIsLeftIsAtRightAnglesToWhatWasKnown() {
        const Rows inputs = random(30, 5);
        const Rows outputs(30, 1, std::vector<double>(30, 1.0));
        const Rows foreseen = analysis::product(inputs, leastSquares(inputs, outputs));
        for (std::size_t column = 0; column < 5; ++column) {
            double along = 0;
            for (std::size_t row = 0; row < 30; ++row)
                along += inputs(row, column) * (outputs(row, 0) - foreseen(row, 0));
            VERIFY_AGREES(tests::compare("along a column", along, 0,
                                         2.0 * ofFit(inputs, norm(inputs) * norm(outputs))));
        }
    }

    void columnsThatFollowFromOthersDoNoHarm() {
        Rows inputs = random(20, 4);
        for (std::size_t row = 0; row < 20; ++row) {
            inputs(row, 2) = inputs(row, 0) - 2 * inputs(row, 1);
            inputs(row, 3) = 0;
        }
        const Rows outputs = analysis::product(inputs, random(4, 2));
        const Rows found = leastSquares(inputs, outputs);
        VERIFY_AGREES(tests::compare("outputs", analysis::product(inputs, found).values(), outputs.values(),
                                     2.0 * ofFit(inputs, norm(inputs) * norm(found))));
    }

    void theLongestDirectionsComeOut() {
        Rows rows(50, 6);
        const Rows noise = random(50, 6);
        std::array<double, 2> lengths{}; // squares
        double along = 0;
        for (std::size_t row = 0; row < 50; ++row) {
            const double place = static_cast<double>(row);
            rows(row, 1) = 10 * std::sin(place);
            rows(row, 4) = 5 * std::cos(place);
            lengths[0] += std::pow(rows(row, 1), 2);
            lengths[1] += std::pow(rows(row, 4), 2);
            along += rows(row, 1) * rows(row, 4);
            for (std::size_t column = 0; column < 6; ++column)
                rows(row, column) += 1e-3 * noise(row, column);
        }
        // Directions turn by no more than the noise by the shorter signal (Wedin 1972), and what is held of a
        // dimension is the square of a cosine. Four passes leave the fourth power of that of what they began
        // with.
        const double signal = std::sqrt(lengths[1] - along * along / lengths[0]);
        const double turned = 1e-3 * norm(noise) / (signal - 1e-3 * norm(noise));
        const tests::Limit ofHeld{turned * turned, "square of noise by signal"};
        const Rows basis = analysis::leadingDirections(rows, 2);
        for (const std::size_t dimension : {std::size_t(1), std::size_t(4)}) {
            double held = 0;
            for (std::size_t each = 0; each < 2; ++each)
                held += basis(dimension, each) * basis(dimension, each);
            VERIFY_AGREES(tests::compare("held", held, 1, ofHeld));
        }
        double length = 0;
        double across = 0;
        for (std::size_t i = 0; i < 6; ++i) {
            length += basis(i, 0) * basis(i, 0);
            across += basis(i, 0) * basis(i, 1);
        }
        VERIFY_AGREES(tests::compare("length", length, 1, tests::ofSum(2 * 6 + 3, 1, tests::float64)));
        VERIFY_AGREES(tests::compare("across", across, 0, tests::ofSum(2 * 6 + 3, 1, tests::float64)));
    }
};

HEADSCOPE_TEST(LinearFitTest)
#include "linear_fit_test.moc"
