#pragma once

#include "app/choices/picture_options.h"
#include "app/document/document.h"
#include "widgets/controls/view_choices.h"
#include "widgets/figure_source.h"
#include "widgets/view.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headscope::app {

class Results;

/// What pictures are drawn of; outlives the views.
struct Scene {
    Document* document = nullptr;
    Results* results = nullptr;
};

/// A view of the shown run, with its computations.
struct RenderedView {
    std::unique_ptr<QWidget> window; ///< parent of everything
    widgets::FigureSource* figure = nullptr;
    widgets::View* view = nullptr;   ///< that the figure is; null where it is none
    const char* needs = "";          ///< what the view requires to show something
    bool canBeOfModel = true;        ///< a model built like this can be shown in the view
    const char* ofTrace = "";        ///< what to do if a trace lacks the data; empty: open the model
    std::function<QString()> why;    ///< why the view is empty, in its own words; may be empty
    std::function<QString()> wayOut; ///< what to do, if that depends on what is missing; may be empty
    widgets::ViewChoices choices;
    widgets::Choices wanted;

    /// Called again after computing, as some choices are offered only then.
    void choose() const { choices.apply(wanted); }
};

/// Creates the view as in the window. Its computations may still be running.
std::unique_ptr<RenderedView> sceneView(const Scene& scene, const widgets::PictureOptions& options);

} // namespace headscope::app
