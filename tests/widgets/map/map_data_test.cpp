#include <QComboBox>

#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_maps.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/heatmap/heatmap_page.h"
#include "widgets/views/overview/overview.h"

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;
using trace::HeadAddress;

/// What is drawn beside maps is in the data that is saved with them.
class MapDataTest : public QObject {
    Q_OBJECT

    static HeadAddress cross(int layer, int head) { return {{AttentionKind::Cross, layer}, head}; }

    static const trace::DataTable* table(const trace::FigureData& data, const std::string& name) {
        const auto found = std::ranges::find(data.tables, name, &trace::DataTable::name);
        return found == data.tables.end() ? nullptr : &*found;
    }
    static std::vector<double> numbers(const trace::DataTable& table, const std::string& title) {
        return std::get<std::vector<double>>(
            std::ranges::find(table.columns, title, &trace::DataColumn::title)->values);
    }
    static std::vector<std::string> texts(const trace::DataTable& table, const std::string& title) {
        return std::get<std::vector<std::string>>(
            std::ranges::find(table.columns, title, &trace::DataColumn::title)->values);
    }
    static void choose(const Overview& overview, const QString& entry) {
        for (auto* box : overview.findChildren<QComboBox*>())
            if (const int index = box->findText(entry); index >= 0)
                box->setCurrentIndex(index);
    }

  private Q_SLOTS:
    void theOrderOfHeadsAndTheNumberTheyStandBy() {
        Selection selection;
        Overview overview(&selection);
        const auto run = example::run();
        overview.setRun(run);
        overview.setStatistics(analysis::statisticsOfHeads(*run));
        QVERIFY(!table(overview.figureData(), "order"));
        choose(overview, "Sort: by entropy");
        const auto data = overview.figureData();
        const auto* order = table(data, "order");
        QVERIFY(order);
        QCOMPARE(order->rows(), std::size_t(72));
        const auto places = numbers(*order, "place");
        const auto entropy = std::get<std::vector<double>>(order->columns[2].values);
        for (std::size_t i = 1; i < 24; ++i) {
            QCOMPARE(places[i], double(i));
            QVERIFY(entropy[i] <= entropy[i - 1]);
        }
        QCOMPARE(places[24], 0.0); // another kind
    }

    void groupsAndHowFarTheirHeadsAreApart() {
        Selection selection;
        Overview overview(&selection);
        const auto run = example::run();
        overview.setRun(run);
        overview.setStatistics(analysis::statisticsOfHeads(*run));
        choose(overview, "Sort: by similarity");
        HeadGrouping grouping{.threshold = 0.25};
        grouping.kinds[AttentionKind::Cross] = {
            .alike = {{.heads = {cross(0, 1), cross(2, 3)}, .divergence = 0.125}}, .alone = {cross(0, 0)}};
        overview.setGrouping(grouping);
        const auto data = overview.figureData();
        const auto* order = table(data, "order");
        QVERIFY(order);
        const auto heads = texts(*order, "head");
        const auto row = [&](const char* head) {
            return static_cast<std::size_t>(std::ranges::find(heads, head) - heads.begin());
        };
        QCOMPARE(numbers(*order, "group")[row("cross.2.3")], 0.0);
        QCOMPARE(numbers(*order, "mean_divergence")[row("cross.0.1")], 0.125);
        QVERIFY(std::isnan(numbers(*order, "group")[row("cross.0.0")]));
        QCOMPARE(numbers(*order, "place")[row("cross.2.3")], 1.0);
    }

    void whatTheStepLosesWithoutEachToken() {
        Selection selection;
        selection.setHead(example::aligningHead);
        selection.setStep(5);
        HeatmapView view(&selection);
        const auto run = example::run();
        view.setRun(run);
        view.setCause(example::cause(*run, 5));
        const auto names = [&] {
            std::vector<std::string> names;
            for (const auto& array : view.figureData().arrays)
                names.push_back(array.name);
            return names;
        };
        QCOMPARE(names(), (std::vector<std::string>{"weights"})); // no bars are drawn
        view.setOptions({.losses = true});
        QCOMPARE(names(), (std::vector<std::string>{"weights", "loss_everywhere", "loss_in_this_head"}));
        const auto losses = view.figureData().arrays[1];
        QCOMPARE(losses.shape, std::vector<std::size_t>{run->source.size()});
        QCOMPARE(losses.axes.front().labels.size(), run->source.size());
    }

    /// A column that is left out is not there; of a row it says how much of it, so that noise can be told.
    void whatRowsKeepWithoutSpecialKeys() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        view.setRun(example::run());
        const auto whole = view.figureData();
        QCOMPARE(whole.arrays.size(), std::size_t{1});
        for (const bool words : {false, true}) {
            view.setOptions({.withoutSpecial = true, .words = words});
            const auto data = view.figureData();
            QCOMPARE(data.arrays.size(), std::size_t{2});
            const auto& kept = data.arrays[1];
            QCOMPARE(kept.name, std::string("kept"));
            QVERIFY(kept.axes == std::vector{data.arrays[0].axes[0]});
            QVERIFY(data.arrays[0].shape[1] < whole.arrays[0].shape[1]);
            double least = 1;
            for (const double share : kept.values)
                least = std::min(least, share);
            QVERIFY(least > 0 && least < 1);
        }
        view.setOptions({.quantity = Quantity::Scores, .withoutSpecial = true}); // which are not shared out
        QCOMPARE(view.figureData().arrays.size(), std::size_t{1});
    }

    void howFarPinnedHeadsAreApart() {
        Selection selection;
        selection.setHead(cross(2, 5));
        selection.setPinnedHeads({cross(2, 2), {{AttentionKind::EncoderSelf, 1}, 4}});
        HeatmapPage view(&selection);
        const auto run = example::run();
        view.setRun(run);
        QVERIFY(!table(view.figureData(), "divergence"));
        example::givenAnswers(&view)->give(
            HeadDistances{.run = run, .heads = view.heads(), .selected = selection.head()},
            {{cross(2, 2), 0.25}, {{{AttentionKind::EncoderSelf, 1}, 4}, std::nullopt}});
        const auto data = view.figureData();
        const auto* divergences = table(data, "divergence");
        QVERIFY(divergences);
        QCOMPARE(texts(*divergences, "head"), std::vector<std::string>{"cross.2.2"});
        QCOMPARE(texts(*divergences, "from"), std::vector<std::string>{"cross.2.5"});
        QCOMPARE(numbers(*divergences, "mean_divergence"), std::vector<double>{0.25});
    }
};

HEADSCOPE_WATCHED_TEST(MapDataTest)
#include "map_data_test.moc"
