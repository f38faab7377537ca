#include "model/analysis/output/attribution_groups.h"

#include <algorithm>
#include <cmath>

namespace headscope::analysis {

std::vector<AttributionGroup> attributionGroups(const trace::LogitAttribution& attribution) {
    std::vector<AttributionGroup> groups;
    for (const auto& part : attribution.parts) {
        const bool goesOn =
            part.sublayer && !groups.empty() && groups.back().parts.front().sublayer == part.sublayer;
        if (!goesOn)
            groups.emplace_back();
        groups.back().parts.push_back(part);
        groups.back().sum += part.value;
    }
    return groups;
}

double sumOfParts(const trace::LogitAttribution& attribution) {
    double sum = 0;
    for (const auto& part : attribution.parts)
        sum += part.value;
    return sum;
}

bool partsSumToLogit(const trace::LogitAttribution& attribution) {
    constexpr double tolerance = 1e-4;
    return std::abs(sumOfParts(attribution) - attribution.logit) <=
           tolerance * std::max(1.0, std::abs(attribution.logit));
}

} // namespace headscope::analysis
