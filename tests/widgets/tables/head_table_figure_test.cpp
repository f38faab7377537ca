#include <QImage>
#include <QPainter>
#include <QStandardItemModel>
#include <QTest>

#include "tests/watched_test.h"
#include "widgets/drawing/theme.h"
#include "widgets/tables/head_table_figure.h"

using namespace headscope::widgets;

/// Tables drawn for a page.
class HeadTableFigureTest : public QObject {
    Q_OBJECT

    static void fill(QStandardItemModel& table, int rows) {
        table.setHorizontalHeaderLabels({"token"});
        for (int row = 0; row < rows; ++row)
            table.appendRow(new QStandardItem(QString::number(row)));
    }

  private Q_SLOTS:
    void aLongTableIsNoLongerThanAPageAndSaysSo() {
        QStandardItemModel all, tooMany;
        fill(all, 600);
        fill(tooMany, 5000);
        const HeadTableFigure whole{.table = all, .caption = "Tokens.", .font = {}};
        const HeadTableFigure cut{.table = tooMany, .caption = "Tokens.", .font = {}};
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
};

HEADSCOPE_WATCHED_TEST(HeadTableFigureTest)
#include "head_table_figure_test.moc"
