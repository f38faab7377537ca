#pragma once

#include "app/pictures/picture_views.h"

#include <QMainWindow>

namespace headscope::app {

/// A view on a page of its own, so that what is in sight is asked for.
template <class View>
View* placed(View* view, QMainWindow& window) {
    window.setCentralWidget(view);
    return view;
}

// Views with what computes for them, in `window`; what can be chosen in them goes into `stage`.

widgets::FigureSource* makeHeatmap(const PictureScene& scene, const PictureOptions& options,
                                   QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeOverview(const PictureScene& scene, const PictureOptions& options,
                                    QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeContactSheet(const PictureScene& scene, const PictureOptions& options,
                                        QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeLogitLens(const PictureScene& scene, const PictureOptions& options,
                                     QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeAttribution(const PictureScene& scene, const PictureOptions& options,
                                       QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeImportance(const PictureScene& scene, const PictureOptions& options,
                                      QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeCandidates(const PictureScene& scene, const PictureOptions& options,
                                      QMainWindow& window, PictureOnStage& stage);
widgets::FigureSource* makeCompare(const PictureScene& scene, const PictureOptions& options,
                                   QMainWindow& window, PictureOnStage& stage);

} // namespace headscope::app
