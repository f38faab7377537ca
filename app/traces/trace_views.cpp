#include "app/traces/trace_views.h"

#include "widgets/view_spec.h"

namespace headscope::app {

std::vector<std::string> viewsOfTrace(const Trace& trace, const std::stop_token& stop) {
    const auto& analyses = trace.analyses;
    const widgets::KnownResults known{.lens = analyses.lens.get(),
                                      .importance = analyses.importance.get(),
                                      .classifier = analyses.classifier.get(),
                                      .maps = analyses.maps};
    std::vector<std::string> held;
    for (const auto& view : widgets::viewSpecs())
        if (!view.isHeld || view.isHeld(*trace.run, known, stop))
            held.emplace_back(view.key);
    return held;
}

} // namespace headscope::app
