#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <QTest>

#include "tests/watched_test.h"
#include "widgets/drawing/hatch.h"
#include "widgets/drawing/recorded_drawing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"

#include <thread>

using namespace headscope::widgets;

/// Replaying a recording draws the same as drawing directly.
class RecordedDrawingTest : public QObject {
    Q_OBJECT

    using Target = RecordedDrawing::Target;

    static void drawShapes(QPainter& painter) {
        painter.fillRect(QRectF(0, 0, 300, 200), QColor(250, 250, 240));
        for (int i = 0; i < 12; ++i)
            painter.fillRect(QRectF(10 + 7.3 * i, 10.4, 7.3, 9.7), QColor::fromHsv(30 * i, 200, 220));
        painter.setPen(QPen(Qt::darkBlue, 1.5, Qt::DashLine));
        painter.drawLine(QPointF(3.2, 40), QPointF(280, 61.7));
        painter.drawRect(QRectF(20, 50, 33.3, 21));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(QColor(200, 80, 30, 120));
        painter.drawEllipse(QRectF(70, 50, 40.5, 22));
        painter.drawPolygon(QPolygonF({{120, 50}, {150, 55}, {130.5, 80}}));
        painter.drawPolyline(QPolygonF({{160, 50}, {170, 75}, {180, 52}}));
        QPainterPath path({190, 70});
        path.cubicTo({200, 30}, {220, 100}, {240, 55});
        painter.drawPath(path);
        painter.drawPoint(QPointF(250.5, 60));
        drawHatch(painter, QRectF(250, 90, 30, 25), lightTheme());
    }

    static void drawCut(QPainter& painter) {
        painter.save();
        painter.translate(40, 90);
        painter.setClipRect(QRectF(0, 0, 50.5, 30), Qt::IntersectClip);
        painter.rotate(20);
        painter.setOpacity(0.4);
        painter.fillRect(0, 0, 80, 80, Qt::darkGreen);
        painter.save();
        QPainterPath round;
        round.addEllipse(QRectF(0, 0, 30, 30));
        painter.setClipPath(round, Qt::IntersectClip);
        painter.fillRect(0, 0, 80, 80, Qt::red);
        painter.restore();
        painter.fillRect(30, 0, 10, 80, Qt::yellow);
        painter.restore();
        painter.drawRect(100, 95, 20, 20); // not clipped
    }

    static void drawPictures(QPainter& painter) {
        QImage image(5, 4, QImage::Format_ARGB32);
        for (int i = 0; i < 20; ++i)
            image.setPixelColor(i % 5, i / 5, QColor(12 * i, 255 - 12 * i, 100, 100 + 7 * i));
        painter.drawImage(QRectF(10, 130, 50, 40), image);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.drawImage(QRectF(70, 130, 50, 40), image, QRectF(1, 1, 3, 2));
        painter.drawPixmap(QPointF(130, 130), QPixmap::fromImage(image));
    }

    static void drawWords(QPainter& painter) {
        QFont font = painter.font();
        font.setItalic(true);
        painter.setPen(Qt::black);
        painter.drawText(QPointF(150, 140.3), "Tochter fi \u2581und");
        painter.setFont(font);
        painter.drawText(QRectF(150, 145, 120, 50), Qt::TextWordWrap | Qt::AlignRight,
                         "wrapped words, \u0645\u0631\u062d\u0628\u0627 and \u4f60\u597d beside them");
        font.setUnderline(true);
        painter.setFont(font);
        painter.save();
        painter.rotate(-45);
        painter.drawText(QPointF(10, 195), "turned");
        painter.restore();
    }

    static void drawAll(QPainter& painter) {
        for (const auto draw : {drawShapes, drawCut, drawPictures, drawWords}) {
            painter.save();
            draw(painter);
            painter.restore();
        }
    }

    static QImage drawn(double scale, const std::function<void(QPainter&)>& draw) {
        QImage image((QSizeF(300, 220) * scale).toSize(), QImage::Format_RGB32);
        image.setDotsPerMeterX(3780);
        image.setDotsPerMeterY(3780);
        image.fill(Qt::white);
        QPainter painter(&image);
        draw(painter);
        return image;
    }

  private Q_SLOTS:
    void anotherThreadDrawsTheSamePixels_data() {
        QTest::addColumn<double>("scale");
        for (const double scale : {1.0, 1.5625, 2.0, 0.7})
            QTest::addRow("%g", scale) << scale;
    }

    void anotherThreadDrawsTheSamePixels() {
        QFETCH(double, scale);
        const QImage direct = drawn(scale, [&](QPainter& painter) {
            painter.scale(scale, scale);
            drawAll(painter);
        });
        RecordedDrawing recording(Target::Pixels);
        {
            QPainter painter(&recording);
            painter.scale(scale, scale);
            drawAll(painter);
        }
        QImage later;
        std::thread([&] {
            later = drawn(scale, [&](QPainter& painter) { recording.drawOn(painter); });
        }).join();
        QCOMPARE(later, direct);
    }

    void aRecordingWithinARecordingLiesWhereItIsPut() {
        const QImage direct = drawn(2, [&](QPainter& painter) {
            painter.scale(2, 2);
            painter.translate(14, 9);
            drawAll(painter);
        });
        const auto inner = std::make_shared<RecordedDrawing>(Target::Pixels);
        {
            QPainter painter(inner.get());
            drawAll(painter);
        }
        RecordedDrawing outer(Target::Pixels);
        {
            QPainter painter(&outer);
            painter.scale(2, 2);
            painter.translate(14, 9);
            painter.setPen(Qt::magenta);
            painter.setBrush(Qt::magenta);
            drawLater(painter, [inner](QPainter& onto) { inner->drawOn(onto); });
        }
        QCOMPARE(drawn(2, [&](QPainter& painter) { outer.drawOn(painter); }), direct);
    }

    void whatTakesLongIsDrawnWithTheRecording() {
        int calls = 0;
        RecordedDrawing recording(Target::Document);
        QPainter painter(&recording);
        QVERIFY(isRecorded(painter) && !drawsPixels(painter));
        painter.translate(100, 0);
        drawLater(painter, [&](QPainter& onto) {
            ++calls;
            onto.fillRect(0, 0, 10, 10, Qt::red);
            onto.translate(1000, 1000); // must not move later steps
        });
        painter.fillRect(20, 0, 10, 10, Qt::blue);
        painter.end();
        QCOMPARE(calls, 0);
        const QImage image = drawn(1, [&](QPainter& onto) {
            QVERIFY(!isRecorded(onto) && drawsPixels(onto));
            recording.drawOn(onto);
            drawLater(onto, [&](QPainter& now) { now.fillRect(0, 0, 5, 5, Qt::green); });
        });
        QCOMPARE(calls, 1);
        QCOMPARE(image.pixelColor(105, 5), QColor(Qt::red));
        QCOMPARE(image.pixelColor(125, 5), QColor(Qt::blue));
        QCOMPARE(image.pixelColor(2, 2), QColor(Qt::green));
    }

    void textStaysTextAndShapesStayShapesInADocument() {
        RecordedDrawing recording(Target::Document);
        {
            QPainter painter(&recording);
            drawAll(painter);
        }
        const auto draw = [&](QPainter& painter, QSize) { recording.drawOn(painter); };
        const QByteArray bytes =
            figureBytes({.format = FigureFormat::Svg, .size = {300, 220}}, draw, {.title = "drawing"}).bytes;
        QVERIFY(bytes.contains("Tochter fi \xe2\x96\x81und"));
        QVERIFY(bytes.contains("\xe4\xbd\xa0\xe5\xa5\xbd"));
        QVERIFY(bytes.count("<rect") >= 14);
        QCOMPARE(bytes.count("<image"), 3);
    }
};

HEADSCOPE_WATCHED_TEST(RecordedDrawingTest)
#include "recorded_drawing_test.moc"
