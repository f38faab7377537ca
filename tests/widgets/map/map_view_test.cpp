#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "tests/watched_test.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/linked_maps.h"
#include "widgets/map/number_map.h"

#include <set>

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

/// What all maps have in common, on the two simplest: one with a selection of its own, and several of tokens.
class MapViewTest : public QObject {
    Q_OBJECT

    static void show(MapView& map) {
        map.resize(600, 500);
        map.show();
        QVERIFY(QTest::qWaitForWindowExposed(&map));
    }

    static void fill(NumberMap& map) {
        map.setMatrix(trace::Matrix(20, 30, 0.5F), 1,
                      [](MapCell cell) { return QString("%1 %2").arg(cell.row).arg(cell.column); });
    }

    static LinkedMap mask() {
        LinkedMap map = allowedCells(trace::MaskMatrix(4, 5, 1));
        map.kind = AttentionKind::Cross;
        map.rowLabels.resize(4);
        map.columnLabels.resize(5);
        return map;
    }

    static bool turnWheel(MapView& map, QPoint at) {
        QWheelEvent wheel(at, map.mapToGlobal(at), {}, {0, 960}, {}, {}, Qt::NoScrollPhase, false);
        wheel.ignore();
        QCoreApplication::sendEvent(&map, &wheel);
        return wheel.isAccepted();
    }

  private Q_SLOTS:
    void everyClickAndEnterIsTold() {
        NumberMap map("Numbers");
        fill(map);
        show(map);
        QList<MapCell> clicked;
        connect(&map, &MapView::cellClicked, &map, [&](MapCell cell) { clicked += cell; });
        QTest::mouseMove(&map, map.cellArea({3, 4}).center());
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.cellArea({3, 4}).center());
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.cellArea({3, 4}).center());
        QTest::keyClick(&map, Qt::Key_Down);
        QTest::keyClick(&map, Qt::Key_Return);
        QCOMPARE(clicked, (QList<MapCell>{{3, 4}, {3, 4}, {4, 4}}));
    }

    void theKeysCellIsThereAgainOnceThePointerHasLeft() {
        NumberMap map("Numbers");
        fill(map);
        show(map);
        const QSignalSpy moved(&map, &MapView::cursorMoved);
        const QSignalSpy described(&map, &MapView::cellDescribed);
        QTest::keyClick(&map, Qt::Key_End);
        QCOMPARE(map.cursorCell(), (MapCell{0, 29}));
        QTest::mouseMove(&map, map.cellArea({5, 6}).center()); // the pointer may be at the next place already
        QTest::mouseMove(&map, map.cellArea({3, 4}).center());
        QCOMPARE(map.cursorCell(), (MapCell{3, 4}));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&map, &leave);
        QCOMPARE(map.cursorCell(), (MapCell{0, 29}));
        QCOMPARE(map.accessibleDescription(), "0 29");
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.cellArea({3, 4}).center());
        QCoreApplication::sendEvent(&map, &leave);
        QCOMPARE(map.cursorCell(), std::nullopt); // a click is where the keys are no more
        QCOMPARE(described.last().front().toString(), QString());
        QVERIFY(moved.size() >= 4);
    }

    void draggingMovesAndIsNoClick() {
        NumberMap map("Numbers");
        fill(map);
        show(map);
        const QSignalSpy clicked(&map, &MapView::cellClicked);
        const QPoint at = map.mapLayout().plot().center().toPoint();
        QVERIFY(turnWheel(map, at));
        const QRectF before = map.zoom();
        QVERIFY(before.width() < 30);
        QTest::mousePress(&map, Qt::LeftButton, {}, at);
        QTest::mouseMove(&map, at + QPoint(40, 30));
        QTest::mouseMove(&map, at + QPoint(80, 60));
        QTest::mouseRelease(&map, Qt::LeftButton, {}, at + QPoint(80, 60));
        QVERIFY(map.zoom().left() < before.left() && map.zoom().top() < before.top());
        QCOMPARE(map.zoom().size(), before.size());
        QVERIFY(clicked.isEmpty());
        const QRectF moved = map.zoom();
        QTest::mouseDClick(&map, Qt::RightButton, {}, at);
        QCOMPARE(map.zoom(), moved);
        QTest::mouseDClick(&map, Qt::LeftButton, {}, at);
        QVERIFY(map.zoom().isEmpty());
    }

    void aPartIsGivenBeforeTheMapOfNumbers() {
        NumberMap map("Numbers");
        map.setZoomSides({1, 2, 10, 8});
        fill(map);
        QCOMPARE(map.zoomSides(), (std::vector<double>{1, 2, 10, 8}));
        map.setZoomSides({25, 2, 10, 8});
        QVERIFY(map.zoomSides().empty());
    }

    void severalMapsAreAsLargeAsTheyAre() {
        Selection selection;
        LinkedMaps maps("Masks", &selection);
        maps.setMaps({mask(), mask()});
        show(maps);
        const QPoint at = maps.cellRect(1, {2, 3}).center().toPoint();
        QVERIFY(!turnWheel(maps, at));
        QTest::keyClick(&maps, Qt::Key_Plus);
        QVERIFY(maps.zoom().isEmpty());
        const QSignalSpy zoomed(&maps, &MapView::zoomedByHand);
        QTest::mouseDClick(&maps, Qt::LeftButton, {}, at);
        QVERIFY(zoomed.isEmpty());
        selection.clearPinned();
        QTest::mouseClick(&maps, Qt::LeftButton, {}, at);
        QCOMPARE(selection.pinned(), TokenFocus::cell(AttentionKind::Cross, 2, 3));
        QTest::keyClick(&maps, Qt::Key_Right);
        QTest::keyClick(&maps, Qt::Key_Return);
        QCOMPARE(selection.pinned(), TokenFocus::cell(AttentionKind::Cross, 2, 4));
        QTest::keyClick(&maps, Qt::Key_Escape);
        QVERIFY(selection.focus().isEmpty());
    }

    void cellsOfSeveralTokensAreNamedByTheFirst() {
        Selection selection;
        LinkedMaps maps("Masks", &selection);
        std::vector<LinkedMap> both;
        for (const auto kind : {AttentionKind::EncoderSelf, AttentionKind::Cross}) {
            LinkedMap map = allowedCells(trace::MaskMatrix(16, 16, 1));
            map.kind = kind;
            map.rowLabels.resize(16);
            map.columnLabels.resize(16);
            both.push_back(pooled(std::move(map), 4));
        }
        maps.setWords([](auto, MapCell) { return QString(); },
                      [](auto, bool, int token) { return QString("token %1").arg(token); });
        maps.setMaps(both);
        QCOMPARE(maps.rowName(2), QString("token 8"));
        QCOMPARE(maps.columnName(2), QString("8")); // of either kind
        std::set<std::pair<bool, int>> asked;
        maps.setDecoded([&](auto, bool isQuery, int token) {
            asked.insert({isQuery, token});
            return true;
        });
        QImage page(600, 300, QImage::Format_RGB32);
        QPainter painter(&page);
        maps.draw(painter, QRectF(page.rect()), lightTheme());
        std::set<std::pair<bool, int>> expected;
        for (const int token : {0, 4, 8, 12})
            expected.insert({{false, token}, {true, token}});
        QVERIFY(asked == expected);
    }
};

HEADSCOPE_WATCHED_TEST(MapViewTest)
#include "map_view_test.moc"
