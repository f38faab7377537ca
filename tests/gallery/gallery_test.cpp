#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QTest>

#include "tests/gallery/exhibits.h"
#include "tests/watched_main.h"
#include "widgets/head_grid_view.h"
#include "widgets/overview_view.h"
#include "widgets/theme.h"

using namespace headscope;
using namespace headscope::widgets;

/// Draws every view to PNG files for a person to look at, and checks that none is blank or cuts its words.
/// With QT_SCALE_FACTOR=2 it draws the same on a dense screen.
class GalleryTest : public QObject {
    Q_OBJECT

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
        const std::unique_ptr<QWidget> view(shown.make(&selection, gallery::runOf(content)));
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
        constexpr int littleCompression = 90; // or half of the test's time goes into making the files small
        QVERIFY(image.save(folder + name + ".png", "PNG", littleCompression));
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
        const auto all = gallery::all();
        for (int i = 0; i < all.size(); ++i)
            for (const bool dark : {false, true})
                for (const QString& content : contents) {
                    if (dark && content != "sentence" && content != "chinese" && content != "nothing")
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
        const gallery::Exhibit shown = gallery::all()[exhibit];
        QApplication::setPalette(paletteOf(dark ? darkTheme() : lightTheme()));
        for (const QSize& size : shown.sizes)
            save(hang(shown, content, size),
                 QString("%1-%2-%3-%4").arg(shown.name, content, dark ? "dark" : "light").arg(size.width()));
    }

    void noWordsAreCutAtAnyTextSize_data() {
        QTest::addColumn<int>("exhibit");
        QTest::addColumn<int>("points");
        const auto all = gallery::all();
        for (int i = 0; i < all.size(); ++i)
            for (const int points : {8, 24})
                QTest::addRow("%s, %d pt", qPrintable(all[i].name), points) << i << points;
    }

    void noWordsAreCutAtAnyTextSize() {
        QFETCH(int, exhibit);
        QFETCH(int, points);
        const gallery::Exhibit shown = gallery::all()[exhibit];
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
};

HEADSCOPE_WATCHED_MAIN(GalleryTest)
#include "gallery_test.moc"
