// Long inputs on a random model of 6 + 6 layers with 8 heads: what a run keeps of its attention, how soon a
// head is there, and how long frames take.
//
//     QT_QPA_PLATFORM=offscreen long_maps_benchmark

#include "app/models/choose_kernels.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "model/analysis/architecture/architecture_memory.h"
#include "model/analysis/maps/recomputed_map.h"
#include "model/analysis/scores/score_spread.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/overview/overview_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <vector>

namespace {

using namespace headscope;

constexpr trace::HeadAddress head{{trace::AttentionKind::EncoderSelf, 3}, 5};

double milliseconds(const std::function<void()>& work) {
    QElapsedTimer timer;
    timer.start();
    work();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

/// The middle of several times, each of something a little different.
double usualTime(const std::function<void(int)>& work) {
    std::vector<double> times;
    for (int i = 0; i < 21; ++i)
        times.push_back(milliseconds([&] { work(i); }));
    std::ranges::nth_element(times, times.begin() + 10);
    return times[10];
}

/// What this process has in memory.
double residentMegabytes() {
    std::ifstream file("/proc/self/statm");
    double pages = 0;
    file >> pages >> pages;
    return pages * 4096 / 1e6;
}

/// `target` 0: decoded, some tokens.
std::shared_ptr<const trace::Run> runOf(engine::Engine& engine, std::int64_t tokens,
                                        std::int64_t target = 0) {
    const auto ids = [](std::int64_t count) {
        std::vector<std::int64_t> some;
        for (std::int64_t i = 0; i < count; ++i)
            some.push_back(4 + i * 7919 % 7900);
        return some;
    };
    trace::Request request{.source = trace::SourceIds{ids(tokens)}, .paths = {{.newTokens = 60}}};
    if (target > 0)
        request.paths = {{.forced = trace::TargetIds{ids(target)}, .newTokens = 0}};
    std::shared_ptr<const trace::Run> run;
    const double before = residentMegabytes();
    const double time = milliseconds([&] { run = engine.of(request, trace::RunWhat()); });
    if (!run->complete || static_cast<std::int64_t>(run->source.size()) != tokens)
        qFatal("a run is not that of all tokens");
    std::printf("%lld source and %zu target tokens: %.0f MB of attention, computed in %.1f s; the process "
                "has %.0f MB more, %.0f MB together\n",
                static_cast<long long>(tokens), run->target.size(),
                static_cast<double>(analysis::attentionBytes(*run)) / 1e6, time / 1e3,
                residentMegabytes() - before, residentMegabytes());
    return run;
}

void frames(const std::shared_ptr<const widgets::LongMap>& map, widgets::Selection& selection) {
    widgets::HeatmapView view(&selection);
    view.resize(1100, 900);
    view.setRun(map->run);
    view.setLongMap(map);
    view.show();
    QImage page(view.size(), QImage::Format_RGB32);
    const auto draw = [&] { view.render(&page); };
    draw();
    auto seeNewFrame = [&page, before = page.copy()]() mutable {
        if (page == std::exchange(before, page.copy()))
            qFatal("the last frame shows what the first one showed");
    };
    const auto centre = view.mapLayout().plot().center();
    const auto wheel = [&](int delta) {
        QWheelEvent event(centre, view.mapToGlobal(centre), {}, {0, delta}, Qt::NoButton, Qt::ControlModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view, &event);
        draw();
    };
    const double zoom = usualTime([&](int i) { wheel(i < 11 ? 120 : -120); });
    seeNewFrame();
    const double far = 4.0 * QApplication::startDragDistance(); // a shorter drag is a click
    const double pan = usualTime([&](int i) {
        for (const auto& [type, x] : {std::pair(QEvent::MouseButtonPress, 0.0),
                                      {QEvent::MouseMove, far},
                                      {QEvent::MouseButtonRelease, far}}) {
            const QPointF at = centre + QPointF(i % 2 ? x : -x, 0);
            QMouseEvent event(type, at, view.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, {});
            QApplication::sendEvent(&view, &event);
        }
        draw();
    });
    seeNewFrame();
    const double hover = usualTime([&](int i) {
        selection.setHover(widgets::TokenFocus::cell(head.site.kind, 97 * i, 131 * i));
        draw();
    });
    seeNewFrame();
    std::printf("a frame: zoom %.1f ms, pan %.1f ms, hover %.1f ms\n", zoom, pan, hover);
}

void smallMaps(const std::shared_ptr<const trace::Run>& run, widgets::Selection& selection) {
    widgets::OverviewView overview(&selection);
    overview.resize(1150, 700);
    overview.setRun(run);
    overview.show();
    QImage page(overview.size(), QImage::Format_RGB32);
    overview.render(&page);
    const auto missing = overview.missingTiles();
    double first = 0;
    const double all = milliseconds([&] {
        for (const auto& address : missing) {
            const double one = milliseconds([&] {
                overview.setTile(address,
                                 std::make_shared<analysis::PooledMap>(analysis::pooledWeights(
                                     *run->record(address.site), static_cast<std::size_t>(address.head),
                                     widgets::tileSide, widgets::tileSide)));
            });
            first = first == 0 ? one : first;
        }
    });
    while (!overview.isComplete()) {
        overview.render(&page);
        QApplication::processEvents();
    }
    std::printf(
        "%zu small maps of the overview's, %zu of them computed anew: the first after %.0f ms, all after "
        "%.1f s; painted in %.1f ms\n",
        analysis::headsOf(*run).size(), missing.size(), first, all / 1e3,
        usualTime([&](int) { overview.render(&page); }));
}

} // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    app::chooseKernels();
    const auto engine = app::loadEngine({.familyFolders = app::familyFolders()});
    engine->open({.path = HEADSCOPE_BASE_SIZE_CONFIG, .randomSeed = 1}, {});
    runOf(*engine, 512);
    runOf(*engine, 2048);
    runOf(*engine, 2048, 2048);
    runOf(*engine, 4096, 4096);
    const auto run = runOf(*engine, 4096);
    widgets::Selection selection;
    selection.setHead(head);
    std::shared_ptr<const widgets::LongMap> map;
    std::printf("at 4096 tokens a preview after %.0f ms",
                milliseconds([&] { widgets::computePreview(run, head, {}, {}); }));
    std::printf(
        ", the head after %.0f ms\n", milliseconds([&] {
            map = std::make_shared<widgets::LongMap>(widgets::LongMap{
                .run = run, .head = head, .options = {}, .map = widgets::computeLongMap(*run, head, {}, {})});
        }));
    frames(map, selection);
    smallMaps(run, selection);
    return 0;
}
