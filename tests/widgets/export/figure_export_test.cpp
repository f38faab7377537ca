#include <QBuffer>
#include <QFile>
#include <QImageReader>
#include <QPainter>
#include <QRegularExpression>
#include <QTest>

#include <sys/resource.h>
#include <unistd.h>

#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/export/figure_export.h"
#include "widgets/export/figure_provenance.h"
#include "widgets/map/heatmap_view.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

using namespace headscope;
using namespace headscope::widgets;

/// Says how it was drawn.
struct PlacedFigure : FigureSource {
    void drawFigure(QPainter& painter, QSize size, const Theme&) const override {
        drawn = size;
        onPage = painter.combinedTransform().mapRect(QRectF(QPointF(), QSizeF(size)));
    }
    FigureText figureText() const override { return {.title = "a", .provenance = "a sentence"}; }
    bool hasFigure() const override { return true; }
    mutable QSize drawn;
    mutable QRectF onPage;
};

class FigureExportTest : public QObject {
    Q_OBJECT

    const FigureText text_{"cross.2.5", "A caption with <b> & \"quotes\"", "model, weights 0123"};

    static void draw(QPainter& painter, QSize size) {
        painter.fillRect(QRect(QPoint(), size), Qt::white);
        painter.fillRect(QRectF(10, 10, 20, 20), Qt::red);
        painter.drawText(QPointF(40, 40), "Tochter");
    }

  private Q_SLOTS:
    void pngCarriesItsResolutionAndItsText() {
        FigureBytes figure =
            figureBytes({.format = FigureFormat::Png, .size = {200, 100}, .dpi = 288}, draw, text_);
        QCOMPARE(figure.error, QString());
        QBuffer buffer(&figure.bytes);
        QImageReader reader(&buffer);
        const QImage image = reader.read();
        QCOMPARE(image.size(), QSize(600, 300));
        QCOMPARE(qRound(image.dotsPerMeterX() * 0.0254), 288);
        QCOMPARE(image.text("Title"), text_.title);
        QCOMPARE(image.text("Description"), text_.caption);
        QCOMPARE(image.text("Source"), text_.provenance);
        QCOMPARE(image.pixel(45, 45), qRgb(255, 0, 0));
        QCOMPARE(image.pixel(95, 45), qRgb(255, 255, 255));
    }

    void svgKeepsTextAsTextAndItsMetadataWellFormed() {
        const FigureBytes figure =
            figureBytes({.format = FigureFormat::Svg, .size = {200, 100}, .dpi = 96}, draw, text_);
        QVERIFY(figure.bytes.contains(">Tochter</text>"));
        QVERIFY(figure.bytes.contains("<title>cross.2.5</title>"));
        QVERIFY(figure.bytes.contains("&lt;b&gt; &amp;"));
        QVERIFY(!figure.bytes.contains("<b>"));
    }

    void pdfIsOnePageOfTheSizeAskedFor() {
        const FigureBytes figure =
            figureBytes({.format = FigureFormat::Pdf, .size = {960, 480}, .dpi = 96}, draw, text_);
        QVERIFY(figure.bytes.startsWith("%PDF"));
        QVERIFY(figure.bytes.contains("/MediaBox [0 0 720"));
        QVERIFY(figure.bytes.contains("/Font"));
    }

    void aPdfDependsOnlyOnWhatIsDrawn() {
        const auto pdf = [this](const QString& title) {
            return figureBytes({.format = FigureFormat::Pdf, .size = {960, 480}, .dpi = 96}, draw,
                               {title, text_.caption, text_.provenance})
                .bytes;
        };
        const QByteArray once = pdf(text_.title), other = pdf("cross.2.6");
        QCOMPARE(pdf(text_.title), once);
        QVERIFY(!once.contains("Date (D:"));
        const auto identifier = [](const QByteArray& bytes) {
            return QRegularExpression("/ID \\[ <(\\w{72})> <\\1> \\]").match(bytes).captured(1);
        };
        QCOMPARE(identifier(once).isEmpty(), QT_VERSION < QT_VERSION_CHECK(6, 8, 0));
        QCOMPARE(identifier(once) == identifier(other), identifier(once).isEmpty());
        const auto table = once.sliced(once.lastIndexOf("startxref") + 10);
        QVERIFY(once.sliced(table.first(table.indexOf('\n')).trimmed().toInt()).startsWith("xref"));
    }

    void aPictureThatIsTooLargeIsRefusedInWords() {
        const FigureBytes figure =
            figureBytes({.format = FigureFormat::Png, .size = {2000, 1000}, .dpi = 9600}, draw, text_);
        QVERIFY(figure.bytes.isEmpty());
        QVERIFY2(figure.error.contains("200000 x 100000"), qPrintable(figure.error));
        QVERIFY(!figureBytes({.format = FigureFormat::Svg, .size = {0, 100}, .dpi = 96}, draw, text_)
                     .error.isEmpty());
        QVERIFY(!figureBytes({.format = FigureFormat::Png, .size = {10, 100}, .dpi = 0}, draw, text_)
                     .error.isEmpty());
    }

    /// The largest that is said can be had, and one dot an inch more cannot.
    void whatIsRefusedSaysTheLargestThatCanBeWritten() {
        for (const QSize size :
             {QSize(800, 640), QSize(3200, 40), QSize(40, 100'000), QSize(30'000, 30'000)}) {
            FigureOptions options{.format = FigureFormat::Png, .size = size, .dpi = 100'000};
            const QString why = whyTooLarge(options);
            const auto said = QRegularExpression(": (\\d+) x (\\d+) at (\\d+) dots").match(why);
            QVERIFY2(said.hasMatch(), qPrintable(why));
            options.dpi = said.captured(3).toInt();
            QVERIFY(whyTooLarge(options).isEmpty());
            QCOMPARE(pixelsOf(options), QSize(said.captured(1).toInt(), said.captured(2).toInt()));
            ++options.dpi;
            QVERIFY(!whyTooLarge(options).isEmpty());
        }
        // Too large in any resolution.
        QVERIFY(whyTooLarge({.format = FigureFormat::Png, .size = {4'000'000, 40'000}, .dpi = 1})
                    .endsWith(": 32767 x 327 is the largest size of this shape."));
        for (const auto format : {FigureFormat::Svg, FigureFormat::Pdf})
            for (const QSize size : {QSize(100'000, 70'000), QSize(1000, 200'000), QSize(40'001, 40'001)}) {
                const QString why = whyTooLarge({.format = format, .size = size});
                const auto said =
                    QRegularExpression(": (\\d+) x (\\d+) is the largest size of this shape").match(why);
                QVERIFY2(said.hasMatch(), qPrintable(why));
                const QSize most(said.captured(1).toInt(), said.captured(2).toInt());
                QVERIFY(whyTooLarge({.format = format, .size = most}).isEmpty());
                QVERIFY(!whyTooLarge({.format = format, .size = most + QSize(1, 1)}).isEmpty());
                const auto [shorter, longer] = std::minmax({most.width(), most.height()});
                const auto [less, more] = std::minmax({size.width(), size.height()});
                QVERIFY(std::abs(shorter - longer * double(less) / more) <= 1);
            }
        // On both sides of the longest that Qt's painter takes.
        QVERIFY(whyTooLarge({.format = FigureFormat::Png, .size = {32767, 10}, .dpi = 96}).isEmpty());
        QVERIFY(!whyTooLarge({.format = FigureFormat::Png, .size = {32768, 10}, .dpi = 96}).isEmpty());
        QVERIFY(whyTooLarge({.format = FigureFormat::Pdf, .size = {19200, 10}}).isEmpty());
        QVERIFY(!whyTooLarge({.format = FigureFormat::Pdf, .size = {19201, 10}}).isEmpty());
        QVERIFY(whyTooLarge({.format = FigureFormat::Svg, .size = {32767, 10}}).isEmpty());
        QVERIFY(!whyTooLarge({.format = FigureFormat::Svg, .size = {32768, 10}}).isEmpty());
    }

    /// Where such a page would be too large as well, they are no way out.
    void formatsWithoutDotsAreNamedWhereTheyHelp() {
        const auto why = [](QSize size) { return whyTooLarge({.size = size, .dpi = 100'000}); };
        QVERIFY(why({19'200, 800}).endsWith(" SVG and PDF need no dots per inch."));
        QVERIFY(why({19'201, 800}).endsWith(" SVG needs no dots per inch."));
        QVERIFY(why({800, 32'767}).endsWith(" SVG needs no dots per inch."));
        QVERIFY(why({800, 32'768}).endsWith("is the largest size of this shape."));
    }

    void ofWhatIsTooSmallToBeReadTheSmallestIsSaid() {
        QVERIFY(whyNotThisSize({.size = {leastSide, leastSide}}).isEmpty());
        for (const QSize size : {QSize(2, 2), QSize(321, leastSide - 1), QSize(7, 3000)}) {
            const QString why = whyNotThisSize({.size = size});
            const auto said =
                QRegularExpression(": (\\d+) x (\\d+) is the smallest size of this shape").match(why);
            QVERIFY2(said.hasMatch(), qPrintable(why));
            QCOMPARE(std::min(said.captured(1).toInt(), said.captured(2).toInt()), leastSide);
        }
    }

    /// And one that has too few dots, with as many as it needs.
    void ofWhatHasTooFewDotsTheSmallestIsSaid() {
        for (const auto& [size, dpi] : {std::pair(QSize(800, 640), 1), std::pair(QSize(7000, 24), 93)}) {
            const QString why = whyNotThisSize({.size = size, .dpi = dpi});
            const auto said =
                QRegularExpression(": (\\d+) x (\\d+) at (\\d+) dots per inch is the smallest").match(why);
            QVERIFY2(said.hasMatch(), qPrintable(why));
            const FigureOptions least{.size = size, .dpi = said.captured(3).toInt()};
            QVERIFY(whyNotThisSize(least).isEmpty());
            QVERIFY(!whyNotThisSize({.size = size, .dpi = least.dpi - 1}).isEmpty());
            QCOMPARE(pixelsOf(least), QSize(said.captured(1).toInt(), said.captured(2).toInt()));
            for (const auto format : {FigureFormat::Svg, FigureFormat::Pdf})
                QVERIFY(whyNotThisSize({.format = format, .size = size, .dpi = dpi}).isEmpty());
        }
    }

    /// In an address space that ends a little above what is used already.
    void whatThereIsNoMemoryForSaysTheLargestThatThereIs() {
#ifdef __SANITIZE_ADDRESS__
        QSKIP("the sanitizer wants an address space of its own");
#endif
        const auto used = [] {
            QFile status("/proc/self/statm");
            [&] { QVERIFY(status.open(QIODevice::ReadOnly)); }();
            return static_cast<rlim_t>(status.readAll().split(' ').front().toULongLong() *
                                       static_cast<unsigned long long>(sysconf(_SC_PAGESIZE)));
        };
        FigureOptions options{.format = FigureFormat::Png, .size = {3000, 3000}, .dpi = 480}; // 900 MB
        QVERIFY(whyTooLarge(options).isEmpty());
        rlimit before{};
        QCOMPARE(getrlimit(RLIMIT_AS, &before), 0);
        rlimit small = before;
        small.rlim_cur = used() + 400'000'000;
        QCOMPARE(setrlimit(RLIMIT_AS, &small), 0);
        const FigureBytes refused = figureBytes(options, draw, text_);
        const auto said = QRegularExpression("(\\d+) x (\\d+) at (\\d+) dots per inch").match(refused.error);
        options.dpi = said.captured(3).toInt();
        const auto fits = [&](int dpi) { // and the file beside it
            const QImage image(pixelsOf({.size = options.size, .dpi = dpi}), QImage::Format_RGB32);
            const std::unique_ptr<char[]> file(new (std::nothrow) char[std::size_t(image.sizeInBytes() / 4)]);
            return !image.isNull() && file;
        };
        const bool isLargest = fits(options.dpi) && !fits(options.dpi + 1);
        const FigureBytes written = said.hasMatch() ? figureBytes(options, draw, text_) : FigureBytes();
        QCOMPARE(setrlimit(RLIMIT_AS, &before), 0);
        QVERIFY2(said.hasMatch(), qPrintable(refused.error));
        QVERIFY(options.dpi > 96 && options.dpi < 480);
        QVERIFY(isLargest);
        QCOMPARE(pixelsOf(options), QSize(said.captured(1).toInt(), said.captured(2).toInt()));
        QCOMPARE(written.error, QString());
        QVERIFY(!written.bytes.isEmpty());
    }

    /// Drawn up to its last dot.
    void theLongestPictureIsDrawnToItsEnd() {
        const FigureOptions options{.format = FigureFormat::Png, .size = {32767, 4}, .dpi = 96};
        const QImage image = drawnImage(
            options, [](QPainter& painter, QSize size) { painter.fillRect(QRect(QPoint(), size), Qt::red); });
        QCOMPARE(image.size(), QSize(32767, 4));
        QCOMPARE(image.pixelColor(32766, 3), QColor(Qt::red));
    }

    void aViewWithNothingToShowSavesNothing() {
        Selection selection;
        const HeatmapView view(&selection);
        const FigureBytes figure =
            figureBytes({.format = FigureFormat::Png, .size = view.figureSize(), .dpi = 96}, view);
        QVERIFY(figure.bytes.isEmpty());
        QVERIFY(!figure.error.isEmpty());
    }

    void aSmallMapIsOneRectangleACellInSvg() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        view.setRun(example::run());
        const FigureBytes figure =
            figureBytes({.format = FigureFormat::Svg, .size = view.figureSize(), .dpi = 96}, view);
        QVERIFY(!figure.bytes.contains("<image"));
        QVERIFY(figure.bytes.count("<rect") >= 12 * 11);
        QVERIFY(figure.bytes.contains("Tochter"));
    }

    /// The picture has the room that it needs, however small the page and long the line below.
    void aPageThatIsTooSmallIsDrawnSmallerAndNotCut() {
        const PlacedFigure figure;
        for (const QSize size :
             {QSize(321, 257), QSize(642, 514), QSize(960, 540), QSize(100, 2000), QSize(40, 20)})
            for (const bool provenance : {false, true}) {
                const FigureOptions options{.format = FigureFormat::Png,
                                            .size = size,
                                            .dpi = 96,
                                            .provenanceBelow = provenance,
                                            .facts = {.weights = QString(71, 'w')}};
                QVERIFY(takenFigure(options, figure));
                QVERIFY(figure.drawn.width() >= figure.figureSize().width());
                QVERIFY(figure.drawn.height() >= figure.figureSize().height() - 1); // rounded
                QVERIFY(figure.onPage.right() <= size.width() + 1);
                QVERIFY(figure.onPage.bottom() <= size.height() + 1);
                QVERIFY(figureScale(options, figure) < 1);
            }
        const FigureOptions large{.size = {1600, 900}, .provenanceBelow = true};
        QCOMPARE(figureScale(large, figure), 1.0);
    }

    /// On a poster; the view on the screen keeps its own.
    void textIsAsLargeAsThePageAllows() {
        struct Written : QWidget, PlacedFigure {
            QSize figureSize() const override { return 30 * QSize(2, 1) * fontMetrics().height(); }
            void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override {
                PlacedFigure::drawFigure(painter, size, theme);
                points = font().pointSizeF();
            }
            mutable double points = 0;
        };
        const Written figure;
        const QSizeF own = figure.figureSize();
        const QFont before = figure.font();
        for (const QSize size : {QSize(3179, 2245), QSize(2245, 3179), QSize(1920, 1080), QSize(400, 200)})
            for (const bool provenance : {false, true}) {
                FigureOptions options{.format = FigureFormat::Svg,
                                      .size = size,
                                      .provenanceBelow = provenance,
                                      .facts = {.weights = QString(71, 'w')}};
                options.fontSize = fillingFontSize(options, figure);
                const double most = std::min(size.width() / own.width(), size.height() / own.height());
                const double larger = options.fontSize / before.pointSizeF();
                QVERIFY(std::abs(larger - std::max(1.0, most)) < 0.1 / before.pointSizeF() + 1e-6);
                QVERIFY(takenFigure(options, figure));
                QCOMPARE(figure.points, options.fontSize);
                QVERIFY(figureScale(options, figure) > 0.85 * std::min(1.0, most));
                QVERIFY(QRectF(QPointF(), size).adjusted(-1, -1, 1, 1).contains(figure.onPage));
                QVERIFY(
                    scaleInWords(options, figure).contains(most > 1.1 ? "ext of" : "that nothing is cut"));
                QVERIFY(figure.font() == before && !figure.testAttribute(Qt::WA_SetFont));
            }
    }

    /// As far as the view can be narrow, and only where letters would be too small.
    void onAPaperColumnLettersStayLargeEnough() {
        struct Figure : FigureSource {
            void drawFigure(QPainter&, QSize size, const Theme&) const override { drawn = size; }
            FigureText figureText() const override { return {.title = "a", .provenance = "a sentence"}; }
            QSize narrowFigure(int width) const override {
                const int wide = std::clamp(width, narrowest, 800);
                return {wide, 320000 / wide};
            }
            bool hasFigure() const override { return true; }
            int narrowest = 200;
            mutable QSize drawn;
        };
        Figure figure;
        const double points = figureFont(figure).pointSizeF();
        for (const bool provenance : {false, true}) {
            FigureOptions options{
                .size = {321, 0}, .provenanceBelow = provenance, .facts = {.weights = QString(71, 'w')}};
            options.size.setHeight(figureHeight(options, figure));
            QVERIFY(options.size.height() > 321 * 640 / 800);
            QVERIFY(std::abs(points * figureScale(options, figure) - leastLetters) < 0.01);
            takenFigure(options, figure);
            const QSize needed = figure.narrowFigure(figure.drawn.width());
            QVERIFY(figure.drawn.height() >= needed.height() - 1 &&
                    figure.drawn.height() < needed.height() + 3);
            // In less height all of it is still there, smaller.
            options.size.setHeight(options.size.height() * 3 / 4);
            takenFigure(options, figure);
            QVERIFY(figure.drawn.height() >= figure.narrowFigure(figure.drawn.width()).height() - 1);
            QVERIFY(points * figureScale(options, figure) < leastLetters);
            QVERIFY(figureScale(options, figure) > 321 / 800.0);
        }
        // What has room for its letters keeps its shape and its layout.
        const FigureOptions page{.size = {720, 576}};
        QCOMPARE(figureHeight(page, figure), 576);
        takenFigure(page, figure);
        QCOMPARE(figure.drawn, figure.figureSize());
        // A view that cannot be narrow stays as it is.
        figure.narrowest = 800;
        QCOMPARE(figureHeight({.size = {321, 0}}, figure), 257);
        QVERIFY(std::abs(figureScale({.size = {321, 257}}, figure) - 321 / 800.0) < 0.001);
    }

    void theLineBelowEndsItsRowsBetweenWords() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        view.setRun(example::run());
        for (const int width : {321, 400, 500}) {
            FigureOptions options{.format = FigureFormat::Svg,
                                  .size = {width, 0},
                                  .provenanceBelow = true,
                                  .facts = {.weights = QString(71, 'w'), .software = "Headscope 1.0"}};
            options.size.setHeight(figureHeight(options, view));
            const QString svg = QString::fromUtf8(figureBytes(options, view).bytes);
            QStringList words;
            static const QRegularExpression text("<text[^>]*>([^<]*)</text>");
            for (auto found = text.globalMatch(svg); found.hasNext();)
                words += found.next().captured(1).trimmed();
            const QString line = provenanceLine(view.figureText(), options.facts);
            const QString beforeHash = line.section(options.facts.weights, 0, 0).trimmed();
            QVERIFY2(words.join(' ').contains(beforeHash), qPrintable(words.join(' ')));
            QVERIFY(words.join(' ').endsWith("Headscope 1.0"));
        }
    }

    void aLargeMapIsAnImageWithWholePixelsACell() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        view.setRun(example::run({.repeats = 7}));
        const FigureBytes figure =
            figureBytes({.format = FigureFormat::Svg, .size = view.figureSize(), .dpi = 96}, view);
        QVERIFY(figure.bytes.contains("<image"));
        QVERIFY(figure.bytes.count("<rect") < 1000);
    }
};

HEADSCOPE_WATCHED_TEST(FigureExportTest)
#include "figure_export_test.moc"
