#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/controls/readable_controls.h"
#include "widgets/controls/token_strip.h"

using namespace headscope;
using namespace headscope::widgets;

class ReadableControlsTest : public QObject {
    Q_OBJECT

    static QString nameOf(QObject* object) {
        return QAccessible::queryAccessibleInterface(object)->text(QAccessible::Name);
    }

  private Q_SLOTS:
    void initTestCase() { installControlAccessibility(); }

    void aComboBoxTellsNameAndChoice() {
        QComboBox box;
        box.setAccessibleName("Quantity");
        box.addItems({"weights", "scores"});
        QCOMPARE(nameOf(&box), QString("Quantity: weights"));
        box.setCurrentIndex(1);
        QCOMPARE(nameOf(&box), QString("Quantity: scores"));
        auto* read = QAccessible::queryAccessibleInterface(&box);
        QCOMPARE(read->role(), QAccessible::ComboBox);
        QCOMPARE(read->childCount(), 1);
        QVERIFY(read->indexOfChild(read->child(0)) == 0);
        box.setEditable(true);
        QCOMPARE(read->childCount(), 2);
    }

    void aLabelTellsNameAndText() {
        QLabel label;
        label.setAccessibleName("Head");
        QCOMPARE(nameOf(&label), QString("Head"));
        label.setText("<b>Cross-attention 1.5</b>");
        QCOMPARE(nameOf(&label), QString("Head: Cross-attention 1.5"));
        label.setAccessibleName("Head: Cross-attention 1.5 in words");
        QCOMPARE(nameOf(&label), QString("Head: Cross-attention 1.5 in words"));
    }

    void aPaintedWidgetWithKeysIsAGraphic() {
        QWidget widget;
        QCOMPARE(QAccessible::queryAccessibleInterface(&widget)->role(), QAccessible::Client);
        widget.setFocusPolicy(Qt::StrongFocus);
        QCOMPARE(QAccessible::queryAccessibleInterface(&widget)->role(), QAccessible::Graphic);
    }

    void tokensAreCellsOfATable() {
        TokenStrip strip("Source tokens");
        strip.setTokens(example::run()->source);
        strip.setOutlined(1);
        auto* read = QAccessible::queryAccessibleInterface(&strip);
        QCOMPARE(read->role(), QAccessible::Table);
        auto* table = read->tableInterface();
        QVERIFY(table && table->rowCount() == 1 && table->columnCount() == strip.columnCount());
        QCOMPARE(table->selectedCells().size(), 1);
        QVERIFY(table->selectedCells().front()->text(QAccessible::Name).startsWith("2 of "));
    }
};

HEADSCOPE_WATCHED_TEST(ReadableControlsTest)
#include "readable_controls_test.moc"
