#include <QImage>
#include <QPainter>
#include <QSet>
#include <QTest>

#include "tests/watched_test.h"
#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/minus_strokes.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/map_picture.h"

#include <algorithm>

using namespace headscope;
using namespace headscope::widgets;

class MinusStrokesTest : public QObject {
    Q_OBJECT

    static constexpr int side = 20;

    /// Minus five, zero, plus five, and a masked minus five.
    trace::Matrix values_{1, 4};
    trace::MaskMatrix mask_{1, 4};

    MapPicture picture() const {
        return {.values = trace::view(values_),
                .mask = &mask_,
                .scale = ColourScale::diverging(5, false),
                .rowLabels = {},
                .columnLabels = {}};
    }

    static MapLayout layout(int cell) {
        return MapLayout({.area = QRectF(0, 0, 200, 60),
                          .rows = 1,
                          .columns = 4,
                          .rowLabelWidths = {},
                          .columnLabelWidths = {},
                          .largestCell = static_cast<double>(cell),
                          .oblongCell = 1});
    }

    static QImage drawn(const MapPicture& picture, int cell) {
        QImage image(200, 60, QImage::Format_RGB32);
        image.fill(Qt::red); // differs from both inks
        QPainter painter(&image);
        drawMinusStrokes(painter, picture, layout(cell));
        return image;
    }

    static bool isTouched(const QImage& image, int column, int cell) {
        const QRect place = layout(cell).cellRect(0, column).toRect();
        for (int y = place.top(); y <= place.bottom(); ++y)
            for (int x = place.left(); x <= place.right(); ++x)
                if (image.pixel(x, y) != qRgb(255, 0, 0))
                    return true;
        return false;
    }

  private Q_SLOTS:
    void init() {
        values_.values() = {-5, 0, 5, -5};
        mask_.values() = {1, 1, 1, 0};
    }

    void onlyAllowedCellsBelowZeroHaveAMinus() {
        const QImage image = drawn(picture(), side);
        QVERIFY(isTouched(image, 0, side));
        for (const int column : {1, 2, 3})
            QVERIFY2(!isTouched(image, column, side), qPrintable(QString::number(column)));
    }

    void whatLooksLikeZeroHasNone() {
        values_.values() = {-0.001F, 0, 5, -5};
        QVERIFY(!isTouched(drawn(picture(), side), 0, side));
    }

    void theRowsThatAreSeenHaveAMinusAndNoOthers_data() {
        QTest::addColumn<QRectF>("window");
        QTest::addColumn<QSet<int>>("rows");
        QTest::addColumn<QSet<int>>("columns");
        QTest::newRow("all") << QRectF(0, 0, 5, 8) << QSet{0, 1, 2, 3, 4, 5, 6, 7} << QSet{0, 1, 2, 3, 4};
        QTest::newRow("whole cells") << QRectF(1, 2, 3, 4) << QSet{2, 3, 4, 5} << QSet{1, 2, 3};
        QTest::newRow("cut cells") << QRectF(1.4, 2.4, 2, 3) << QSet{2, 3, 4, 5} << QSet{1, 2, 3};
        QTest::newRow("the end") << QRectF(2.5, 5.5, 2.5, 2.5) << QSet{5, 6, 7} << QSet{2, 3, 4};
    }

    void theRowsThatAreSeenHaveAMinusAndNoOthers() {
        QFETCH(QRectF, window);
        QFETCH(QSet<int>, rows);
        QFETCH(QSet<int>, columns);
        trace::Matrix values(8, 5);
        std::ranges::fill(values.values(), -5.0F);
        MapPicture shown = picture();
        shown.values = trace::view(values);
        shown.mask = nullptr;
        MapLayout layout({.area = QRectF(800, 1000, 200, 320), .rows = 8, .columns = 5});
        layout.show(window);
        QImage image(1800, 2400, QImage::Format_RGB32); // cells outside the plot have positions too
        image.fill(Qt::red);
        QPainter painter(&image);
        drawMinusStrokes(painter, shown, layout);
        const auto isMarked = [&](QPoint middle) {
            for (int y = middle.y() - 2; y <= middle.y() + 2; ++y)
                if (image.pixel(middle.x(), y) != qRgb(255, 0, 0))
                    return true;
            return false;
        };
        QSet<int> rowsDrawn, columnsDrawn;
        for (int row = 0; row < 8; ++row)
            for (int column = 0; column < 5; ++column)
                if (isMarked(layout.cellRect(row, column).center().toPoint())) {
                    rowsDrawn.insert(row);
                    columnsDrawn.insert(column);
                }
        QCOMPARE(rowsDrawn, rows);
        QCOMPARE(columnsDrawn, columns);
    }

    void smallCellsHaveNone() {
        QVERIFY(!isTouched(drawn(picture(), 7), 0, 7));
        QVERIFY(isTouched(drawn(picture(), 8), 0, 8));
    }

    void aScaleWithoutSignsHasNone() {
        MapPicture shown = picture();
        shown.scale = ColourScale::sequential(-5, 5, ColourMapping::Linear, false);
        QVERIFY(!isTouched(drawn(shown, side), 0, side));
    }

    void inGreyTheEndsOfTheLegendDiffer_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    /// For each line of the bar, whether it has a single tone.
    void inGreyTheEndsOfTheLegendDiffer() {
        QFETCH(bool, dark);
        const Theme& theme = dark ? darkTheme() : lightTheme();
        QImage image(120, 200, QImage::Format_RGB32);
        image.fill(theme.background);
        QPainter painter(&image);
        drawColourBar(painter, QRectF(0, 0, 20, 200), ColourScale::diverging(5, dark), QFont(), theme);
        painter.end();
        const auto hasStroke = [&](int from, int to) {
            for (int y = from; y < to; ++y)
                for (int x = 42; x < 50; ++x) // within the bar
                    if (qGray(image.pixel(x, y)) != qGray(image.pixel(41, y)))
                        return true;
            return false;
        };
        QVERIFY(!hasStroke(2, 98));
        QVERIFY(hasStroke(102, 198));
    }
};

HEADSCOPE_WATCHED_TEST(MinusStrokesTest)
#include "minus_strokes_test.moc"
