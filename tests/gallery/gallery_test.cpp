#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QTest>

#include <algorithm>
#include <tuple>

#include "tests/gallery/hang.h"
#include "tests/watched_test.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/map/accessible_map.h"
#include "widgets/map/number_map.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/views/lines/lines_view.h"

using namespace headscope;
using namespace headscope::widgets;

/// Draws every view and checks that none is blank, cuts its words or has maps too small to see anything in.
/// With QT_SCALE_FACTOR=2 it draws the same on a dense screen. The pictures to look at are the safety net's.
class GalleryTest : public QObject {
    Q_OBJECT

    static constexpr int mostRows = 100;

    static bool isBlank(const QImage& image) {
        QImage plain(image.size(), image.format());
        plain.setDevicePixelRatio(image.devicePixelRatio());
        plain.fill(image.pixelColor(image.width() - 2, 1));
        return image == plain;
    }

    static bool isCut(const QLabel& label) {
        constexpr int mnemonics = Qt::TextShowMnemonic;
        if (!label.wordWrap())
            return label.contentsRect().width() < label.fontMetrics().size(mnemonics, label.text()).width();
        if (qobject_cast<const WrappedLabel*>(&label)) // ends in dots, and its tooltip says all
            return !label.text().isEmpty() && label.height() < label.fontMetrics().height();
        return label.heightForWidth(label.width()) > label.height();
    }

    /// Labels in sight that have less room than their words need and no tooltip that says the rest.
    static QStringList cutLabels(const QWidget& view) {
        QStringList cut;
        for (const auto* label : view.findChildren<QLabel*>())
            if (label->isVisible() && label->toolTip().isEmpty() && isCut(*label))
                cut += label->text();
        return cut;
    }

    /// Titles of columns that are wider than these.
    static QStringList cutTitles(const QWidget& view) {
        QStringList cut;
        for (const auto* header : view.findChildren<QHeaderView*>()) {
            if (header->orientation() != Qt::Horizontal || !header->isVisible() || !header->model())
                continue;
            for (int section = 0; section < header->count(); ++section) {
                const QString title = header->model()->headerData(section, Qt::Horizontal).toString();
                const int room = header->sectionSize(section);
                if (room > 0 && room < header->fontMetrics().size(0, title).width())
                    cut += title;
            }
        }
        return cut;
    }

    /// Maps in sight in whose cells nothing is seen. Tables of a hundred positions and more, the marks of
    /// plots and lines may be as small.
    static QStringList smallMaps(const QWidget& view) {
        constexpr int readable = 4; // pixels
        QStringList small;
        QList<const QWidget*> all{&view};
        for (const auto* widget : view.findChildren<QWidget*>())
            all += widget;
        for (const auto* widget : all) {
            const auto* map = dynamic_cast<const ReadableMap*>(widget);
            if (!map || !widget->isVisible() || map->rowCount() == 0 || map->columnCount() == 0 ||
                map->rowCount() > mostRows || map->columnCount() > mostRows ||
                qobject_cast<const NumberMap*>(widget) || qobject_cast<const ReadablePlot*>(widget) ||
                qobject_cast<const LinesView*>(widget))
                continue;
            int largest = 0; // of a map that is zoomed into, some have no place
            for (int row = 0; row < map->rowCount(); ++row)
                for (int column = 0; column < map->columnCount(); ++column) {
                    const QSize cell = map->cellArea({row, column}).size();
                    largest = std::max(largest, std::min(cell.width(), cell.height()));
                }
            if (largest < readable)
                small += QString("%1: cells have %2 pixels").arg(widget->accessibleName()).arg(largest);
        }
        return small;
    }

    static QString unreadable(const QWidget& view) {
        return (cutLabels(view) + cutTitles(view) + smallMaps(view)).join(" | ");
    }

    static bool isDrawn(const QImage& image) { return !image.isNull() && !isBlank(image); }

  private Q_SLOTS:
    void everyViewDrawsSomething_data() {
        QTest::addColumn<int>("exhibit");
        QTest::addColumn<bool>("dark");
        QTest::addColumn<QString>("content");
        for (const auto& [exhibit, dark, content] : gallery::hangings(qApp->devicePixelRatio() > 1))
            QTest::addRow("%s, %s, %s", qPrintable(gallery::all()[exhibit].name), dark ? "dark" : "light",
                          qPrintable(content))
                << exhibit << dark << content;
    }

    void everyViewDrawsSomething() {
        QFETCH(int, exhibit);
        QFETCH(bool, dark);
        QFETCH(QString, content);
        const gallery::Hanging hanging{exhibit, dark, content};
        gallery::Hung hung(gallery::all()[exhibit], content, dark);
        for (const QSize& size : headscope::tests::some(hanging.sizes())) {
            QVERIFY2(isDrawn(hung.at(size)), qPrintable(gallery::nameOf(hanging, size)));
            if (content == "sentence")
                QCOMPARE(unreadable(hung.view()), QString());
        }
    }

    /// Classes of a plot that differ in nothing but colour are 1.5:1 apart in grey.
    void classesOfPlotsDifferInGrey() {
        constexpr double apart = 1.5;
        const auto look = [](const PlotSeries& series) {
            return std::tuple(series.line > 0 && series.bars == 0 ? series.dash : Qt::NoPen, series.mark,
                              series.hollow, series.filled, series.bars > 0);
        };
        int compared = 0;
        for (int i = 0; i < gallery::all().size(); ++i)
            for (const auto* theme : {&lightTheme(), &darkTheme()}) {
                gallery::Hung hung(gallery::all()[i], "sentence", theme->dark);
                for (const auto* shown : hung.view().findChildren<ReadablePlot*>()) {
                    const auto* drawn = dynamic_cast<const DrawnPlot*>(shown->picture().get());
                    if (!drawn)
                        continue;
                    for (const auto& one : drawn->plot().series)
                        for (const auto& other : drawn->plot().series) {
                            const bool areClasses = !one.name.isEmpty() && !other.name.isEmpty() &&
                                                    one.ink != other.ink && one.panel == other.panel;
                            compared += areClasses;
                            if (!areClasses || look(one) != look(other))
                                continue;
                            const double ratio =
                                contrastRatio(colourOf(one.ink, *theme), colourOf(other.ink, *theme));
                            QVERIFY2(ratio >= apart,
                                     qPrintable(QString("%1: %2, %3: %4")
                                                    .arg(gallery::all()[i].name, one.name, other.name)
                                                    .arg(ratio)));
                        }
                }
            }
        QVERIFY(compared > 0);
    }

    void everythingCanBeReadAtAnyTextSize_data() {
        QTest::addColumn<int>("exhibit");
        QTest::addColumn<int>("points");
        const auto all = gallery::all();
        for (int i = 0; i < all.size(); ++i)
            for (const int points : gallery::textSizes)
                QTest::addRow("%s, %d pt", qPrintable(all[i].name), points) << i << points;
    }

    void everythingCanBeReadAtAnyTextSize() {
        QFETCH(int, exhibit);
        QFETCH(int, points);
        const gallery::Exhibit shown = gallery::all()[exhibit];
        const gallery::TextSize inThisSize(points);
        gallery::Hung hung(shown, "sentence", false);
        QVERIFY(isDrawn(hung.at(shown.sizes.front())));
        QCOMPARE(unreadable(hung.view()), QString());
    }
};

HEADSCOPE_WATCHED_TEST(GalleryTest)
#include "gallery_test.moc"
