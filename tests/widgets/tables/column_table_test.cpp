#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "widgets/tables/column_table.h"

#include <limits>

using namespace headscope;
using namespace headscope::widgets;

/// Tables made from a list of columns.
class ColumnTableTest : public QObject {
    Q_OBJECT

    static trace::HeadAddress head(int number) { return {{trace::AttentionKind::Cross, 0}, number}; }

    static TableContent content(std::vector<std::optional<double>> numbers) {
        TableColumn name{.title = "head", .smallestFirst = true};
        TableContent content;
        for (int row = 0; row < static_cast<int>(numbers.size()); ++row) {
            name.texts += QString("head %1").arg(row);
            content.heads.push_back(head(row));
        }
        content.columns = {name, {.title = "number", .numbers = std::move(numbers)}};
        return content;
    }
    static QString text(const ColumnTable& table, int row, int column) {
        return table.model()->index(row, column).data().toString();
    }

  private Q_SLOTS:
    void theModelKeepsTheRulesOfModels() {
        ColumnModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setContent(content({2.0, 1.0, 3.0}));
        model.sort(1, Qt::DescendingOrder);
        model.setContent(content({1.0, 2.0, 3.0}));
        auto some = content({1.0, 2.0, 3.0});
        some.listed = {2, 0};
        model.setContent(some);
        model.setContent({});
    }

    void rowsWithoutANumberComeLastInBothOrders() {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        ColumnTable table;
        table.setSortable(1, Qt::DescendingOrder);
        table.setContent(content({std::nullopt, 1, nan, 3}));
        QCOMPARE(table.rows(), (std::vector{3, 1, 0, 2}));
        QCOMPARE(text(table, 2, 1), QString(QChar(0x2013)));
        table.sortByColumn(1, Qt::AscendingOrder);
        QCOMPARE(table.rows(), (std::vector{1, 3, 0, 2}));
    }

    void aColumnIsWrittenWithAsManyDecimalsAsItNeeds() {
        ColumnTable table;
        table.setContent(content({0.5, 0.0004}));
        QCOMPARE(text(table, 0, 1), "0.50000");
        QCOMPARE(text(table, 1, 1), "0.00040");
        table.setContent(content({0.5, 0.25}));
        QCOMPARE(text(table, 0, 1), "0.5000");
    }

    void whatIsSelectedIsCopiedWithAllDigits() {
        ColumnTable table;
        auto shown = content({1.0 / 3, std::nullopt});
        shown.columns.push_back({.title = "not shown", .texts = {"a", "b"}, .hidden = true});
        table.setContent(shown);
        QCOMPARE(table.selectedText(), "head\tnumber\nhead 0\t0.333333333\nhead 1\t");
        table.selectionModel()->select(table.model()->index(0, 1), QItemSelectionModel::Select);
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), "number\n0.333333333");
    }

    void theSelectedRowIsTheHeadThatOthersShow() {
        Selection selection;
        selection.setHead(head(2));
        ColumnTable table;
        table.followHeads(&selection);
        table.setSortable(1, Qt::DescendingOrder);
        table.setContent(content({1.0, 2.0, 3.0}));
        const QSignalSpy chosen(&table, &ColumnTable::headChosen);
        const auto selected = [&] { return table.selectionModel()->selectedRows().value(0).row(); };
        QCOMPARE(selected(), 0);
        selection.setHead(head(0));
        QCOMPARE(selected(), 2);
        QVERIFY(chosen.isEmpty());
        table.selectRow(1);
        QVERIFY(selection.head() == head(1));
        QCOMPARE(chosen.size(), 1);
        // Other numbers of the same heads: the row moves, the head stays.
        table.setContent(content({1.0, 9.0, 3.0}));
        QCOMPARE(selected(), 0);
        QVERIFY(selection.head() == head(1));
        // A list without the head selects nothing.
        auto some = content({1.0, 9.0, 3.0});
        some.listed = {0, 2};
        table.setContent(some);
        QVERIFY(table.selectionModel()->selectedRows().isEmpty());
        QVERIFY(selection.head() == head(1));
    }

    void rowsOfAnOwnOrderStayInItUntilTheyAreSorted() {
        ColumnTable table;
        table.setSortable(1, Qt::DescendingOrder);
        auto nearest = content({1.0, 2.0, 3.0});
        nearest.listed = {1, 0};
        nearest.isOwnOrder = true;
        table.setContent(nearest);
        QCOMPARE(table.rows(), (std::vector{1, 0}));
        table.sortByColumn(1, Qt::AscendingOrder);
        QCOMPARE(table.rows(), (std::vector{0, 1}));
    }

    void columnsThatMattersLeastAreDroppedFirst() {
        ColumnTable table(nullptr, ColumnTable::NoRoom::Drop);
        auto shown = content({1.0, 2.0});
        shown.columns.push_back({.title = "a wide column", .numbers = {1.0, 2.0}, .dropped = 1});
        shown.columns.push_back({.title = "another", .numbers = {1.0, 2.0}, .dropped = 2});
        table.setContent(shown);
        table.resize(table.leastWidth(), 200);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        QVERIFY(!table.isColumnHidden(2) && !table.isColumnHidden(3));
        table.resize(table.leastWidth() - 4, 200);
        QVERIFY(!table.isColumnHidden(2) && table.isColumnHidden(3));
        table.resize(40, 200);
        QVERIFY(!table.isColumnHidden(0) && !table.isColumnHidden(1) && table.isColumnHidden(2));
    }
};

HEADSCOPE_WATCHED_TEST(ColumnTableTest)
#include "column_table_test.moc"
