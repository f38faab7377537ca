#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "widgets/tables/column_table.h"

#include <algorithm>
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
        auto bars = shown.columns[1];
        bars.title = "bars";
        bars.bars = TableColumn::Bars::Alone; // the same numbers again
        shown.columns.push_back(bars);
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
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        const QSignalSpy chosen(&table, &ColumnTable::headChosen);
        const auto selected = [&] { return table.selectionModel()->selectedRows().value(0).row(); };
        QCOMPARE(selected(), 0);
        selection.setHead(head(0));
        QCOMPARE(selected(), 2);
        QVERIFY(chosen.isEmpty());
        table.selectionModel()->select(table.model()->index(1, 0),
                                       QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
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

    void anotherHeadIsTheOnlySelectedRow() {
        Selection selection;
        selection.setHead(head(0));
        ColumnTable table;
        table.followHeads(&selection);
        table.setSortable(0, Qt::AscendingOrder);
        table.setContent(content({1.0, 2.0, 3.0}));
        const auto selected = [&] {
            std::vector<int> rows;
            for (const auto& index : table.selectionModel()->selectedRows())
                rows.push_back(index.row());
            std::ranges::sort(rows);
            return rows;
        };
        table.selectionModel()->select(table.model()->index(1, 0),
                                       QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QCOMPARE(selected(), (std::vector{0, 1}));
        table.setContent(content({1.0, 5.0, 3.0})); // only the numbers change
        QCOMPARE(selected(), (std::vector{0, 1}));
        selection.setHead(head(1)); // one of the selected
        QCOMPARE(selected(), std::vector{1});
        QVERIFY(selection.head() == head(1));
    }

    void aTableSortedByANumberStaysAtItsTopWhenItIsShown() {
        Selection selection;
        selection.setHead(head(0));
        std::vector<std::optional<double>> numbers;
        for (int row = 0; row < 200; ++row)
            numbers.emplace_back(row);
        for (const bool isByNumber : {true, false}) {
            ColumnTable table;
            table.followHeads(&selection);
            table.setSortable(isByNumber ? 1 : 0, Qt::DescendingOrder);
            table.resize(300, 200);
            auto shown = content(numbers);
            for (int row = 0; row < 200; ++row)
                shown.columns[0].order.emplace_back(row);
            table.setContent(shown); // the selected head is in the last row
            table.show();
            QVERIFY(QTest::qWaitForWindowExposed(&table));
            QCoreApplication::processEvents();
            QCOMPARE(table.rowAt(1) == 0, isByNumber);
            QCOMPARE(table.currentIndex().row(), 199);
        }
    }

    void widthsByHandStayWhileTheColumnNeedsNoOther() {
        ColumnTable table;
        table.setSortable(0, Qt::AscendingOrder);
        table.setContent(content({1.0, 2.0, 3.0}));
        const int needed = table.columnWidth(0);
        table.setColumnWidth(0, needed + 50);
        table.setContent(content({4.0, 5.0, 6.0}));
        QCOMPARE(table.columnWidth(0), needed + 50);
        auto longer = content({4.0, 5.0, 6.0});
        longer.columns[0].texts[1] = "a head with a name of many letters";
        table.setContent(longer);
        const int wide = table.columnWidth(0);
        QVERIFY(wide > needed && wide != needed + 50);
        table.setContent(content({4.0, 5.0, 6.0}));
        QCOMPARE(table.columnWidth(0), needed);
    }

    void theMarkedRowComesIntoSightWithoutScrollingSideways() {
        ColumnTable table;
        auto shown = content(std::vector<std::optional<double>>(100, 1.0));
        for (int column = 0; column < 4; ++column)
            shown.columns.push_back(
                {.title = "a title that needs much room", .numbers = shown.columns[1].numbers});
        table.setContent(shown);
        table.resize(300, 200);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        QVERIFY(table.horizontalScrollBar()->maximum() > 0);
        table.horizontalScrollBar()->setValue(table.horizontalScrollBar()->maximum());
        const int sideways = table.horizontalScrollBar()->value();
        for (const int marked : {0, 60}) {
            shown.marked = marked;
            table.setContent(shown);
            QCOMPARE(table.horizontalScrollBar()->value(), sideways);
            const int top = table.rowViewportPosition(marked);
            QVERIFY(top >= 0 && top + table.rowHeight(marked) <= table.viewport()->height());
        }
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
        table.setContent(nearest); // the same rows again
        QCOMPARE(table.rows(), (std::vector{0, 1}));
        nearest.columns[1].numbers = {2.0, 1.0, 3.0};
        table.setContent(nearest);
        QCOMPARE(table.rows(), (std::vector{1, 0}));
        nearest.listed = {2, 0, 1}; // others
        table.setContent(nearest);
        QCOMPARE(table.rows(), (std::vector{2, 0, 1}));
    }

    void columnsThatMatterLeastAreDroppedFirst() {
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

    void fittedRowsShareTheHeight() {
        ColumnTable table;
        table.setContent(content(std::vector<std::optional<double>>(10, 1.0)));
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        const int usual = table.rowHeight(0);
        table.setFitted(true);
        const auto rowsAt = [&](int viewport) {
            table.resize(300, viewport + table.height() - table.viewport()->height());
            return table.rowHeight(0);
        };
        QCOMPARE(rowsAt(10 * (usual + 3)), usual + 3);
        QCOMPARE(rowsAt(10 * (usual - 3)), usual - 3);
        QVERIFY(rowsAt(10 * (usual + 40)) <= usual + 6);
        QCOMPARE(rowsAt(20), table.fontMetrics().height()); // and scrolls
    }

    void aRowCanReachAcrossTheTable() {
        ColumnTable table;
        auto shown = content({1.0, 2.0, 3.0});
        shown.across = {1};
        shown.ruled = {2};
        table.setContent(shown);
        QCOMPARE(table.columnSpan(0, 0), 1);
        QCOMPARE(table.columnSpan(1, 0), 2);
        QVERIFY(table.model()->index(2, 0).data(ColumnModel::RuledRole).toBool());
        shown.across.clear();
        table.setContent(shown);
        QCOMPARE(table.columnSpan(1, 0), 1);
    }
};

HEADSCOPE_WATCHED_TEST(ColumnTableTest)
#include "column_table_test.moc"
