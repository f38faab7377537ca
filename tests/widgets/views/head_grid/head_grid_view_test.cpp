#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "tests/widgets/on_screen.h"
#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"
#include "widgets/views/head_grid/head_grid_view.h"

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

class HeadGridViewTest : public QObject {
    Q_OBJECT

    static void show(HeadGridView& view, QSize size = {900, 500}) {
        view.setPalette(paletteOf(lightTheme()));
        view.resize(size);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QTRY_VERIFY(view.isComplete());
    }

    static trace::HeadAddress cross(int layer, int head) { return {{AttentionKind::Cross, layer}, head}; }

  private Q_SLOTS:
    void layersRunDownAndHeadsAcrossFourPixelsApart() {
        Selection selection;
        selection.setHead(cross(0, 0));
        HeadGridView view(&selection);
        view.setRun(example::run());
        show(view);
        const QRect first = view.thumbnailRect(cross(0, 0));
        QCOMPARE(view.thumbnailRect(cross(0, 1)).left(), first.right() + 1 + 4);
        QCOMPARE(view.thumbnailRect(cross(1, 0)).top(), first.bottom() + 1 + 4);
        QVERIFY(!view.thumbnailRect(cross(3, 0)).isValid());
        QVERIFY(!view.thumbnailRect({{AttentionKind::DecoderSelf, 0}, 0}).isValid());
        QVERIFY(view.viewport()->rect().contains(view.thumbnailRect(cross(2, 7))));
    }

    void withoutARunNothingIsSaidUnderThePointer() {
        Selection selection;
        HeadGridView view(&selection);
        view.resize(400, 300);
        view.show();
        QHelpEvent rests(QEvent::ToolTip, {200, 290}, view.viewport()->mapToGlobal(QPoint(200, 290)));
        QApplication::sendEvent(view.viewport(), &rests);
        QVERIFY(QToolTip::text().isEmpty());
    }

    void oneLayerIsItsHeadsAloneWithTheirAddresses() {
        Selection selection;
        selection.setHead(cross(1, 2));
        HeadGridView view(&selection);
        view.setRun(example::run());
        view.setLayerOnly(true);
        show(view);
        QVERIFY(view.thumbnailRect(cross(1, 7)).isValid());
        QVERIFY(!view.thumbnailRect(cross(0, 2)).isValid());
        QCOMPARE(view.figureText().title, QString("All heads of cross.1"));
        QCOMPARE(view.figureText().head, QString("cross.1"));
        QVERIFY(view.figureText().caption.contains("Cross-attention cross.1 (of 3 layers), every head"));
        QCOMPARE(view.figureData().arrays.size(), std::size_t(1));
        const QByteArray svg =
            figureBytes({.format = FigureFormat::Svg, .size = view.figureSize(), .dpi = 96}, view).bytes;
        QVERIFY(svg.contains(">cross.1.7</text>"));
        QVERIFY(!svg.contains("layer 1<"));
        selection.setHead(cross(2, 0));
        QVERIFY(view.thumbnailRect(cross(2, 7)).isValid());
        QVERIFY(!view.thumbnailRect(cross(1, 7)).isValid());
        view.setLayerOnly(false);
        QVERIFY(view.thumbnailRect(cross(1, 7)).isValid());
    }

    void readersAreToldOfLayersAndHeads() {
        Selection selection;
        selection.setHead(cross(2, 5));
        HeadGridView view(&selection);
        view.setRun(example::run());
        show(view);
        auto* table = QAccessible::queryAccessibleInterface(&view)->tableInterface();
        QVERIFY(table);
        QCOMPARE(table->rowCount(), 3);
        QCOMPARE(table->columnCount(), 8);
        QVERIFY(table->cellAt(2, 5)->text(QAccessible::Name).startsWith("cross.2.5"));
        QVERIFY(table->cellAt(2, 5)->tableCellInterface()->isSelected());
        QVERIFY(table->rowDescription(2) == "layer 2" && table->columnDescription(5) == "head 5");
    }

    void aThumbnailShowsItsOwnHead() {
        Selection selection;
        selection.setHead(cross(0, 0));
        HeadGridView view(&selection);
        auto run = example::run();
        for (std::size_t r = 0; r < 12; ++r)
            for (std::size_t c = 0; c < 11; ++c)
                run->cross[1].weights.at(3, r, c) = 1;
        view.setRun(run);
        show(view);
        const QImage image = view.viewport()->grab().toImage();
        QCOMPARE(image.pixel(view.thumbnailRect(cross(1, 3)).center()), ColourScale().colour(1));
    }

    void aClickSelectsAndADoubleClickOpens() {
        Selection selection;
        selection.setHead(cross(0, 0));
        HeadGridView view(&selection);
        view.setRun(example::run());
        show(view);
        const QSignalSpy opened(&view, &HeadGridView::headOpened);
        const QPoint place = view.thumbnailRect(cross(2, 5)).center();
        QVERIFY(view.headAt(place) == cross(2, 5));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, place);
        QVERIFY(selection.head() == cross(2, 5));
        QCOMPARE(opened.size(), 0);
        QTest::mouseDClick(view.viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(opened.size(), 1);
        QVERIFY(opened.front().front().value<trace::HeadAddress>() == cross(2, 5));
    }

    void arrowKeysMoveFromHeadToHead() {
        Selection selection;
        selection.setHead(cross(1, 1));
        HeadGridView view(&selection);
        view.setRun(example::run());
        show(view);
        for (const int key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_Right})
            QTest::keyClick(&view, Qt::Key(key));
        QVERIFY(selection.head() == cross(2, 3));
        QTest::keyClick(&view, Qt::Key_Down);
        QVERIFY(selection.head() == cross(2, 3));
        QTest::keyClick(&view, Qt::Key_End);
        QVERIFY(selection.head() == cross(2, 7));
        QTest::keyClick(&view, Qt::Key_Home);
        QTest::keyClick(&view, Qt::Key_Up);
        QVERIFY(selection.head() == cross(1, 0));
        QVERIFY(view.accessibleDescription().contains("cross.1.0"));
    }

    void manyLayersScrollWithOneBarAndFollowTheSelection() {
        Selection selection;
        selection.setHead(cross(0, 0));
        HeadGridView view(&selection);
        view.setRun(example::run({.heads = 16, .layers = 12}));
        show(view, {900, 300});
        QVERIFY(view.verticalScrollBar()->maximum() > 0);
        QVERIFY(!view.horizontalScrollBar()->isVisible());
        selection.setHead(cross(11, 15));
        QVERIFY(view.viewport()->rect().contains(view.thumbnailRect(cross(11, 15))));
        selection.setHead(cross(0, 0));
        QVERIFY(view.viewport()->rect().contains(view.thumbnailRect(cross(0, 0))));
    }

    void anotherKindShowsOtherPictures() {
        Selection selection;
        selection.setHead(cross(0, 0));
        HeadGridView view(&selection);
        view.setRun(example::run());
        show(view);
        const QImage before = view.viewport()->grab().toImage();
        selection.setHead({{AttentionKind::DecoderSelf, 0}, 0});
        QTRY_VERIFY(view.isComplete());
        QVERIFY(view.viewport()->grab().toImage() != before);
    }

    void theFocusIsLitInEveryThumbnail() {
        Selection selection;
        selection.setHead(cross(0, 0));
        HeadGridView view(&selection);
        view.setRun(example::run());
        show(view);
        const QImage before = view.viewport()->grab().toImage();
        selection.setHover(TokenFocus::cell(AttentionKind::Cross, 4, 2));
        const QImage after = view.viewport()->grab().toImage();
        for (int layer = 0; layer < 3; ++layer)
            for (int head = 0; head < 8; ++head) {
                const QRect place = view.thumbnailRect(cross(layer, head)).adjusted(4, 4, -4, -4);
                QVERIFY(before.copy(place) != after.copy(place));
            }
    }

    void manyLargeMapsAreAllDrawnInTheEndAsTheyWouldBeAtOnce() {
        Selection selection;
        selection.setHead(cross(0, 0));
        HeadGridView view(&selection);
        const auto run = example::run({.repeats = 20, .heads = 12, .layers = 6});
        view.setRun(run);
        show(view, {900, 300}); // some of them are out of sight
        const QSize side = view.thumbnailRect(cross(0, 0)).size();
        for (const auto& head : {cross(0, 0), cross(2, 7), cross(5, 11)}) {
            selection.setHead(head);
            const QRect place = view.thumbnailRect(head).adjusted(4, 4, -4, -4);
            const QImage drawn = view.viewport()->grab(place).toImage().convertToFormat(QImage::Format_RGB32);
            const ThumbnailLook look{.side = side, .theme = &lightTheme()};
            const QImage atOnce = headThumbnail(*run, head, look).toImage();
            QCOMPARE(drawn, atOnce.copy(QRect({4, 4}, place.size())).convertToFormat(QImage::Format_RGB32));
        }
    }

    void everyPictureIsOnTheScreenOnceItIsMade() {
        Selection selection;
        selection.setHead(cross(0, 0));
        HeadGridView view(&selection);
        view.setRun(example::run({.repeats = 20, .heads = 12, .layers = 6}));
        show(view, {900, 600});
        QTRY_COMPARE(tests::onScreen(view), tests::drawnNow(view));
    }

    void picturesAreMadeInTheOrderTheyAreWanted() {
        HeadThumbnails thumbnails;
        const auto run = example::run({.repeats = 8});
        const std::vector<trace::HeadAddress> wanted{cross(0, 2), cross(1, 1), cross(0, 0)};
        const ThumbnailLook look{.side = {40, 40}, .theme = &lightTheme()};
        // No time at all still makes one, so that there is an end to it.
        using namespace std::chrono_literals;
        QCOMPARE(thumbnails.makeSome(*run, wanted, look, 0ms).size(), std::size_t(1));
        QVERIFY(!thumbnails.picture(wanted[0]).isNull());
        QVERIFY(thumbnails.picture(wanted[1]).isNull());
        QVERIFY(!thumbnails.hasAll(wanted, look));
        thumbnails.makeSome(*run, wanted, look, 1h);
        QVERIFY(thumbnails.hasAll(wanted, look));
        QVERIFY(thumbnails.makeSome(*run, wanted, look, 1h).empty());
        // Another size: the old picture stands in until the new one is there.
        const ThumbnailLook larger{.side = {60, 60}, .theme = &lightTheme()};
        QVERIFY(!thumbnails.hasAll(wanted, larger));
        QCOMPARE(thumbnails.picture(wanted[2]).size(), QSize(40, 40));
    }

    void aRunThatGoesWhilePicturesAreMissingIsNoError() {
        Selection selection;
        selection.setHead(cross(0, 0));
        HeadGridView view(&selection);
        view.resize(900, 300);
        view.setRun(example::run({.repeats = 20, .heads = 12, .layers = 6}));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.setRun(nullptr);
        QCoreApplication::processEvents();
        QVERIFY(view.isComplete());
    }

    void aFigureIsCompleteBeforeTheScreenIs() {
        Selection selection;
        selection.setHead(cross(0, 0));
        HeadGridView view(&selection);
        const auto run = example::run({.repeats = 20, .heads = 12, .layers = 6});
        view.setRun(run);
        const auto figure = [&] {
            QImage image(900, 600, QImage::Format_RGB32);
            QPainter painter(&image);
            view.drawFigure(painter, image.size(), lightTheme());
            painter.end();
            return image;
        };
        const QImage first = figure();
        show(view);
        QCOMPARE(figure(), first);
    }

    void aFigureEndsBelowItsCaption() {
        Selection selection;
        selection.setHead(cross(0, 0));
        HeadGridView view(&selection);
        view.setRun(example::run());
        QVERIFY(view.hasFigure());
        const QSize size = view.figureSize();
        QImage image(size + QSize(0, 100), QImage::Format_RGB32);
        QPainter painter(&image);
        view.drawFigure(painter, size, lightTheme());
        painter.end();
        int lowest = 0;
        for (int y = 0; y < size.height(); ++y)
            for (int x = 0; x < size.width(); ++x)
                if (image.pixel(x, y) != qRgb(255, 255, 255))
                    lowest = y;
        QVERIFY(lowest > size.height() - 40);
        QVERIFY(lowest < size.height());
    }

    void nothingToShowIsNoError() {
        Selection selection;
        HeadGridView view(&selection);
        show(view);
        QVERIFY(!view.hasFigure());
        QVERIFY(!view.headAt({100, 100}));
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {100, 100});
        QVERIFY(selection.head() == trace::HeadAddress());
        QVERIFY(!view.accessibleName().isEmpty());
    }
};

HEADSCOPE_WATCHED_TEST(HeadGridViewTest)
#include "head_grid_view_test.moc"
