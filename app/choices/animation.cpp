#include "app/choices/animation.h"

namespace headscope::app {

widgets::StaticReason staticReason(const widgets::PictureOptions& options) {
    const auto* view = widgets::viewSpec(options.view);
    return view && view->staticReason ? view->staticReason(options) : widgets::StaticReason::None;
}

StaticReasonWords inWords(widgets::StaticReason why) {
    switch (why) {
    case widgets::StaticReason::ComparesWithStep:
        return {.why = "At the step that the others are compared with there is nothing to compare",
                .inWindow = "compare with something else than a step",
                .onCommandLine = "another --choose with=..."};
    case widgets::StaticReason::OfWhole:
        return {.why = "It shows the sentence as a whole, the same at every step",
                .inWindow = "animate a view that follows the steps, such as the heatmap",
                .onCommandLine = "a view that follows the steps, such as heatmap"};
    case widgets::StaticReason::OfWholeOutput:
        return {.why = "Head importance for the whole sentence is the same at every step",
                .inWindow = "choose \u201Cthis step\u201D above the list",
                .onCommandLine = "--choose of=step"};
    case widgets::StaticReason::OfWholePage:
        return {.why = "It shows scores of the whole sentence, the same at every step",
                .inWindow = "choose the page Temperature, of one head",
                .onCommandLine = "--page temperature of one head"};
    case widgets::StaticReason::OfEncoder:
        return {.why = "The encoder reads the sentence as a whole, the same at every step",
                .inWindow = "choose a head of the decoder or of cross-attention",
                .onCommandLine = "another head, such as --head cross.0.0"};
    case widgets::StaticReason::OfPinnedRow:
        return {.why = "The row is pinned, the same at every step",
                .inWindow = "unpin it, and the row is that of the step",
                .onCommandLine = "neither --cell nor --query, so that the row is that of the step"};
    case widgets::StaticReason::None:
        break;
    }
    return {};
}

} // namespace headscope::app
