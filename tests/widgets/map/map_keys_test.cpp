#include <QGuiApplication>
#include <QKeyEvent>
#include <QTest>

#include "tests/registered_test.h"
#include "widgets/map/map_keys.h"

using headscope::widgets::MapCell;
using headscope::widgets::movedCell;
using headscope::widgets::zoomedByKey;

class MapKeysTest : public QObject {
    Q_OBJECT

    static std::optional<MapCell> moved(int key, MapCell from, Qt::KeyboardModifiers modifiers = {}) {
        return movedCell(QKeyEvent(QEvent::KeyPress, key, modifiers), from, 10, 6, 4);
    }

    static std::optional<QRectF> zoomed(int key, const QRectF& window, std::optional<MapCell> cursor) {
        return zoomedByKey(QKeyEvent(QEvent::KeyPress, key, {}), window, cursor, 10, 6);
    }

    static void check(std::optional<MapCell> cell, int row, int column) {
        QVERIFY(cell.has_value());
        QCOMPARE(cell->row, row);
        QCOMPARE(cell->column, column);
    }

  private Q_SLOTS:
    void arrowsMoveByACellAndStayInside() {
        check(moved(Qt::Key_Left, {3, 2}), 3, 1);
        check(moved(Qt::Key_Right, {3, 2}), 3, 3);
        check(moved(Qt::Key_Up, {3, 2}), 2, 2);
        check(moved(Qt::Key_Down, {3, 2}), 4, 2);
        check(moved(Qt::Key_Left, {3, 0}), 3, 0);
        check(moved(Qt::Key_Down, {9, 5}), 9, 5);
    }

    void pagesAndEndsAreJumpedTo() {
        check(moved(Qt::Key_PageDown, {1, 2}), 5, 2);
        check(moved(Qt::Key_PageUp, {1, 2}), 0, 2);
        check(moved(Qt::Key_Home, {3, 2}), 3, 0);
        check(moved(Qt::Key_End, {3, 2}), 3, 5);
        check(moved(Qt::Key_Home, {3, 2}, Qt::ControlModifier), 0, 0);
        check(moved(Qt::Key_End, {3, 2}, Qt::ControlModifier), 9, 5);
    }

    void plusAndMinusZoomAroundTheCursor() {
        const QRectF whole(0, 0, 6, 10);
        const auto near = zoomed(Qt::Key_Plus, whole, MapCell{0, 5});
        QVERIFY(near && whole.contains(*near));
        QCOMPARE(near->top(), 0.0);
        QCOMPARE(near->right(), 6.0);
        QCOMPARE(zoomed(Qt::Key_Plus, whole, MapCell{5, 3})->top(), 5.5 - 5.5 / 1.44);
        QCOMPARE(near->width(), 6 / 1.44);
        QVERIFY(near->contains(QPointF(5.5, 0.5)));
        QCOMPARE(zoomed(Qt::Key_Equal, whole, MapCell{0, 5}), near);
        const auto back = zoomed(Qt::Key_Minus, *near, MapCell{0, 5});
        QVERIFY(back && std::abs(back->width() - 6) < 1e-9 && std::abs(back->height() - 10) < 1e-9);
        QCOMPARE(zoomed(Qt::Key_Plus, whole, {})->center(), whole.center());
        QVERIFY(zoomed(Qt::Key_Minus, {0, 0, 4, 4}, MapCell{9, 5})->contains(QPointF(5.5, 9.5)));
        QVERIFY(zoomed(Qt::Key_0, *near, {})->isEmpty());
        QVERIFY(!zoomed(Qt::Key_A, whole, {}));
    }

    void otherKeysAndEmptyMapsMoveNothing() {
        QVERIFY(!moved(Qt::Key_A, {3, 2}));
        QVERIFY(!movedCell(QKeyEvent(QEvent::KeyPress, Qt::Key_Left, {}), {}, 0, 0));
    }
};

HEADSCOPE_TEST_IN(QGuiApplication, MapKeysTest) // which takes back what a key event makes
#include "map_keys_test.moc"
