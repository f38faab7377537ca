#include <QHelpEvent>
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

    void theTooltipOfACellSaysItsRankOrWhatClosesIt() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        const auto run = example::run();
        view.setRun(run);
        show(view);
        const auto tooltipAt = [&](int row, int column) {
            QHelpEvent help(QEvent::ToolTip, middleOf(view, row, column), {});
            QCoreApplication::sendEvent(&view, &help);
            return QToolTip::text();
        };
        const auto& weights = run->cross[2].weights;
        for (int column = 0; column < 11; ++column) {
            int larger = 0;
            for (std::size_t key = 0; key < 11; ++key)
                larger += weights(5, 4, key) > weights(5, 4, std::size_t(column));
            const QString words = tooltipAt(4, column);
            QVERIFY2(words.contains(larger == 0 ? QString("The largest of 11 in its row.")
                                                : QString("Rank %1 of 11 in its row.").arg(larger + 1)),
                     qPrintable(words));
            QVERIFY2(words.contains(numberText(weights(5, 4, std::size_t(column)))), qPrintable(words));
        }
        selection.setHead(decoderHead);
        QVERIFY2(tooltipAt(1, 8).contains("masked, because the key comes later than the query"),
                 qPrintable(tooltipAt(1, 8)));
        QToolTip::hideText();
    }

    void theKeysCellHasATooltip() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        view.setRun(example::run());
        show(view);
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Down);
        QTest::keyClick(&view, Qt::Key_Down);
        QVERIFY(view.cursorCell());
        QVERIFY2(QToolTip::text().contains("in its row"), qPrintable(QToolTip::text()));
        QTest::keyClick(&view, Qt::Key_Escape);
        QTRY_VERIFY(!QToolTip::isVisible());
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
            return MapCell{static_cast<int>(*selection.hover().targetQuery),
                           static_cast<int>(*selection.hover().sourceKey)};
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
