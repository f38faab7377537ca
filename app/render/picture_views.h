#pragma once

#include "app/choices/picture_options.h"
#include "app/results/run_queue.h"
#include "widgets/controls/view_choices.h"
#include "widgets/figure_source.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headscope::widgets {
class Selection;
}

namespace headscope::app {

class Analyses;
class DecodeController;
class Errands;
class RandomTwin;
class WhatIf;

/// What views are made from; all of it outlives them.
struct ViewContext {
    RunQueue* queue = nullptr;
    DecodeController* controller = nullptr;
    Analyses* analyses = nullptr;
    WhatIf* whatIf = nullptr;
    RandomTwin* twin = nullptr;
    widgets::Selection* selection = nullptr;
    Errands* errands = nullptr;
};

/// What is computed besides where it is chosen, which not every trace holds.
struct ComputedChoice {
    std::string option; ///< that chose it
    RunQueue::Slot slot;
    std::function<bool()> isThere;
};

/// A view of the shown run, with what computes for it.
struct RenderedView {
    std::unique_ptr<QWidget> window; ///< everything lies in it
    widgets::FigureSource* figure = nullptr;
    const char* needs = "";               ///< what there has to be for it to show something
    bool canBeOfModel = true;             ///< of one that is built like this
    const char* ofTrace = "";             ///< the way out where a trace lacks it; empty: to open the model
    std::function<QString()> why;         ///< it shows nothing, in its own words; may be empty
    std::function<QString()> wayOut;      ///< where it depends on what is lacking; may be empty
    std::vector<ComputedChoice> computed; ///< where a trace lacks one, there is no picture
    bool isMadeAnew = false; ///< for every frame of a film, as it was then; others follow the step
    widgets::ViewChoices choices;
    widgets::Choices wanted;

    /// Once more when what was computed is there: some of it offers what is chosen.
    void choose() const { choices.apply(wanted); }
};

/// The same views that the window has, connected as there. What is still to be computed is on its way.
std::unique_ptr<RenderedView> sceneView(const ViewContext& scene, const widgets::PictureOptions& options);

} // namespace headscope::app
