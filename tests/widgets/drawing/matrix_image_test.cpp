#include <QRandomGenerator>
#include <QTest>

#include "tests/registered_test.h"
#include "widgets/drawing/matrix_image.h"

#include <array>
#include <cmath>
#include <limits>
#include <map>

using namespace headscope;
using namespace headscope::widgets;

class MatrixImageTest : public QObject {
    Q_OBJECT

    static constexpr QRgb hatch = 0xff808080;
    static constexpr QRgb background = 0xffffffff;

    static int count(const QImage& image, QRgb colour) {
        int found = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                found += image.pixel(x, y) == colour;
        return found;
    }

  private Q_SLOTS:
    void firstRowIsDrawnAtTheTop() {
        trace::Matrix values(2, 3);
        values(0, 2) = 1;
        values(1, 0) = 0.5;
        const ColourScale scale;
        const QImage image = matrixImage(trace::view(values), scale);
        QCOMPARE(image.size(), QSize(3, 2));
        QCOMPARE(image.pixel(2, 0), scale.colour(1));
        QCOMPARE(image.pixel(0, 1), scale.colour(0.5));
        QCOMPARE(image.pixel(0, 0), scale.colour(0));
    }

    void anEmptyMatrixIsNoImage() {
        QVERIFY(matrixImage({}, ColourScale()).isNull());
        QVERIFY(MatrixPyramid().image({0, 0, 1, 1}, {8, 8}, ColourScale(), hatch, background).isNull());
    }

    void aHotCellNeverVanishes() {
        QRandomGenerator random(7);
        const ColourScale scale;
        for (int attempt = 0; attempt < 40; ++attempt) {
            const int rows = random.bounded(1, 700);
            const int columns = random.bounded(1, 700);
            trace::Matrix values{std::size_t(rows), std::size_t(columns)};
            values(std::size_t(random.bounded(rows)), std::size_t(random.bounded(columns))) = 1;
            const MatrixPyramid pyramid(trace::view(values), nullptr);
            const QSize pixels(random.bounded(1, columns + 1), random.bounded(1, rows + 1));
            const QImage image = pyramid.image(QRectF(0, 0, columns, rows), pixels, scale, hatch, background);
            QVERIFY2(count(image, scale.colour(1)) >= 1, qPrintable(QString("%1x%2 on %3x%4")
                                                                        .arg(rows)
                                                                        .arg(columns)
                                                                        .arg(pixels.height())
                                                                        .arg(pixels.width())));
        }
    }

    /// For any window of a map, with masked cells and values of both signs.
    void theStrongestCellShowsInEveryWindowThatHoldsIt() {
        QRandomGenerator random(11);
        const auto scale = ColourScale::diverging(1, false);
        for (int attempt = 0; attempt < 200; ++attempt) {
            const int rows = random.bounded(1, 600);
            const int columns = random.bounded(1, 600);
            trace::Matrix values{std::size_t(rows), std::size_t(columns)};
            trace::MaskMatrix mask(values.rows(), values.columns());
            for (auto& value : values.values())
                value = float(random.bounded(1.6) - 0.8);
            for (auto& open : mask.values())
                open = random.bounded(3) > 0;
            const int row = random.bounded(rows);
            const int column = random.bounded(columns);
            const float strongest = random.bounded(2) == 0 ? 1 : -1;
            values(std::size_t(row), std::size_t(column)) = strongest;
            mask(std::size_t(row), std::size_t(column)) = 1;
            // The window holds the whole cell: of a cut cell, pixels finer than cells may show nothing.
            const double left = random.bounded(double(column));
            const double top = random.bounded(double(row));
            const QRectF window(QPointF(left, top),
                                QPointF(column + 1 + random.bounded(columns - column * 1.0),
                                        row + 1 + random.bounded(rows - row * 1.0)));
            const QRectF seen = window & QRectF(0, 0, columns, rows);
            // At least one pixel per cell: finer pixels are cut at the edges.
            const QSize pixels(random.bounded(1, int(seen.width()) + 1) * random.bounded(1, 3),
                               random.bounded(1, int(seen.height()) + 1) * random.bounded(1, 3));
            const QImage image =
                MatrixPyramid(trace::view(values), &mask).image(seen, pixels, scale, hatch, background);
            QVERIFY2(count(image, scale.colour(double(strongest))) >= 1,
                     qPrintable(QString("attempt %1: %2x%3 on %4x%5")
                                    .arg(attempt)
                                    .arg(rows)
                                    .arg(columns)
                                    .arg(pixels.height())
                                    .arg(pixels.width())));
        }
    }

    /// Every pixel of random maps shows one of the allowed cells it covers, and none of these takes
    /// precedence.
    void everyPixelShowsTheCellThatItsPoolingSays_data() {
        QTest::addColumn<int>("pooling");
        QTest::newRow("largest") << int(Pooling::Largest);
        QTest::newRow("extreme") << int(Pooling::Extreme);
    }

    void everyPixelShowsTheCellThatItsPoolingSays() {
        QFETCH(int, pooling);
        const auto how = Pooling(pooling);
        const auto scale = ColourScale::diverging(1, false);
        const std::array levels{-1.0f, -0.6f, -0.3f, 0.1f, 0.4f, 0.8f};
        std::map<QRgb, float> values;
        for (const float level : levels)
            values[scale.colour(double(level))] = level;
        QCOMPARE(values.size(), levels.size());
        QRandomGenerator random(5);
        for (int attempt = 0; attempt < 30; ++attempt) {
            const int rows = random.bounded(1, 400);
            const int columns = random.bounded(1, 400);
            trace::Matrix cells{std::size_t(rows), std::size_t(columns)};
            trace::MaskMatrix mask(cells.rows(), cells.columns());
            for (auto& value : cells.values()) // mostly faint, so that strong cells are isolated
                value =
                    levels[std::size_t(random.bounded(20) > 0 ? random.bounded(2, 5) : random.bounded(6))];
            for (auto& open : mask.values())
                open = random.bounded(3) > 0;
            const QSize pixels(random.bounded(1, columns + 1), random.bounded(1, rows + 1));
            const QImage image = MatrixPyramid(trace::view(cells), &mask, how)
                                     .image(QRectF(0, 0, columns, rows), pixels, scale, hatch, background);
            for (int y = 0; y < pixels.height(); ++y)
                for (int x = 0; x < pixels.width(); ++x) {
                    const auto touched = [](int pixel, int of, int count) {
                        return std::pair(int(std::floor(double(count) * pixel / of + 1e-9)),
                                         int(std::ceil(double(count) * (pixel + 1) / of - 1e-9)));
                    };
                    const auto [top, bottom] = touched(y, pixels.height(), rows);
                    const auto [left, right] = touched(x, pixels.width(), columns);
                    const auto found = values.find(image.pixel(x, y));
                    for (int row = top; row < bottom; ++row)
                        for (int column = left; column < right; ++column)
                            if (mask(std::size_t(row), std::size_t(column))) {
                                const float cell = cells(std::size_t(row), std::size_t(column));
                                if (found == values.end() ||
                                    pooledOf(found->second, cell, how) != found->second)
                                    QFAIL("A cell that goes before is not seen.");
                            }
                }
        }
    }

    void aHotCellDoesNotSmearOverItsNeighbours() {
        trace::Matrix values(1000, 1000);
        values(500, 500) = 1;
        const ColourScale scale;
        const QImage image = MatrixPyramid(trace::view(values), nullptr)
                                 .image({0, 0, 1000, 1000}, {100, 100}, scale, hatch, background);
        QVERIFY(count(image, scale.colour(1)) <= 4);
    }

    void negativeScoresAndNotANumberNeverVanishEither() {
        const auto scale = ColourScale::diverging(1, false);
        trace::Matrix values(640, 640);
        values(17, 300) = -1;
        values(600, 5) = std::nanf("");
        const QImage image = MatrixPyramid(trace::view(values), nullptr)
                                 .image({0, 0, 640, 640}, {50, 50}, scale, hatch, background);
        QVERIFY(count(image, scale.colour(-1)) >= 1);
        QVERIFY(count(image, scale.notANumber()) >= 1);
    }

    void enlargedCellsAreWholeAndSharp() {
        trace::Matrix values(2, 2);
        values(0, 1) = 1;
        const ColourScale scale;
        const QImage image = MatrixPyramid(trace::view(values), nullptr)
                                 .image({0, 0, 2, 2}, {10, 10}, scale, hatch, background);
        QCOMPARE(count(image, scale.colour(1)), 25);
        QCOMPARE(image.pixel(5, 0), scale.colour(1));
        QCOMPARE(image.pixel(4, 4), scale.colour(0));
    }

    void maskedCellsAreHatchedNotColoured() {
        trace::Matrix values(300, 300, 1.0f);
        trace::MaskMatrix mask(300, 300);
        for (std::size_t r = 0; r < 300; ++r)
            for (std::size_t c = 0; c <= r; ++c)
                mask(r, c) = 1;
        const ColourScale scale;
        const QImage image = MatrixPyramid(trace::view(values), &mask)
                                 .image({0, 0, 300, 300}, {100, 100}, scale, hatch, background);
        QCOMPARE(image.pixel(2, 90), scale.colour(1));
        int drawn = 0;
        for (int x = 60; x < 100; ++x)
            for (int y = 0; y < 40; ++y) {
                QVERIFY(image.pixel(x, y) == hatch || image.pixel(x, y) == background);
                drawn += image.pixel(x, y) == hatch;
            }
        QVERIFY(drawn > 100);
    }

    void aWindowShowsItsPartOnly() {
        trace::Matrix values(100, 100);
        values(10, 20) = 1;
        const ColourScale scale;
        const MatrixPyramid pyramid(trace::view(values), nullptr);
        QCOMPARE(count(pyramid.image({20, 10, 4, 4}, {40, 40}, scale, hatch, background), scale.colour(1)),
                 100);
        QCOMPARE(count(pyramid.image({50, 50, 50, 50}, {40, 40}, scale, hatch, background), scale.colour(1)),
                 0);
    }

    void theExtremeOfTwoValuesIsTheOneFarthestFromZero() {
        QCOMPARE(moreExtreme(1, -2), -2.0f);
        QCOMPARE(moreExtreme(-1, 0.5), -1.0f);
        QVERIFY(std::isnan(moreExtreme(9, std::nanf(""))));
        QVERIFY(std::isnan(moreExtreme(std::nanf(""), 9)));
    }

    void theLargerOfTwoScoresStandsForBoth() {
        QCOMPARE(larger(6, -20), 6.0f);
        QCOMPARE(larger(-20, 6), 6.0f);
        QCOMPARE(larger(-std::numeric_limits<float>::infinity(), -20), -20.0f);
        QVERIFY(std::isnan(larger(9, std::nanf(""))));
        QVERIFY(std::isnan(larger(std::nanf(""), 9)));
    }
};

HEADSCOPE_TEST(MatrixImageTest)
#include "matrix_image_test.moc"
