#pragma once

#include "app/choices/picture_options.h"
#include "app/document/document.h"
#include "widgets/controls/view_choices.h"
#include "widgets/view.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headscope::app {

class Results;

/// A view of the shown run, with its computations.
struct RenderedView {
    std::unique_ptr<QWidget> window; ///< parent of everything
    widgets::View* view = nullptr;
    const char* needs = "";   ///< requirements of the view, if it is empty
    bool canBeOfModel = true; ///< the view supports the architecture of the model
    const char* ofTrace = ""; ///< what to do if a trace lacks the data; empty: open the model
    widgets::ViewChoices choices;
    widgets::Choices wanted;

    /// Called again after computing, because some choices are available only then.
    void choose() const { choices.apply(wanted); }
};

/// Creates the view as in the window. Its computations may still be running. `document` and `results` must
/// outlive the view.
std::unique_ptr<RenderedView> renderedView(Document* document, Results* results,
                                           const widgets::PictureOptions& options);

} // namespace headscope::app
