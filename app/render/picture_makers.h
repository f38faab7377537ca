#pragma once

#include "app/render/picture_views.h"
#include "model/analysis/heads/head_ranking.h"
#include "widgets/view.h"

#include <QMainWindow>

#include <functional>
#include <string>
#include <vector>

namespace headscope::app {

/// The view follows what is shown, as it does in the window, and what it wants computed is done.
void follow(const PictureScene& scene, const widgets::PictureOptions& options, widgets::View& view,
            PictureOnStage& stage);

/// A view on a page of its own, so that what is in sight is asked for.
template <class View>
View* placed(View* view, const PictureScene& scene, const widgets::PictureOptions& options,
             QMainWindow& window, PictureOnStage& stage) {
    window.setCentralWidget(view);
    follow(scene, options, *view, stage);
    return view;
}

// Views with what computes for them, in `window`; what can be chosen in them goes into `stage`.

widgets::FigureSource* makeHeatmap(const PictureScene& scene, const widgets::PictureOptions& options,
                                   QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeOverview(const PictureScene& scene, const widgets::PictureOptions& options,
                                    QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeContactSheet(const PictureScene& scene, const widgets::PictureOptions& options,
                                        QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeInputs(const PictureScene& scene, const widgets::PictureOptions& options,
                                  QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeLogitLens(const PictureScene& scene, const widgets::PictureOptions& options,
                                     QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeAttribution(const PictureScene& scene, const widgets::PictureOptions& options,
                                       QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeImportance(const PictureScene& scene, const widgets::PictureOptions& options,
                                      QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeCompare(const PictureScene& scene, const widgets::PictureOptions& options,
                                   QMainWindow& window, PictureOnStage& stage);

widgets::FigureSource* makeSourceShare(const PictureScene& scene, const widgets::PictureOptions& options,
                                       QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeHeadTable(const PictureScene& scene, const widgets::PictureOptions& options,
                                     QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeHeadPage(const PictureScene& scene, const widgets::PictureOptions& options,
                                    QMainWindow& window, PictureOnStage& stage);

widgets::FigureSource* makeRandomTwin(const PictureScene& scene, const widgets::PictureOptions& options,
                                      QMainWindow& window, PictureOnStage& stage);

widgets::FigureSource* makeWhatIf(const PictureScene& scene, const widgets::PictureOptions& options,
                                  QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeReference(const PictureScene& scene, const widgets::PictureOptions& options,
                                     QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeBranches(const PictureScene& scene, const widgets::PictureOptions& options,
                                    QMainWindow& window, PictureOnStage& stage);

/// What heads are tinted and ordered by where that is importance, as `choice` says: measured for it, and not
/// seen itself. `show` is called with what is known, and again where that is more.
using ShowScores = std::function<void(const std::vector<analysis::HeadScore>&, const QString& caption)>;
void measureScores(const PictureScene& scene, const widgets::PictureOptions& options,
                   const std::string& choice, QMainWindow& window, PictureOnStage& stage,
                   const ShowScores& show);
/// The random twin that is chosen, beside the model.
void switchTwinOn(const PictureScene& scene, const widgets::PictureOptions& options);
/// The same where `choice` shows what `slot` computes of it, which `isThere` then.
void chooseTwin(const PictureScene& scene, const widgets::PictureOptions& options, const std::string& choice,
                RunQueue::Slot slot, std::function<bool()> isThere, PictureOnStage& stage);

} // namespace headscope::app
