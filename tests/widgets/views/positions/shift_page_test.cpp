#include "tests/watched_test.h"
#include "tests/widgets/example_positions.h"
#include "tests/widgets/shown_view.h"
#include "widgets/map/number_map.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/positions/shift_page.h"

using namespace headscope;
using namespace headscope::widgets;
using tests::isSeen;
using tests::ShownView;

class ShiftPageTest : public QObject {
    Q_OBJECT

    using Page = PositionalEncodingView::Page;

  private Q_SLOTS:
    void theMapOfAShiftIsShownBesideWhatAFitMakesOfIt() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
        const auto run = example::run();
        view.setRun(run);
        view.setPage(Page::Shift);
        view.setOffset(3);
        QVERIFY(isSeen(view));
        const auto answer = example::positionAnswer(view, run);
        QVERIFY(answer.fittedShift);
        example::give(view, answer);
        QVERIFY2(view.caption().contains("pairs with an even position"), qPrintable(view.caption()));
        QList<NumberMap*> maps;
        for (auto* map : view.findChildren<NumberMap*>())
            if (map->isVisible())
                maps += map;
        QCOMPARE(maps.size(), 2);
        QCOMPARE(maps.front()->rowCount(), 64);
        // The first pair rotates by three radians: M contains their cosine and sine.
        QVERIFY2(maps.front()->cellInWords({0, 0}).contains(
                     "of dimension 0 of the earlier position in dimension 0 of the later one: −0.9900"),
                 qPrintable(maps.front()->cellInWords({0, 0})));
        QVERIFY(maps.front()->cellInWords({0, 1}).contains(
            "of dimension 1 of the earlier position in dimension 0 of the later one: 0.1411"));
        auto* errors = view.findChild<ShiftPage*>()->findChild<ReadablePlot*>();
        QCOMPARE(errors->rowCount(), 2);
        QVERIFY(errors->cellInWords({1, 0}).startsWith("fitted: ") &&
                errors->cellInWords({1, 0}).endsWith("(fitted)"));
        const auto data = view.figureData();
        QStringList names;
        for (const auto& array : data.arrays)
            names += QString::fromStdString(array.name);
        QCOMPARE(names, (QStringList{"relative_error", "fitted", "map", "least_squares_relative_error",
                                     "least_squares_fitted", "least_squares_map"}));
        QCOMPARE(data.tables.front().rows(), std::size_t(2));
        const auto learned = example::withLearnedPositions(*run); // always fitted
        view.setRun(learned);
        example::give(view, example::positionAnswer(view, learned));
        QCOMPARE(errors->rowCount(), 1);
    }
};

HEADSCOPE_WATCHED_TEST(ShiftPageTest)
#include "shift_page_test.moc"
