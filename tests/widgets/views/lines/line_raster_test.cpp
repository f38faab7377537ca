#include <QPainter>
#include <QTest>

#include "tests/watched_test.h"
#include "widgets/views/lines/line_raster.h"

#include <cmath>

using namespace headscope::widgets;

class LineRasterTest : public QObject {
    Q_OBJECT

    static QImage blank(double ratio = 1) {
        QImage image(QSize(200, 100) * ratio, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(ratio);
        image.fill(Qt::transparent);
        return image;
    }
    /// In units of fully covered pixels.
    static double inkOn(const QImage& image) {
        double sum = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                sum += qAlpha(image.pixel(x, y)) / 255.0;
        return sum;
    }
    static QImage drawn(const QLineF& line, double width, const HeadInk& ink, double ratio = 1,
                        QRectF clip = {0, 0, 200, 100}) {
        QImage image = blank(ratio);
        LineRaster(image, clip).draw(line, width, ink);
        return image;
    }

  private Q_SLOTS:
    void aLineHasTheInkAPainterGivesIt() {
        const HeadInk ink{.colour = QColor(20, 60, 200)};
        for (const QLineF line : {QLineF(10, 50, 190, 50), QLineF(10, 20, 190, 61.3), QLineF(80, 5, 110, 95)})
            for (const double width : {0.8, 2.0, 3.7}) {
                QImage expected = blank();
                QPainter painter(&expected);
                painter.setRenderHint(QPainter::Antialiasing);
                painter.setPen(ink.pen(width));
                painter.drawLine(line);
                painter.end();
                const double wanted = inkOn(expected);
                const double got = inkOn(drawn(line, width, ink));
                QVERIFY2(std::abs(got - wanted) < 0.06 * wanted,
                         qPrintable(QString("%1 %2").arg(got).arg(wanted)));
            }
    }

    void opacityAndDashesTakeInkAway() {
        const QLineF line(0, 50, 200, 50);
        const double whole = inkOn(drawn(line, 2, {.colour = QColor(0, 0, 0)}));
        const double half = inkOn(drawn(line, 2, {.colour = QColor(0, 0, 0, 128)}));
        const double dashed = inkOn(drawn(line, 2, {.colour = QColor(0, 0, 0), .dashes = {6, 4}}));
        QVERIFY(std::abs(half / whole - 0.5) < 0.02);
        QVERIFY(std::abs(dashed / whole - 0.6) < 0.02);
    }

    void nothingIsDrawnOutsideOfTheClip() {
        const QImage image =
            drawn({-50, -30, 300, 160}, 4, {.colour = Qt::black}, 2, QRectF(50, 20, 100, 40));
        QVERIFY(inkOn(image) > 0);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (!QRect(100, 40, 200, 80).contains(x, y))
                    QCOMPARE(qAlpha(image.pixel(x, y)), 0);
    }

    void aLineFromRightToLeftIsNone() {
        QCOMPARE(inkOn(drawn({100, 10, 50, 20}, 2, {.colour = Qt::black})), 0.0);
        QCOMPARE(inkOn(drawn({std::nan(""), 10, 50, 20}, 2, {.colour = Qt::black})), 0.0);
    }
};

HEADSCOPE_WATCHED_TEST(LineRasterTest)
#include "line_raster_test.moc"
