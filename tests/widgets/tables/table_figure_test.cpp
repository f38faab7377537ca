#include <QImage>
#include <QPainter>
#include <QTest>

#include "tests/watched_test.h"
#include "widgets/drawing/theme.h"
#include "widgets/tables/table_figure.h"

using namespace headscope::widgets;

/// Tables drawn for a page.
class TableFigureTest : public QObject {
    Q_OBJECT

    static TableFigure tokens(int rows) {
        TableColumn names{.title = "token"};
        for (int row = 0; row < rows; ++row)
            names.texts += QString::number(row);
        return {.columns = {names}, .caption = "Tokens."};
    }

  private Q_SLOTS:
    void aLongTableIsNoLongerThanAPageAndSaysSo() {
        const TableFigure whole = tokens(600), cut = tokens(5000);
        QCOMPARE(whole.words(), QString("Tokens."));
        QCOMPARE(cut.words(), QString("Tokens. The first 600 of 5000 rows."));
        QCOMPARE(cut.size().height(), whole.size().height());
        constexpr int longestOfQt = 32767;
        QVERIFY(cut.size().height() < longestOfQt);
        QImage page(cut.size(), QImage::Format_RGB32);
        page.fill(Qt::white);
        QPainter painter(&page);
        cut.draw(painter, page.rect(), lightTheme());
    }

    void columnsThatSayNothingHaveNoRoom() {
        TableFigure table = tokens(3);
        const QSize alone = table.size();
        TableColumn unknown = prepared({.title = "a long title of a column", .numbers = {{}, {}, {}}});
        table.columns.push_back(unknown);
        QCOMPARE(table.size(), alone);
        unknown.numbers[1] = 1;
        table.columns.back() = prepared(unknown);
        table.caption.clear();
        QVERIFY(table.size().width() > tokens(3).columns.size());
    }

    void aBarTakesTheRoomThatIsLeft() {
        TableFigure table = tokens(2);
        table.columns.push_back({.title = "share",
                                 .numbers = {1.0, 0.5},
                                 .bars = TableColumn::Bars::Alone,
                                 .fromLeft = true,
                                 .longest = 1});
        QCOMPARE(table.size().width(), TableFigure::usualWidth);
        QVERIFY(table.size(200).width() < TableFigure::usualWidth);
    }
};

HEADSCOPE_WATCHED_TEST(TableFigureTest)
#include "table_figure_test.moc"
