#include <QScrollBar>

#include "tests/watched_test.h"
#include "tests/widgets/example_positions.h"
#include "tests/widgets/shown_view.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/positions/word_position_page.h"

using namespace headscope;
using namespace headscope::widgets;
using tests::isSeen;
using tests::ShownView;

class WordPositionPageTest : public QObject {
    Q_OBJECT

    using Page = PositionalEncodingView::Page;

  private Q_SLOTS:
    void theVectorsOfATokenAreListed() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
        const auto run = example::run();
        view.setRun(run);
        view.setPage(Page::Words);
        QVERIFY(isSeen(view, {1200, 600}));
        const auto answer = example::positionAnswer(view, run);
        example::give(view, answer);
        view.findChild<WordPositionPage*>()->setNumbersShown(true);
        auto* table = view.findChild<WordPositionPage*>()->findChild<ColumnTable*>();
        QVERIFY(table->isVisible());
        auto* bars = view.findChild<ShareBars*>();
        QTest::keyClick(bars, Qt::Key_Down);
        QTest::keyClick(bars, Qt::Key_Down);
        const auto lines = table->selectedText().split('\n');
        QCOMPARE(lines.size(), 1 + 64);
        QCOMPARE(lines.front(), "dim.\tw\tp\tw + p");
        const auto cells = lines[6].split('\t');
        QCOMPARE(cells[0], "5");
        QVERIFY(std::abs(cells[1].toDouble() + cells[2].toDouble() - cells[3].toDouble()) < 1e-6);
        QVERIFY(std::abs(cells[3].toFloat() - answer.source.embedding.sums(1, 5)) < 1e-6F);
        for (const int width : {640, 500}) { // next to the bars, and below them
            view.resize(width, 600);
            QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
        }
        const auto data = view.figureData();
        QCOMPARE(data.arrays.size(), std::size_t(3));
        QCOMPARE(data.arrays[2].shape, (std::vector<std::size_t>{run->source.size(), 64}));
    }
};

HEADSCOPE_WATCHED_TEST(WordPositionPageTest)
#include "word_position_page_test.moc"
