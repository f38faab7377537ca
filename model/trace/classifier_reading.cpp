#include "model/trace/classifier_reading.h"

#include <algorithm>
#include <variant>

namespace headscope::trace {

bool namesPlaces(const std::vector<Intervention>& interventions) {
    return std::ranges::any_of(effective(interventions), [](const Change& change) {
        const auto* replaced = std::get_if<ReplaceHead>(&change);
        return std::holds_alternative<BlockCell>(change) || std::holds_alternative<ForceRow>(change) ||
               (replaced && replaced->sentence);
    });
}

} // namespace headscope::trace
