#include <QTest>

#include "model/trace/matrix.h"
#include "tests/registered_test.h"

using namespace headscope::trace;

class MatrixTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void valuesLieRowByRow() {
        Matrix matrix(2, 3, {1, 2, 3, 4, 5, 6});
        QCOMPARE(matrix(1, 0), 4.f);
        QCOMPARE(matrix.row(1)[2], 6.f);
        matrix(0, 1) = 9;
        QCOMPARE(matrix.values(), (std::vector<float>{1, 9, 3, 4, 5, 6}));
        QCOMPARE(view(matrix)(0, 1), 9.f);
        QCOMPARE(view(matrix).row(0).size(), std::size_t{3});
    }

    void aFillIsEverywhere() {
        const MaskMatrix mask(2, 2, std::uint8_t{1});
        QCOMPARE(mask.values(), std::vector<std::uint8_t>(4, 1));
    }

    void emptyKnowsItself() {
        QVERIFY(Matrix().empty());
        QVERIFY(view(Matrix()).empty());
        QVERIFY(Matrix(0, 5).empty());
        QVERIFY(HeadStack().empty());
        QVERIFY(HeadStack(2, 0, 3).empty());
        QVERIFY(!HeadStack(1, 1, 1).empty());
    }

    void aStackIsOneMatrixAHead() {
        HeadStack stack(2, 1, 3, {1, 2, 3, 4, 5, 6});
        QCOMPARE(stack(1, 0, 2), 6.f);
        QCOMPARE(stack.head(1)(0, 0), 4.f);
        QCOMPARE(stack.head(0).rows(), std::size_t{1});
        stack.at(1, 0, 0) = -4;
        QCOMPARE(stack.values()[3], -4.f);
    }

    void equalMeansShapeAndValues() {
        QVERIFY(Matrix(1, 4, {1, 2, 3, 4}) == Matrix(1, 4, {1, 2, 3, 4}));
        QVERIFY(Matrix(1, 4, {1, 2, 3, 4}) != Matrix(2, 2, {1, 2, 3, 4}));
        QVERIFY(HeadStack(1, 2, 2, {1, 2, 3, 4}) != HeadStack(2, 1, 2, {1, 2, 3, 4}));
        QVERIFY(HeadStack(1, 2, 2, {1, 2, 3, 4}) != HeadStack(1, 2, 2, {1, 2, 3, 5}));
    }
};

HEADSCOPE_TEST(MatrixTest)
#include "matrix_test.moc"
