#include "model/trace/recorded_runs.h"

#include "model/trace/request.h"

#include <algorithm>

namespace headscope::trace {

bool holdsOriginal(const ModelSummary& model) {
    return std::ranges::any_of(model.recordedBeside, [&](const auto& beside) {
        return beside->randomTwin == model.recorded->randomTwin && beside->interventions.empty() &&
               !model.recorded->interventions.empty();
    });
}

std::optional<std::uint64_t> recordedTwin(const ModelSummary& model) {
    for (const auto& beside : model.recordedBeside)
        if (beside->randomTwin != model.recorded->randomTwin)
            return beside->randomTwin;
    return std::nullopt;
}

} // namespace headscope::trace
