#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTest>
#include <QWheelEvent>

#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"
#include "widgets/map/number_map.h"
#include "widgets/views/positions/position_curves.h"
#include "widgets/views/positions/positional_encoding_view.h"

using namespace headscope;
using namespace headscope::widgets;

class PositionalEncodingViewTest : public QObject {
    Q_OBJECT

    using Page = PositionalEncodingView::Page;

    /// The view below the controls.
    static QImage picture(PositionalEncodingView& view) {
        QCoreApplication::processEvents();
        return view.grab().toImage();
    }

    static NumberMap* mapNamed(const PositionalEncodingView& view, const QString& name) {
        for (NumberMap* map : view.findChildren<NumberMap*>())
            if (map->accessibleName() == name)
                return map;
        return nullptr;
    }

  private Q_SLOTS:
    void theFirstHundredPositionsAreShown() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setRun(example::run());
        QCOMPARE(view.positionsShown(), 100);
        QVERIFY2(view.caption().contains("the first 100 of 512 positions"), qPrintable(view.caption()));
        QVERIFY(view.caption().contains("11 positions"));
        QVERIFY(view.caption().endsWith("Model: example-en-de."));
    }

    /// As in a small window with a panel below: the caption scrolls too.
    void withLittleRoomTheCurvesKeepTheirHeightAndScroll() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setRun(example::run());
        auto* curves = view.findChild<PositionCurves*>();
        const auto* area = view.findChild<QScrollArea*>();
        for (const int height : {700, 180}) {
            view.resize(700, height);
            picture(view);
            QVERIFY(curves->height() >= curves->minimumSizeHint().height());
            QCOMPARE(area->verticalScrollBar()->maximum() > 0, height < 700);
        }
    }

    void theWordsBelowAPictureNeverLieOnIt() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setRun(example::run());
        const auto* pages = view.findChild<QStackedWidget*>();
        const QLabel* caption = nullptr;
        for (const auto* label : view.findChildren<QLabel*>())
            if (label->text() == view.caption())
                caption = label;
        QVERIFY(caption);
        for (const auto page : {Page::Curves, Page::Table, Page::Similarity, Page::Wavelengths, Page::Shift,
                                Page::Words, Page::Scores})
            for (const QSize size : {QSize(640, 360), QSize(480, 290), QSize(320, 200)}) {
                view.setPage(page);
                view.resize(size);
                picture(view);
                if (!caption->isVisibleTo(&view)) // the page's question is not answered
                    continue;
                QVERIFY2(caption->y() >= pages->geometry().bottom(),
                         qPrintable(QString::number(size.width())));
                QVERIFY(caption->height() <= 2 * caption->fontMetrics().height());
            }
    }

    void aModelWithoutPositionsSaysSo() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setRun(example::run({.positions = false}));
        QVERIFY(!view.hasFigure());
        QCOMPARE(view.caption(), "This model adds no positional vectors to its source.");
        view.setSide(PositionSide::Target);
        QCOMPARE(view.caption(), "This model adds no positional vectors to its target.");
        view.grab();
    }

    void similarityComparesNoMoreThanItSays() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setRun(example::run({.repeats = 60}));
        view.setPositionsShown(700);
        QVERIFY(view.caption().contains("the first 700 of 720"));
        view.setPage(Page::Similarity);
        QVERIFY2(view.caption().contains("the first 512 of 720"), qPrintable(view.caption()));
    }

    void atFirstFewDimensionsAreDrawnOverTheWavelengths() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setRun(example::run());
        QCOMPARE(view.dimensions(), (std::vector<int>{8, 16, 24, 32}));
        QVERIFY2(view.caption().startsWith("4 of the 64 dimensions (8, 16, 24, 32) of the vectors that"),
                 qPrintable(view.caption()));
        view.setDimensions({5});
        view.setRun(example::run()); // dimensions chosen by the user are kept
        QCOMPARE(view.dimensions(), std::vector<int>{5});
    }

    void dimensionsAreTypedAsNumbers() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setRun(example::run());
        auto* edit = view.findChild<QLineEdit*>();
        for (QLineEdit* candidate : view.findChildren<QLineEdit*>())
            if (candidate->accessibleName().startsWith("Dimensions"))
                edit = candidate;
        edit->clear();
        QTest::keyClicks(edit, "8,9-11");
        QCOMPARE(view.dimensions(), (std::vector<int>{8, 9, 10, 11}));
        QTest::keyClicks(edit, ",999");
        QCOMPARE(view.dimensions(), (std::vector<int>{8, 9, 10, 11}));
    }

    void aTableShowsTheVectorsAsTheyAre() {
        NumberMap map("Vectors");
        map.setPalette(paletteOf(lightTheme()));
        trace::Matrix values(3, 4);
        values(0, 0) = 1;
        values(2, 3) = -1;
        map.setMatrix(values, 1,
                      [](MapCell cell) { return QString("%1 %2").arg(cell.row).arg(cell.column); });
        map.resize(400, 300);
        map.show();
        QVERIFY(QTest::qWaitForWindowExposed(&map));
        QTest::keyClick(&map, Qt::Key_Right);
        QCOMPARE(map.accessibleDescription(), "0 0");
        QTest::keyClick(&map, Qt::Key_Down);
        QTest::keyClick(&map, Qt::Key_End);
        QCOMPARE(map.accessibleDescription(), "1 3");
    }

    void aTableIsZoomedByKeys() {
        NumberMap map("Vectors");
        trace::Matrix values(20, 30);
        for (std::size_t i = 0; i < values.values().size(); ++i)
            values.values()[i] = static_cast<float>(std::sin(double(i)));
        map.setMatrix(values, 1, [](MapCell) { return QString(); });
        map.resize(400, 300);
        map.show();
        QVERIFY(QTest::qWaitForWindowExposed(&map));
        QTest::keyClick(&map, Qt::Key_Right);
        const QImage whole = map.grab().toImage();
        QTest::keyClick(&map, Qt::Key_Plus);
        const QImage near = map.grab().toImage();
        QVERIFY(near != whole);
        QTest::keyClick(&map, Qt::Key_Plus);
        QTest::keyClick(&map, Qt::Key_Minus);
        QCOMPARE(map.grab().toImage(), near);
        QTest::keyClick(&map, Qt::Key_0);
        QCOMPARE(map.grab().toImage(), whole);
    }

    void everyPageCanBeSavedInEveryFormat() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setRun(example::run());
        for (const Page page : {Page::Curves, Page::Table, Page::Similarity})
            for (const FigureFormat format : {FigureFormat::Png, FigureFormat::Svg, FigureFormat::Pdf}) {
                view.setPage(page);
                const FigureBytes figure =
                    figureBytes({.format = format, .size = view.figureSize(), .dpi = 96}, view);
                QCOMPARE(figure.error, QString());
                QVERIFY(figure.bytes.size() > 3000);
            }
    }

    void savedCurvesKeepTheirNumbersAsText() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setRun(example::run());
        const FigureBytes figure =
            figureBytes({.format = FigureFormat::Svg, .size = view.figureSize(), .dpi = 96}, view);
        QVERIFY(figure.bytes.contains("dim 8"));
        QVERIFY(figure.bytes.contains("position"));
        QVERIFY(!figure.bytes.contains("<image"));
    }

    void aLitTokenIsMarkedOnEveryPage() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setRun(example::run());
        view.resize(700, 500);
        for (const Page page : {Page::Curves, Page::Table, Page::Similarity}) {
            view.setPage(page);
            view.show();
            QVERIFY(QTest::qWaitForWindowExposed(&view));
            const QImage before = picture(view);
            selection.setHover({.sourceKey = 5});
            QVERIFY(picture(view) != before);
            selection.setHover({.targetKey = 5});
            QCOMPARE(picture(view), before);
            selection.setHover({});
        }
    }

    void aFigureDoesNotShowThePointer() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setRun(example::run());
        for (const Page page : {Page::Curves, Page::Table, Page::Similarity}) {
            view.setPage(page);
            const auto bytes = [&] {
                return figureBytes({.format = FigureFormat::Png, .size = {500, 400}, .dpi = 96}, view).bytes;
            };
            const QByteArray before = bytes();
            selection.setHover({.sourceKey = 5});
            QCOMPARE(bytes(), before);
            selection.setHover({});
        }
    }

    void pointingAtAPositionLightsItsToken() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setRun(example::run());
        auto* map = mapNamed(view, "Positional vectors");
        Q_EMIT map->cursorMoved(MapCell{4, 60});
        QCOMPARE(selection.hover(), (TokenFocus{.sourceQuery = 4, .sourceKey = 4}));
        Q_EMIT map->cursorMoved(MapCell{70, 1});
        QVERIFY(selection.hover().isEmpty());
        view.setSide(PositionSide::Target);
        auto* similarity = mapNamed(view, "Similarity of positions");
        Q_EMIT similarity->cursorMoved(MapCell{4, 2});
        QCOMPARE(selection.hover(), (TokenFocus{.targetQuery = 4, .targetKey = 2}));
        Q_EMIT similarity->cursorMoved(std::nullopt);
        QVERIFY(selection.hover().isEmpty());
    }

    void theCurvesLightTheTokenUnderThePointerAndAClickPinsIt() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setRun(example::run());
        view.resize(900, 600);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        auto* curves = view.findChild<PositionCurves*>();
        QWidget* plot = curves->focusProxy();
        for (int press = 0; press < 4; ++press)
            QTest::keyClick(plot, Qt::Key_Right);
        const TokenFocus third{.sourceQuery = 3, .sourceKey = 3};
        QCOMPARE(selection.hover(), third);
        QVERIFY(plot->accessibleDescription().startsWith("Position 3:"));
        QTest::keyClick(plot, Qt::Key_Return);
        QCOMPARE(selection.pinned(), third);
        QTest::keyClick(plot, Qt::Key_Return);
        QVERIFY(selection.pinned().isEmpty());
        QTest::mouseMove(plot, plot->rect().center());
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->rect().center());
        QVERIFY(selection.pinned().isEmpty()); // the sentence has no position there
    }

    /// A figure does not show that there is more.
    void aFigureSaysWhichPartIsZoomedInOn() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setRun(example::run());
        view.resize(900, 600);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto zoom = [](QWidget* target) {
            const QPointF at = target->rect().center();
            QWheelEvent wheel(at, target->mapToGlobal(at), {}, {0, 960}, {}, {}, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(target, &wheel);
        };
        QCOMPARE(view.partInWords(), QString());
        QVERIFY(!view.figureText().caption.contains("Visible"));
        zoom(view.findChild<PositionCurves*>()->focusProxy());
        QVERIFY2(view.figureText().caption.contains(
                     QRegularExpression("Visible: positions [1-9]\\d* to [1-8]\\d, values .* to ")),
                 qPrintable(view.figureText().caption));
        for (const auto page :
             {PositionalEncodingView::Page::Table, PositionalEncodingView::Page::Similarity}) {
            view.setPage(page);
            QCoreApplication::processEvents();
            QVERIFY(!view.figureText().caption.contains("Visible"));
            for (auto* map : view.findChildren<NumberMap*>())
                if (map->isVisible())
                    zoom(map);
            QVERIFY2(view.figureText().caption.contains(QRegularExpression(
                         "Visible: rows [1-9]\\d* to [1-8]\\d, columns [1-9]\\d* to \\d+\\.")),
                     qPrintable(view.figureText().caption));
        }
    }

    void everyControlHasANameForReaders() {
        Selection selection;
        PositionalEncodingView view(&selection);
        const auto takesKeys = [&](const QWidget* control) {
            return control->window() == &view && // the list of a combo box is a window of its own
                   control->focusPolicy() & Qt::TabFocus && !control->focusProxy() &&
                   !qobject_cast<const QLineEdit*>(control);
        };
        for (const QWidget* control :
             tests::some(view.findChildren<QWidget*>() | std::views::filter(takesKeys)))
            QVERIFY2(!control->accessibleName().isEmpty(), control->metaObject()->className());
    }
};

HEADSCOPE_WATCHED_TEST(PositionalEncodingViewTest)
#include "positional_encoding_view_test.moc"
