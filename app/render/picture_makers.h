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
void follow(const ViewContext& scene, const widgets::PictureOptions& options, widgets::View& view,
            RenderedView& stage);

/// A view on a page of its own, so that what is in sight is asked for.
template <class View>
View* placed(View* view, const ViewContext& scene, const widgets::PictureOptions& options,
             QMainWindow& window, RenderedView& stage) {
    window.setCentralWidget(view);
    follow(scene, options, *view, stage);
    return view;
}

// Views with what computes for them, in `window`; what can be chosen in them goes into `stage`.

widgets::FigureSource* makeHeatmap(const ViewContext& scene, const widgets::PictureOptions& options,
                                   QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeOverview(const ViewContext& scene, const widgets::PictureOptions& options,
                                    QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeContactSheet(const ViewContext& scene, const widgets::PictureOptions& options,
                                        QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeInputs(const ViewContext& scene, const widgets::PictureOptions& options,
                                  QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeLogitLens(const ViewContext& scene, const widgets::PictureOptions& options,
                                     QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeAttribution(const ViewContext& scene, const widgets::PictureOptions& options,
                                       QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeImportance(const ViewContext& scene, const widgets::PictureOptions& options,
                                      QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeCompare(const ViewContext& scene, const widgets::PictureOptions& options,
                                   QMainWindow& window, RenderedView& stage);

widgets::FigureSource* makeSourceShare(const ViewContext& scene, const widgets::PictureOptions& options,
                                       QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeHeadTable(const ViewContext& scene, const widgets::PictureOptions& options,
                                     QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeHeadPage(const ViewContext& scene, const widgets::PictureOptions& options,
                                    QMainWindow& window, RenderedView& stage);

widgets::FigureSource* makeRandomTwin(const ViewContext& scene, const widgets::PictureOptions& options,
                                      QMainWindow& window, RenderedView& stage);

widgets::FigureSource* makeWhatIf(const ViewContext& scene, const widgets::PictureOptions& options,
                                  QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeReference(const ViewContext& scene, const widgets::PictureOptions& options,
                                     QMainWindow& window, RenderedView& stage);
widgets::FigureSource* makeBranches(const ViewContext& scene, const widgets::PictureOptions& options,
                                    QMainWindow& window, RenderedView& stage);

/// What heads are tinted and ordered by where that is importance, as `choice` says: measured for it, and not
/// seen itself. `show` is called with what is known, and again where that is more.
using ShowScores = std::function<void(const std::vector<analysis::HeadScore>&, const QString& caption)>;
void measureScores(const ViewContext& scene, const widgets::PictureOptions& options,
                   const std::string& choice, QMainWindow& window, RenderedView& stage,
                   const ShowScores& show);
/// The random twin that is chosen, beside the model.
void switchTwinOn(const ViewContext& scene, const widgets::PictureOptions& options);
/// The same where `choice` shows what `slot` computes of it, which `isThere` then.
void chooseTwin(const ViewContext& scene, const widgets::PictureOptions& options, const std::string& choice,
                RunQueue::Slot slot, std::function<bool()> isThere, RenderedView& stage);

} // namespace headscope::app
