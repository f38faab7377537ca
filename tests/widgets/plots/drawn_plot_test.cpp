#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QTest>

#include "tests/gallery/drawn_words.h"
#include "tests/watched_test.h"
#include "widgets/drawing/theme.h"
#include "widgets/plots/drawn_plot.h"

#include <cmath>

using namespace headscope::widgets;

class DrawnPlotTest : public QObject {
    Q_OBJECT

    const QRectF area_{10, 20, 400, 300};

    static Plot marksOver(const std::vector<double>& values) {
        Plot plot{.across = {.least = -0.5, .most = static_cast<double>(values.size()) - 0.5, .whole = true},
                  .up = {decadesAround(values, "value")}};
        PlotSeries marks{.line = 0, .mark = PlotMark::Disc};
        for (std::size_t i = 0; i < values.size(); ++i) {
            marks.points.emplace_back(static_cast<double>(i), values[i]);
            plot.columns += QString::number(i);
        }
        plot.add(marks, "row");
        return plot;
    }

    /// Two panels with three bars each, of which one is 0 and one has no value.
    static Plot bars() {
        Plot plot{.across = {.least = 0.5, .most = 3.5, .title = "step", .whole = true},
                  .up = {{.title = "probability"}, {.least = -1, .title = "margin"}},
                  .columns = {"one", "two", "three"}};
        plot.add({.points = {{1, 0.5}, {2, 1}, {3, 0}}, .bars = 0.8}, "probability");
        plot.add({.points = {{1, -0.5}, {2, NAN}, {3, 0.5}}, .ink = 1, .bars = 0.8, .panel = 1}, "margin");
        return plot;
    }

    static QStringList wordsOf(const Plot& plot, QSize size = {400, 300}) {
        headscope::gallery::DrawnWords page(size);
        QPainter painter(&page);
        DrawnPlot(plot).draw(painter, QRectF(QPointF(), size), QFont(), lightTheme());
        painter.end();
        if (const QString collision = page.collision(); !collision.isEmpty())
            return {collision};
        QStringList texts;
        for (const auto& word : page.words())
            texts += word.text;
        return texts;
    }

    QRectF place(const Plot& plot, MapCell mark) const { return DrawnPlot(plot).place(mark, area_, QFont()); }

    QImage imageOf(const Plot& plot, const Theme& theme) const {
        QImage image(420, 340, QImage::Format_RGB32);
        image.fill(theme.background);
        QPainter painter(&image);
        DrawnPlot(plot).draw(painter, area_, QFont(), theme);
        return image;
    }

  private Q_SLOTS:
    void everyTenfoldIsAsFarApartAndNumberedByItsPower() {
        const Plot plot = marksOver({0, 1e-9, 1, 1e9, NAN});
        const auto height = [&](int column) { return place(plot, {0, column}).center().y(); };
        QVERIFY(std::abs((height(1) - height(2)) - (height(2) - height(3))) < 1e-6);
        QVERIFY(height(1) > height(2) + 20);
        const QStringList words = wordsOf(plot);
        QVERIFY(words.filter(QRegularExpression("^10")).size() > 2);
        QVERIFY(words.filter(QChar(0x00B7)).isEmpty()); // no multiple of a power
    }

    void whatIsDrawnIsPointedAtThere() {
        for (const Plot& plot : {marksOver(std::vector<double>(64, 3.0)), bars()})
            for (const MapCell mark : {MapCell{0, 0}, MapCell{0, 1}, MapCell{int(plot.rows.size()) - 1, 0}}) {
                const QPointF middle = place(plot, mark).center();
                QCOMPARE(DrawnPlot(plot).at(middle, area_, QFont()), std::optional(mark));
                QCOMPARE(imageOf(plot, darkTheme()).pixelColor(middle.toPoint()),
                         categoryColours(darkTheme())[static_cast<std::size_t>(mark.row)]);
            }
        QVERIFY(!DrawnPlot(bars()).at(area_.topLeft() - QPointF(5, 5), area_, QFont()));
    }

    void aBarOfZeroAndAMissingOneAreFoundInTheirColumns() {
        for (const MapCell mark : {MapCell{0, 2}, MapCell{1, 1}}) {
            const QPointF above = place(bars(), mark).center() - QPointF(0, 20);
            QCOMPARE(DrawnPlot(bars()).at(above, area_, QFont()), std::optional(mark));
        }
    }

    void panelsShareTheirColumnsAndTheirNumbers() {
        QCOMPARE(place(bars(), {0, 2}).left(), place(bars(), {1, 2}).left());
        QCOMPARE(wordsOf(bars()).filter(QRegularExpression("^(step|2|probability|margin)$")).size(), 4);
    }

    void withoutSeriesItSaysWhatItWouldShow() {
        QVERIFY(wordsOf({.nothing = "Losses", .whyNothing = "Nothing yet."}).contains("Losses"));
    }

    void legendAndWordsAreWithin() {
        Plot plot = bars();
        plot.series[0].name = "the first of two names";
        plot.series[1].name = "the second of two names";
        plot.lines = {{.at = 1, .words = "upright"},
                      {.at = 0.5, .orientation = Qt::Horizontal, .words = "level"}};
        plot.note = "a note";
        QCOMPARE(
            wordsOf(plot, {600, 300}).filter(QRegularExpression("two names|upright|level|a note")).size(), 5);
        QCOMPARE(wordsOf(plot, {120, 300}).filter(QChar(0x2026)).size(), 2); // elided, below each other
    }

    /// Bars that begin where others ended, with names below and numbers above.
    void barsCanBeginElsewhere() {
        Plot plot{.across = {.least = -0.5, .most = 1.5, .names = {"one", "two"}}, .up = {{.most = 2}}};
        plot.add({.points = {{0, 1}, {1, 0.5}}, .bars = 0.8, .from = {0, 1}, .texts = {"+1.00", "-0.50"}},
                 "part");
        plot.columns = {"one", "two"};
        const QRectF first = place(plot, {0, 0}), second = place(plot, {0, 1});
        QVERIFY(std::abs(second.top() - first.top()) < 1.5); // it begins where the first one ended
        QVERIFY(std::abs(second.height() - first.height() / 2) < 1.5);
        const QStringList words = wordsOf(plot);
        for (const char* word : {"one", "two", "+1.00", "-0.50"})
            QVERIFY2(words.contains(word), word);
    }

    void anAreaIsFilled() {
        Plot plot{.across = {.most = 1}, .up = {{.most = 1}}};
        plot.series = {
            {.points = {{0, 1}, {1, 1}, {1, 0}, {0, 0}}, .ink = &Theme::stepMark, .line = 0, .filled = true}};
        QCOMPARE(imageOf(plot, lightTheme()).pixelColor(210, 150), lightTheme().stepMark);
    }

    /// Prints how long it takes to draw 200 new values.
    void drawingCostsLittle() {
        Plot plot = marksOver(std::vector<double>(200, 1.0));
        plot.series[0].line = 2;
        for (std::size_t i = 0; i < 200; ++i)
            plot.series[0].points[i].setY(1 + i % 17);
        QBENCHMARK
        QVERIFY(!imageOf(plot, lightTheme()).isNull());
    }
};

HEADSCOPE_WATCHED_TEST(DrawnPlotTest)
#include "drawn_plot_test.moc"
