#pragma once

#include "app/render/picture_views.h"
#include "app/results/result_parts.h"
#include "app/results/results.h"
#include "model/analysis/heads/head_ranking.h"
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
View* placed(View* view, const Scene& scene, const widgets::PictureOptions& options,
             QMainWindow& window, RenderedView& stage) {
    window.setCentralWidget(view);
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
widgets::FigureSource* makeInputs(const Scene& scene, const widgets::PictureOptions& options,
                                  QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeLogitLens(const Scene& scene, const widgets::PictureOptions& options,
                                     QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeAttribution(const Scene& scene, const widgets::PictureOptions& options,
                                       QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeImportance(const Scene& scene, const widgets::PictureOptions& options,
                                      QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeCompare(const Scene& scene, const widgets::PictureOptions& options,
                                   QMainWindow& window, RenderedView& stage);

widgets::FigureSource* makeSourceShare(const Scene& scene, const widgets::PictureOptions& options,
                                       QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeHeadTable(const Scene& scene, const widgets::PictureOptions& options,
                                     QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeHeadPage(const Scene& scene, const widgets::PictureOptions& options,
                                    QMainWindow& window, RenderedView& stage);

widgets::FigureSource* makeRandomTwin(const Scene& scene, const widgets::PictureOptions& options,
                                      QMainWindow& window, RenderedView& stage);

widgets::FigureSource* makeWhatIf(const Scene& scene, const widgets::PictureOptions& options,
                                  QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeReference(const Scene& scene, const widgets::PictureOptions& options,
                                     QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeBranches(const Scene& scene, const widgets::PictureOptions& options,
                                    QMainWindow& window, RenderedView& stage);

/// Measures importance for heads that are tinted or sorted by it, as `choice` says, without showing it.
/// `show` is called with the scores known so far, and again when there are more.
using ShowScores = std::function<void(const std::vector<analysis::HeadScore>&, const QString& caption)>;
void measureScores(const Scene& scene, const widgets::PictureOptions& options,
                   const std::string& choice, QMainWindow& window, RenderedView& stage,
                   const ShowScores& show);
/// Switches the random twin on, with the chosen seed.
void switchTwinOn(const Scene& scene, const widgets::PictureOptions& options);
/// The same for a `choice` that shows a result of the twin; `isThere` tells whether it exists, `whyNot` why
/// it was refused.
void chooseTwin(const Scene& scene, const widgets::PictureOptions& options, const std::string& choice,
                std::function<bool()> isThere, std::function<std::optional<trace::RefusalText>()> whyNot,
                RenderedView& stage);

} // namespace headscope::app
