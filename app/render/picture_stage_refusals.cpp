// Why there is no picture, and the way to one.
#include "app/render/picture_stage.h"

#include "app/render/picture_views.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

using Slot = RunQueue::Slot;

const char* const openTheModel = "open the model that it was recorded from";

/// That words say how to record what a trace lacks.
bool sayHowToRecord(const std::string& words) {
    return words.find("headscope-cli trace ") != std::string::npos;
}

std::string wayOutOf(const trace::RefusalText& refusal) {
    return sayHowToRecord(refusal.wayOut) ? refusal.wayOut + "; or " + openTheModel : refusal.wayOut;
}

} // namespace

void PictureStage::takeRefusal(Slot slot, const trace::RefusalText& text) {
    if (slot == Slot::Model || slot == Slot::Main)
        refusal_ = text;
    else
        refusalsOfView_.emplace_back(slot, text);
}

/// That a trace could hold it before that only a model has something else.
const trace::RefusalText* PictureStage::refusalOfView() const {
    if (refusalsOfView_.empty())
        return nullptr;
    const auto found = std::ranges::find_if(
        refusalsOfView_, [](const auto& refusal) { return sayHowToRecord(refusal.second.wayOut); });
    return &(found == refusalsOfView_.end() ? refusalsOfView_.back() : *found).second;
}

/// Drawn without it, the picture would be of something else.
void PictureStage::refuseUnlessHeld(const PictureOnStage& view) const {
    if (!model_->recorded || !view.canBeOfModel)
        return;
    for (const auto& [option, slot, isThere] : view.computed) {
        if (isThere())
            continue;
        trace::RefusalText text{
            .what = "This trace does not hold what was chosen", .where = option, .wayOut = openTheModel};
        const auto refusal =
            std::ranges::find(refusalsOfView_, slot, [](const auto& each) { return each.first; });
        if (refusal != refusalsOfView_.end()) {
            text.found = refusal->second.what;
            text.wayOut = wayOutOf(refusal->second);
        }
        text.wayOut += "; or leave " + option + " out";
        throw trace::Refusal(std::move(text));
    }
}

void PictureStage::refuseEmpty(const PictureOnStage& view) const {
    trace::RefusalText text{.what = "This view has nothing to show",
                            .where = "--view " + work_.options.view,
                            .expected = view.needs,
                            .found = view.why ? view.why().toStdString() : std::string(),
                            .wayOut = "choose another view, or another model, input or way to decode"};
    if (model_->recorded && view.canBeOfModel)
        refuseOfTrace(std::move(text), view);
    if (view.wayOut)
        text.wayOut = view.wayOut().toStdString();
    throw trace::Refusal(std::move(text));
}

/// For what it lacks, and not for how the model is built.
void PictureStage::refuseOfTrace(trace::RefusalText text, const PictureOnStage& view) const {
    const auto* refusal = refusalOfView();
    text.expected.clear();
    if (refusal)
        text.found = refusal->what;
    else if (text.found.empty())
        text.found = "a trace that does not hold this";
    if (refusal && sayHowToRecord(refusal->wayOut))
        text.wayOut = wayOutOf(*refusal);
    else if (*view.ofTrace)
        text.wayOut = view.ofTrace;
    else if (refusal)
        text.wayOut = refusal->wayOut;
    else if (view.wayOut)
        text.wayOut = view.wayOut().toStdString();
    else
        text.wayOut =
            sayHowToRecord(text.found) ? std::string("record it as said, or ") + openTheModel : openTheModel;
    throw trace::Refusal(std::move(text));
}

} // namespace headscope::app
