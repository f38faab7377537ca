#pragma once

#include "app/render/picture_views.h"
#include "app/results/result_parts.h"
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
void follow(const Scene& scene, const widgets::PictureOptions& options, widgets::View& view,
            RenderedView& stage);

/// Makes the view visible on its own page, since only visible views request computations.
template <class View>
View* placed(View* view, const Scene& scene, const widgets::PictureOptions& options, QMainWindow& window,
             RenderedView& stage) {
    window.setCentralWidget(view);
    stage.view = view;
    follow(scene, options, *view, stage);
    return view;
}

// Each creates a view in `window` with its computations; its choices are added to `stage`.

widgets::FigureSource* makeHeatmap(const Scene& scene, const widgets::PictureOptions& options,
                                   QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeOverview(const Scene& scene, const widgets::PictureOptions& options,
                                    QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeContactSheet(const Scene& scene, const widgets::PictureOptions& options,
                                        QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeCompare(const Scene& scene, const widgets::PictureOptions& options,
                                   QMainWindow& window, RenderedView& stage);

widgets::FigureSource* makeHeadPage(const Scene& scene, const widgets::PictureOptions& options,
                                    QMainWindow& window, RenderedView& stage);

widgets::FigureSource* makeWhatIf(const Scene& scene, const widgets::PictureOptions& options,
                                  QMainWindow& window, RenderedView& stage);

/// Shows the importance of every head to what is tinted or sorted by it, as `choice` says. `show` is called
/// with the scores known so far, and again when there are more.
using ShowScores = std::function<void(const std::vector<analysis::HeadScore>&, const QString& caption)>;
void measureScores(const Scene& scene, const widgets::PictureOptions& options, const std::string& choice,
                   QMainWindow& window, RenderedView& stage, const ShowScores& show);
/// Wants the statistics of every head as long as `by` exists, and shows them when they are known.
using ShowStatistics = std::function<void(const std::vector<analysis::HeadStatistics>&)>;
void followStatistics(const Scene& scene, QObject* by, const ShowStatistics& show);

} // namespace headscope::app
