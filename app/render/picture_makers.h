#pragma once

#include "app/render/picture_views.h"
#include "app/results/results.h"
#include "model/analysis/heads/head_ranking.h"
#include "model/analysis/heads/statistics_of_heads.h"
#include "widgets/view.h"

#include <QMainWindow>

#include <functional>
#include <string>
#include <vector>

namespace headscope::app {

/// Connects the view as in the window: it shows the current run, and its requests are computed.
void follow(const Scene& scene, widgets::View& view, RenderedView& stage);

/// Makes the view visible on its own page, since only visible views request computations.
template <class View>
View* placed(View* view, const Scene& scene, QMainWindow& window, RenderedView& stage) {
    window.setCentralWidget(view);
    stage.view = view;
    follow(scene, *view, stage);
    return view;
}

// Each creates a view in `window` with its computations; its choices are added to `stage`.

widgets::FigureSource* makeHeadPage(const Scene& scene, const widgets::PictureOptions& options,
                                    QMainWindow& window, RenderedView& stage);

} // namespace headscope::app
