#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"
#include "widgets/map/heatmap_view.h"

using namespace headscope;
using namespace headscope::widgets;

/// What a reader of the SVG finds.
class SvgDrawingTest : public QObject {
    Q_OBJECT

    struct Element {
        QString name;
        QXmlStreamAttributes attributes;
        QString text;
        QString clip; ///< that of the groups around it
    };

    static QByteArray svgOf(const DrawFigure& draw) {
        return figureBytes({.format = FigureFormat::Svg, .size = {200, 120}}, draw, {.title = "a < b"}).bytes;
    }

    /// All of a name, in their order.
    static QList<Element> elements(const QByteArray& svg, const QString& name) {
        QList<Element> found;
        QXmlStreamReader reader(svg);
        QStringList clips;
        while (!reader.atEnd()) {
            const auto token = reader.readNext();
            if (token == QXmlStreamReader::StartElement) {
                if (reader.name() == QLatin1String("g"))
                    clips += reader.attributes().value("clip-path").toString();
                if (reader.name() == name) {
                    Element element{.name = name, .attributes = reader.attributes(), .clip = clips.join("")};
                    if (name == "text")
                        element.text = reader.readElementText();
                    found += element;
                }
            } else if (token == QXmlStreamReader::EndElement && reader.name() == QLatin1String("g")) {
                clips.removeLast();
            }
        }
        if (reader.hasError())
            qCritical() << reader.errorString();
        return reader.hasError() ? QList<Element>() : found;
    }

    static QStringList texts(const QByteArray& svg) {
        QStringList texts;
        for (const auto& element : elements(svg, "text"))
            texts += element.text;
        return texts;
    }

    /// By a program that shares nothing with this one.
    static QImage drawnByAnother(const QByteArray& svg) {
        const QTemporaryDir folder;
        QFile file(folder.filePath("drawing.svg"));
        if (!file.open(QIODevice::WriteOnly) || file.write(svg) != svg.size())
            return {};
        file.close();
        QProcess reader;
        reader.start("rsvg-convert", {file.fileName(), "-o", folder.filePath("drawing.png")});
        return reader.waitForFinished() && reader.exitCode() == 0 ? QImage(folder.filePath("drawing.png"))
                                                                  : QImage();
    }

  private Q_SLOTS:
    void whatIsCutOnTheScreenIsCutInTheFile() {
        const auto draw = [](QPainter& painter, QSize size) {
            painter.fillRect(QRect(QPoint(), size), Qt::white);
            painter.save();
            painter.setClipRect(QRectF(50, 20, 40, 40));
            painter.fillRect(QRect(0, 0, 200, 120), Qt::red);
            QPainterPath round;
            round.addEllipse(QRectF(50, 20, 20, 20));
            painter.setClipPath(round, Qt::IntersectClip);
            painter.fillRect(QRect(0, 0, 200, 120), Qt::blue);
            painter.restore();
            painter.fillRect(QRect(100, 100, 10, 10), Qt::black);
        };
        const QByteArray svg = svgOf(draw);
        const auto boxes = elements(svg, "rect");
        QCOMPARE(boxes.size(), 4);
        QCOMPARE(boxes[0].clip, QString());
        QVERIFY(boxes[1].clip.startsWith("url(#"));
        QVERIFY(boxes[2].clip.startsWith("url(#") && boxes[2].clip != boxes[1].clip);
        QCOMPARE(boxes[3].clip, QString());
        QCOMPARE(elements(svg, "clipPath").size(), 2);
        if (QStandardPaths::findExecutable("rsvg-convert").isEmpty())
            QSKIP("rsvg-convert (librsvg2-bin) is not there");
        const QImage picture = drawnByAnother(svg).scaled(200, 120);
        QCOMPARE(picture.pixelColor(60, 30), QColor(Qt::blue));
        QCOMPARE(picture.pixelColor(80, 50), QColor(Qt::red));
        QCOMPARE(picture.pixelColor(120, 50), QColor(Qt::white));
        QCOMPARE(picture.pixelColor(105, 105), QColor(Qt::black));
    }

    void aZoomedMapStaysWithinItsFrame() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        view.setPalette(paletteOf(lightTheme()));
        view.setRun(example::run());
        view.resize(800, 640);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.setZoom({2, 3, 5, 4});
        const QSize size = view.figureSize();
        const QByteArray svg = figureBytes({.format = FigureFormat::Svg, .size = size}, view).bytes;
        QVERIFY(!elements(svg, "clipPath").isEmpty());
        if (QStandardPaths::findExecutable("rsvg-convert").isEmpty())
            QSKIP("rsvg-convert (librsvg2-bin) is not there");
        const QImage theirs = drawnByAnother(svg).scaled(size).convertToFormat(QImage::Format_RGB32);
        const QImage ours =
            QImage::fromData(figureBytes({.format = FigureFormat::Png, .size = size, .dpi = 96}, view).bytes);
        qint64 different = 0; // more than letters of another program's are
        for (int y = 0; y < size.height(); ++y)
            for (int x = 0; x < size.width(); ++x) {
                const QColor one = ours.pixelColor(x, y), other = theirs.pixelColor(x, y);
                different += std::abs(one.red() - other.red()) + std::abs(one.green() - other.green()) > 120;
            }
        QVERIFY2(different < qint64(size.width()) * size.height() / 100,
                 qPrintable(QString::number(different)));
    }

    void aLineOfWordsIsOneText() {
        const auto draw = [](QPainter& painter, QSize) {
            painter.drawText(QPointF(5, 20),
                             QString::fromUtf8("after \u2068\u201cnicht\u201d\u2069, <b> & 5 > 3"));
            painter.drawText(QPointF(5, 40), QString::fromUtf8("\u4f60\u597d beside it"));
            painter.setPen(Qt::red);
            painter.drawText(QPointF(90, 40), "in red");
            painter.drawText(QPointF(5, 60), QString::fromUtf8("\u0645\u0631\u062d\u0628\u0627"));
        };
        const QByteArray svg = svgOf(draw);
        const auto said = texts(svg);
        QCOMPARE(said, QStringList({QString::fromUtf8("after \u201cnicht\u201d, <b> & 5 > 3"),
                                    QString::fromUtf8("\u4f60\u597d beside it"), "in red",
                                    QString::fromUtf8("\u0645\u0631\u062d\u0628\u0627")}));
        const auto all = elements(svg, "text");
        QVERIFY(all[0].attributes.value("font-family").endsWith(QLatin1String("sans-serif")));
        QCOMPARE(all[3].attributes.value("direction"), QLatin1String("rtl"));
    }

    void aPenIsSaidAsItDraws() {
        const QByteArray svg = svgOf([](QPainter& painter, QSize) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(QColor(10, 20, 30, 128), 2, Qt::DashLine, Qt::RoundCap, Qt::RoundJoin));
            painter.drawLine(QPointF(0, 0.5), QPointF(10, 20));
            painter.setPen(Qt::NoPen);
            painter.setBrush(QColor(Qt::green));
            painter.setOpacity(0.25);
            painter.drawEllipse(QRectF(10, 10, 20, 30));
        });
        const auto line = elements(svg, "line").value(0).attributes;
        QCOMPARE(line.value("stroke"), QLatin1String("#0a141e"));
        QVERIFY(std::abs(line.value("stroke-opacity").toDouble() - 128 / 255.0) < 1e-3);
        QCOMPARE(line.value("stroke-width"), QLatin1String("2"));
        QCOMPARE(line.value("stroke-dasharray"), QLatin1String("8,4"));
        QCOMPARE(line.value("stroke-linecap"), QLatin1String("round"));
        QVERIFY(!line.hasAttribute("shape-rendering"));
        const auto ellipse = elements(svg, "ellipse").value(0).attributes;
        QCOMPARE(ellipse.value("opacity"), QLatin1String("0.25"));
        QCOMPARE(ellipse.value("ry"), QLatin1String("15"));
        QVERIFY(!ellipse.hasAttribute("stroke"));
    }
};

HEADSCOPE_WATCHED_TEST(SvgDrawingTest)
#include "svg_drawing_test.moc"
