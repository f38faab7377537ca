#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include "tests/watched_test.h"
#include "tests/widgets/shown_heatmap.h"

using namespace headscope;
using namespace headscope::heatmaps;
using namespace headscope::widgets;
using trace::AttentionKind;

class HeatmapViewInputTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void hoveringACellReachesOtherViews() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        HeatmapView other(&selection);
        view.setRun(example::run());
        other.setRun(example::run());
        other.setFixedHead(decoderHead);
        show(view);
        show(other);
        const QImage before = pictureOf(other);
        QTest::mouseMove(&view, middleOf(view, 4, 6));
        QCOMPARE(selection.hover(), TokenFocus::cell(AttentionKind::Cross, 4, 6));
        QVERIFY(pictureOf(other) != before);
        QTest::mouseMove(&view, QPoint(3, 3));
        QVERIFY(selection.hover().isEmpty());
        QCOMPARE(pictureOf(other), before);
    }

    void whatIsHoveredIsWhatTheTensorSays() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        const auto run = example::run();
        view.setRun(run);
        show(view);
        const QSignalSpy described(&view, &HeatmapView::cellDescribed);
        QTest::mouseMove(&view, middleOf(view, 5, 3));
        QVERIFY(!described.isEmpty());
        const QString words = described.last().front().toString();
        QCOMPARE(words, cellStatus(*run, example::aligningHead, 5, 3, Quantity::Weights));
        QCOMPARE(view.accessibleDescription(), words);
    }

    void aClickPinsAndAnotherUnpins() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        view.setRun(example::run());
        show(view);
        QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(view, 2, 2));
        QCOMPARE(selection.pinned(), TokenFocus::cell(AttentionKind::Cross, 2, 2));
        QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(view, 2, 2));
        QVERIFY(selection.pinned().isEmpty());
        QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(view, 2, 3));
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(selection.focus().isEmpty());
    }

    void arrowKeysMoveTheCursor() {
        Selection selection;
        selection.setHead(example::aligningHead);
        selection.setStep(3);
        HeatmapView view(&selection);
        view.setRun(example::run());
        show(view);
        const auto cell = [&] {
            return MapCell{*selection.hover().targetQuery, *selection.hover().sourceKey};
        };
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(cell(), (MapCell{3, 0}));
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(cell(), (MapCell{4, 1}));
        QTest::keyClick(&view, Qt::Key_Up);
        QTest::keyClick(&view, Qt::Key_Left);
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(cell(), (MapCell{3, 0}));
        QTest::keyClick(&view, Qt::Key_End);
        QCOMPARE(cell(), (MapCell{3, 10}));
        QTest::keyClick(&view, Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(cell(), (MapCell{0, 0}));
        QTest::keyClick(&view, Qt::Key_PageDown);
        QCOMPARE(cell(), (MapCell{11, 0}));
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(selection.pinned(), selection.hover());
        QTest::mouseMove(&view, middleOf(view, 4, 6));
        QCOMPARE(cell(), (MapCell{4, 6}));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&view, &leave);
        QCOMPARE(view.cursorCell(), (MapCell{11, 0})); // where the keys were
        QTest::keyClick(&view, Qt::Key_Up);
        QCOMPARE(cell(), (MapCell{10, 0}));
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(selection.focus().isEmpty());
    }

    void theWheelZoomsAndZeroShowsAllAgain() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        view.setRun(example::run());
        show(view);
        const QRectF all = view.mapLayout().window();
        const QPoint at = middleOf(view, 6, 5);
        QWheelEvent wheel(at, view.mapToGlobal(at), {}, {0, 360}, {}, {}, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &wheel);
        QVERIFY(view.mapLayout().window().width() < all.width());
        QCOMPARE(view.cellAt(at), (MapCell{6, 5}));
        QTest::keyClick(&view, Qt::Key_0);
        QCOMPARE(view.mapLayout().window(), all);
    }

    void plusAndMinusZoomAroundTheCursorWhichScrolls() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        view.setRun(example::run());
        show(view);
        const QRectF all = view.mapLayout().window();
        selection.setHover(TokenFocus::cell(trace::AttentionKind::Cross, 2, 3));
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(&view, Qt::Key_Plus);
        const QRectF near = view.mapLayout().window();
        QVERIFY(near.width() < all.width() / 2 && near.contains(QPointF(3.5, 2.5)));
        for (int i = 0; i < 12; ++i)
            QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.mapLayout().window().bottom(), all.bottom());
        QCOMPARE(view.mapLayout().window().width(), near.width());
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(&view, Qt::Key_Minus);
        QVERIFY(std::abs(view.mapLayout().window().width() - all.width()) < 1e-9);
        QTest::keyClick(&view, Qt::Key_Equal);
        QTest::keyClick(&view, Qt::Key_0);
        QCOMPARE(view.mapLayout().window(), all);
    }

    void draggingMovesAndDoesNotPin() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        view.setRun(example::run({.repeats = 5}));
        show(view);
        const QPoint at = view.mapLayout().plot().center().toPoint();
        QWheelEvent wheel(at, view.mapToGlobal(at), {}, {0, 1200}, {}, {}, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &wheel);
        const QRectF before = view.mapLayout().window();
        QTest::mousePress(&view, Qt::LeftButton, {}, at);
        QTest::mouseMove(&view, at + QPoint(40, 30));
        QTest::mouseMove(&view, at + QPoint(80, 60));
        QTest::mouseRelease(&view, Qt::LeftButton, {}, at + QPoint(80, 60));
        QVERIFY(view.mapLayout().window().left() < before.left());
        QVERIFY(view.mapLayout().window().top() < before.top());
        QCOMPARE(view.mapLayout().window().size(), before.size());
        QVERIFY(selection.pinned().isEmpty());
    }

    void hoveringALabelLightsItsRowOrColumnAndNamesItInFull() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        auto run = example::run();
        run->next[4].piece = std::string(60, 'w');
        view.setRun(run);
        show(view);
        const QPoint row = view.mapLayout().rowLabelRect(4).center().toPoint();
        QTest::mouseMove(&view, row);
        QCOMPARE(selection.hover(), TokenFocus::cell(AttentionKind::Cross, 4, std::nullopt));
        QHelpEvent help(QEvent::ToolTip, row, view.mapToGlobal(row));
        QCoreApplication::sendEvent(&view, &help);
        QVERIFY(QToolTip::text().contains(QString(60, 'w')));
        QToolTip::hideText();
        QTest::mouseMove(&view, view.mapLayout().columnLabelShape(3).boundingRect().center().toPoint());
        QCOMPARE(selection.hover(), TokenFocus::cell(AttentionKind::Cross, std::nullopt, 3));
    }
};

HEADSCOPE_WATCHED_TEST(HeatmapViewInputTest)
#include "heatmap_view_input_test.moc"
