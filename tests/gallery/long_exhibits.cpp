#include "tests/gallery/exhibits.h"

#include "model/analysis/maps/recomputed_map.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_compare.h"
#include "tests/widgets/example_long_run.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/map/ready_map.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/overview/overview_view.h"
#include "widgets/views/scale/scale_view.h"

namespace headscope::gallery {

using namespace widgets;

namespace {

/// 600 tokens, whose maps in the encoder are left out.
std::shared_ptr<const trace::Run> longRun() {
    static const auto run = example::longRuns(60).leftOut;
    return run;
}

/// Whatever the content: only whether there is a run is taken from it. What is counted late is counted at
/// once.
template <class View>
Make longViewOf(std::function<void(View&)> change = {}) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        selection->setHead(encoder);
        auto* view = new View(selection);
        new example::AnsweredAtOnce(view);
        if (change)
            change(*view);
        view->setRun(run ? longRun() : nullptr);
        return view;
    };
}

Make longScale(ScaleView::Page page) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        selection->setHead(encoder);
        auto* view = new ScaleView(selection);
        view->setPage(page);
        static const auto rows = answerOf({.run = longRun(), .head = encoder, .counts = ScaleCounts::Heads});
        // While it is shown there is no time to count so much.
        (new example::AnsweredAtOnce(view))->give(rows.question, rows);
        view->setRun(run ? longRun() : nullptr);
        return view;
    };
}

/// 2,000 tokens.
std::shared_ptr<const trace::Run> longerRun() {
    static const std::shared_ptr<const trace::Run> run = example::longSource(2000);
    return run;
}

QWidget* longHeatmap(Selection* selection, std::shared_ptr<const trace::Run> run) {
    selection->setHead(encoder);
    auto* view = new HeatmapView(selection);
    view->setRun(run ? longerRun() : nullptr);
    static const auto map = std::make_shared<const LongMap>(
        LongMap{.run = longerRun(), .head = encoder, .map = computeLongMap(*longerRun(), encoder, {}, {})});
    if (run)
        view->setLongMap(map);
    return view;
}

QWidget* longOverview(Selection* selection, std::shared_ptr<const trace::Run> run) {
    selection->setHead(encoder);
    auto* view = new Overview(selection);
    view->resize(1120, 700);
    view->setRun(run ? longerRun() : nullptr);
    static const auto tiles = [] {
        std::map<trace::HeadAddress, MapTile> made;
        for (const auto& head : analysis::headsOf(*longerRun()))
            if (const auto& record = *longerRun()->record(head.site); record.isRecomputed())
                made[head] = std::make_shared<const analysis::PooledMap>(
                    analysis::pooledWeights(record, static_cast<std::size_t>(head.head), tileSide, tileSide));
        return made;
    }();
    for (const auto& [head, tile] : tiles)
        if (run)
            view->view()->setTile(head, tile);
    return view;
}

QWidget* longCompare(Selection* selection, std::shared_ptr<const trace::Run> run) {
    constexpr trace::HeadAddress head{{trace::AttentionKind::EncoderSelf, 1}, 5};
    selection->setHead(head);
    auto* view = new CompareView(selection);
    if (!run)
        return view;
    static const auto pair = [] {
        auto other = std::make_shared<trace::Run>(*example::longSource(2000, 6));
        other->model = longerRun()->model;
        other->source[700].piece = "\u2581young"; // one token is another
        return ComparedPair{.first = longerRun(), .second = other};
    }();
    static const auto answer = example::compared(pair, head);
    example::give(*view, answer);
    return view;
}

} // namespace

QList<Exhibit> longExhibits() {
    const auto effect = [](MaskView& view) { view.setPage(MaskView::Page::Effect); };
    return {
        {"long-lines", longViewOf<LinesView>(), large},
        {"long-masks", longViewOf<MaskView>(), {{1000, 480}, {560, 360}}},
        {"long-masks-effect", longViewOf<MaskView>(effect), {{1000, 480}, {560, 420}}},
        {"long-heatmap", longHeatmap, large},
        {"long-overview", longOverview, {{1120, 700}}},
        {"long-compare", longCompare, {{900, 640}, {560, 480}}},
        {"long-scale-scores", longScale(ScaleView::Page::Scores), large},
        {"long-scale-temperature", longScale(ScaleView::Page::Temperature), large},
    };
}

} // namespace headscope::gallery
