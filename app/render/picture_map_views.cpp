// Draws maps of one head, of several, and of all.
#include "app/desktop/picture_names.h"
#include "app/render/picture_makers.h"
#include "app/results/long_tiles.h"
#include "widgets/tiles/head_tint.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/overview/overview_view.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace headscope::app {

namespace {

using Options = widgets::PictureOptions;
using Stage = RenderedView;

bool isByImportance(const Options& options, const char* choice) {
    return widgets::isChosen(options, choice, std::string("importance"));
}

/// Choices of the head thumbnails: statistic, tint, order and layer.
struct Tint {
    int by = 0;
    bool tinted = false;
    bool sorted = false;
    bool layer = false;
};

} // namespace

widgets::FigureSource* makeOverview(const Scene& scene, const Options& options, QMainWindow& window,
                                    Stage& stage) {
    auto* view = placed(new widgets::Overview(scene.document->selection()), scene, options, window, stage);
    if (!options.choices.empty())
        followStatistics(scene, new QObject(view), [view](const auto& heads) { view->setStatistics(heads); });
    (new LongTiles(scene.document->queue(), scene.document->controller(), view))->serve(view->view());
    if (isByImportance(options, "tint") || isByImportance(options, "order")) {
        const char* choice = isByImportance(options, "tint") ? "tint" : "order";
        measureScores(scene, options, choice, window, stage, [view](const auto& scores, const auto& caption) {
            view->setImportance(scores, caption);
        });
    }
    return view;
}

widgets::FigureSource* makeContactSheet(const Scene& scene, const Options& options, QMainWindow& window,
                                        Stage& stage) {
    auto* view = new widgets::HeadGridView(scene.document->selection());
    window.setCentralWidget(view);
    (new LongTiles(scene.document->queue(), scene.document->controller(), view))->serve(view);
    view->setRun(scene.document->controller()->run());
    auto tint = std::make_shared<Tint>();
    const auto heads = std::make_shared<std::vector<analysis::HeadStatistics>>();
    const auto show = [=] {
        view->setStatistic(tint->by > 0 ? std::optional(widgets::tintByStatistic(
                                              static_cast<analysis::Statistic>(tint->by - 1), *heads))
                                        : std::nullopt);
        view->setTinted(tint->tinted);
        view->setSorted(tint->sorted);
        view->setLayerOnly(tint->layer);
    };
    const auto addFlag = [&](const char* name, bool Tint::*part) {
        stage.choices.addFlag(
            "heads", name, [=] { return (*tint).*part; },
            [=](bool on) {
                (*tint).*part = on;
                show();
            });
    };
    stage.choices.addWord(
        "heads", "by", [tint] { return tint->by; }, [=, scene = scene](int by) { // 0 is importance
            tint->by = by;
            if (by > 0)
                followStatistics(scene, view, [=](const auto& known) {
                    *heads = known;
                    show();
                });
            show();
        });
    addFlag("tinted", &Tint::tinted);
    addFlag("sorted", &Tint::sorted);
    addFlag("layer", &Tint::layer);
    const bool isTinted = widgets::isChosen(options, "tinted", true);
    if ((isTinted || widgets::isChosen(options, "sorted", true)) &&
        (!options.choices.contains("by") || isByImportance(options, "by"))) {
        const char* choice = isTinted ? "tinted" : "sorted";
        measureScores(scene, options, choice, window, stage, [view](const auto& scores, const auto& caption) {
            view->setImportance(scores, caption);
        });
    }
    return view;
}

} // namespace headscope::app
