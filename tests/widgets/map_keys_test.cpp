#include <QKeyEvent>
#include <QTest>

#include "widgets/map_keys.h"

using headscope::widgets::MapCell;
using headscope::widgets::movedCell;

class MapKeysTest : public QObject {
    Q_OBJECT

    static std::optional<MapCell> moved(int key, MapCell from, Qt::KeyboardModifiers modifiers = {}) {
        return movedCell(QKeyEvent(QEvent::KeyPress, key, modifiers), from, 10, 6, 4);
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

    void otherKeysAndEmptyMapsMoveNothing() {
        QVERIFY(!moved(Qt::Key_A, {3, 2}));
        QVERIFY(!movedCell(QKeyEvent(QEvent::KeyPress, Qt::Key_Left, {}), {}, 0, 0));
    }
};

QTEST_APPLESS_MAIN(MapKeysTest)
#include "map_keys_test.moc"
