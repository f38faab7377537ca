#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

#include "model/files/figure_files.h"
#include "tests/gallery/exhibits.h"
#include "tests/model/files/read_npz.h"
#include "widgets/figure_export.h"
#include "widgets/head_grid_view.h"
#include "widgets/overview_view.h"
#include "widgets/theme.h"

#include <cmath>
#include <cstring>
#include <set>

using namespace headscope;
using namespace headscope::widgets;

/// Draws every view to PNG files for a person to look at, and checks that none is blank or cuts its words.
/// With QT_SCALE_FACTOR=2 it draws the same on a dense screen.
class GalleryTest : public QObject {
    Q_OBJECT

    using Language = example::Language;

    static QList<gallery::Exhibit> exhibits() {
        using namespace gallery;
        return mapExhibits() + headExhibits() + decodingExhibits() + changeExhibits() + positionExhibits() +
               architectureExhibits() + scaleExhibits() + classifierExhibits() + compareExhibits();
    }

    /// 450 tokens a side; made once, because its 48 maps take a while.
    static std::shared_ptr<const trace::Run> book() {
        static const auto run = example::run({.repeats = 45});
        return run;
    }

    static std::shared_ptr<const trace::Run> runOf(const QString& content) {
        if (content == "nothing")
            return nullptr;
        if (content == "book")
            return book();
        if (content == "long")
            return example::run({.repeats = 6});
        if (content == "padded")
            return example::run({.sourcePadding = 2});
        if (content == "right-to-left")
            return example::run({.language = Language::RightToLeft});
        if (content == "chinese")
            return example::run({.language = Language::Chinese});
        if (content == "mixed")
            return example::run({.language = Language::Mixed});
        return example::run();
    }

    static bool isBlank(const QImage& image) {
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixel(x, y) != image.pixel(image.width() - 2, 1))
                    return false;
        return true;
    }

    /// Labels in sight that are narrower than their words and have no tooltip that says the rest.
    static QStringList cutLabels(const QWidget& view) {
        QStringList cut;
        constexpr int mnemonics = Qt::TextShowMnemonic;
        for (const auto* label : view.findChildren<QLabel*>())
            if (label->isVisible() && !label->wordWrap() && label->toolTip().isEmpty() &&
                label->contentsRect().width() < label->fontMetrics().size(mnemonics, label->text()).width())
                cut += label->text();
        return cut;
    }

    /// Shows an exhibit and returns what it looks like.
    static QImage hang(const gallery::Exhibit& shown, const QString& content, QSize size,
                       QStringList* cut = nullptr) {
        Selection selection;
        const std::unique_ptr<QWidget> view(shown.make(&selection, runOf(content)));
        if (content == "padded")
            selection.setHover({.sourceQuery = 3, .sourceKey = 5, .targetQuery = 4, .targetKey = 2});
        view->resize(size);
        view->show();
        if (!QTest::qWaitForWindowExposed(view.get()))
            return {};
        QCoreApplication::processEvents();
        if (const auto* grid = qobject_cast<HeadGridView*>(view.get()))
            [&] { QTRY_VERIFY(grid->isComplete()); }();
        if (const auto* overview = view->findChild<OverviewView*>())
            [&] { QTRY_VERIFY(overview->isComplete()); }();
        if (cut)
            *cut = cutLabels(*view);
        return view->grab().toImage();
    }

    static void save(const QImage& image, const QString& name) {
        const QString folder =
            qApp->devicePixelRatio() > 1 ? HEADSCOPE_BUILD "/gallery-2x/" : HEADSCOPE_BUILD "/gallery/";
        QVERIFY2(!image.isNull() && !isBlank(image), qPrintable(name));
        QVERIFY(image.save(folder + name + ".png"));
    }

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(QDir().mkpath(HEADSCOPE_BUILD "/gallery"));
        QVERIFY(QDir().mkpath(HEADSCOPE_BUILD "/gallery-2x"));
    }

    void everyViewDrawsSomething_data() {
        QTest::addColumn<int>("exhibit");
        QTest::addColumn<bool>("dark");
        QTest::addColumn<QString>("content");
        const QStringList contents = qApp->devicePixelRatio() > 1
                                         ? QStringList{"sentence"}
                                         : QStringList{"sentence", "right-to-left", "chinese", "mixed",
                                                       "long",     "book",          "padded",  "nothing"};
        const auto all = exhibits();
        for (int i = 0; i < all.size(); ++i)
            for (const bool dark : {false, true})
                for (const QString& content : contents) {
                    if (dark && (content == "book" || content == "padded" || content == "mixed"))
                        continue; // the colours are those of the others
                    QTest::addRow("%s, %s, %s", qPrintable(all[i].name), dark ? "dark" : "light",
                                  qPrintable(content))
                        << i << dark << content;
                }
    }

    void everyViewDrawsSomething() {
        QFETCH(int, exhibit);
        QFETCH(bool, dark);
        QFETCH(QString, content);
        const gallery::Exhibit shown = exhibits()[exhibit];
        QApplication::setPalette(paletteOf(dark ? darkTheme() : lightTheme()));
        for (const QSize& size : shown.sizes)
            save(hang(shown, content, size),
                 QString("%1-%2-%3-%4").arg(shown.name, content, dark ? "dark" : "light").arg(size.width()));
    }

    void noWordsAreCutAtAnyTextSize_data() {
        QTest::addColumn<int>("exhibit");
        QTest::addColumn<int>("points");
        const auto all = exhibits();
        for (int i = 0; i < all.size(); ++i)
            for (const int points : {8, 24})
                QTest::addRow("%s, %d pt", qPrintable(all[i].name), points) << i << points;
    }

    void noWordsAreCutAtAnyTextSize() {
        QFETCH(int, exhibit);
        QFETCH(int, points);
        const gallery::Exhibit shown = exhibits()[exhibit];
        QApplication::setPalette(paletteOf(lightTheme()));
        const QFont usual = QApplication::font();
        QFont font = usual;
        font.setPointSize(points);
        QApplication::setFont(font);
        QStringList cut;
        const QImage image = hang(shown, "sentence", shown.sizes.front(), &cut);
        QApplication::setFont(usual);
        save(image, QString("%1-%2pt").arg(shown.name).arg(points));
        QCOMPARE(cut.join(" | "), QString());
    }

    void everyFigureIsSaved_data() {
        QTest::addColumn<int>("exhibit");
        QTest::addColumn<QString>("content");
        const auto all = exhibits();
        for (int i = 0; i < all.size(); ++i)
            for (const QString content : {"sentence", "long", "mixed"})
                QTest::addRow("%s, %s", qPrintable(all[i].name), qPrintable(content)) << i << content;
    }

    void everyFigureIsSaved() {
        QFETCH(int, exhibit);
        QFETCH(QString, content);
        QApplication::setPalette(paletteOf(darkTheme()));
        Selection selection;
        const gallery::Exhibit shown = exhibits()[exhibit];
        const std::unique_ptr<QWidget> view(shown.make(&selection, runOf(content)));
        const auto* source = dynamic_cast<const FigureSource*>(view.get());
        if (!source)
            return;
        if (QString(shown.name).endsWith("-refused")) {
            QVERIFY(!source->hasFigure());
            return;
        }
        for (const auto& [format, ending] :
             {std::pair(FigureFormat::Png, "png"), std::pair(FigureFormat::Svg, "svg"),
              std::pair(FigureFormat::Pdf, "pdf")}) {
            const FigureBytes figure =
                figureBytes({.format = format, .size = source->figureSize(), .dpi = 144}, *source);
            QCOMPARE(figure.error, QString());
            QFile file(QString(HEADSCOPE_BUILD "/gallery/figure-%1-%2.%3").arg(shown.name, content, ending));
            QVERIFY(file.open(QIODevice::WriteOnly));
            QCOMPARE(file.write(figure.bytes), figure.bytes.size());
        }
    }

    void everyFigureHasTheNumbersBehindIt_data() { everyFigureIsSaved_data(); }

    void everyFigureHasTheNumbersBehindIt() {
        QFETCH(int, exhibit);
        QFETCH(QString, content);
        Selection selection;
        const gallery::Exhibit shown = exhibits()[exhibit];
        const std::unique_ptr<QWidget> view(shown.make(&selection, runOf(content)));
        const auto* source = dynamic_cast<const FigureSource*>(view.get());
        if (!source)
            return;
        view->resize(shown.sizes.front());
        view->show(); // some numbers are put together only where they are seen
        QVERIFY(QTest::qWaitForWindowExposed(view.get()));
        const auto data = source->figureData();
        QCOMPARE(data.empty(), !source->hasFigure());
        if (data.empty())
            return;
        const QTemporaryDir folder;
        const auto path = (folder.path() + "/data.npz").toStdString();
        files::saveFigureData(path, data, {});
        const auto arrays = read_npz::readNpz(path);
        std::set<std::string> names;
        for (const auto& array : arrays)
            names.insert(array.name);
        QCOMPARE(names.size(), arrays.size());
        std::size_t at = 0;
        for (const auto& array : data.arrays) {
            QCOMPARE(array.axes.size(), array.shape.size());
            for (std::size_t side = 0; side < array.axes.size(); ++side)
                QVERIFY(array.axes[side].labels.empty() ||
                        array.axes[side].labels.size() == array.shape[side]);
            compareNumbers(arrays.at(at++), array.values);
        }
        for (const auto& table : data.tables) {
            QVERIFY(table.rows() > 0);
            for (const auto& column : table.columns) {
                QCOMPARE(std::visit([](const auto& values) { return values.size(); }, column.values),
                         table.rows());
                if (const auto* numbers = std::get_if<std::vector<double>>(&column.values))
                    compareNumbers(arrays.at(at++), *numbers);
            }
        }
        QVERIFY(!files::saveFigureData((folder.path() + "/data.csv").toStdString(), data, {}).empty());
        QCOMPARE(files::saveFigureData((folder.path() + "/data.json").toStdString(), data, {}).size(),
                 std::size_t{1});
    }

  private:
    static void compareNumbers(const files::NamedArray& array, const std::vector<double>& numbers) {
        std::vector<double> read(array.bytes.size() / sizeof(double));
        std::memcpy(read.data(), array.bytes.data(), array.bytes.size());
        QCOMPARE(read.size(), numbers.size());
        for (std::size_t i = 0; i < read.size(); ++i)
            QVERIFY(read[i] == numbers[i] || (std::isnan(read[i]) && std::isnan(numbers[i])));
    }
};

QTEST_MAIN(GalleryTest)
#include "gallery_test.moc"
