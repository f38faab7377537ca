#pragma once

#include "model/trace/run.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

/// Compares the maps of two runs, head by head.
namespace engines {

using namespace headscope;

inline constexpr float limit = 1e-5F;

inline float difference(std::span<const float> one, std::span<const float> other) {
    if (one.size() != other.size())
        return INFINITY;
    float largest = 0;
    for (std::size_t i = 0; i < one.size(); ++i)
        if (std::isnan(one[i]) != std::isnan(other[i]))
            return INFINITY;
        else if (one[i] != other[i] && !std::isnan(one[i]))
            largest = std::max(largest, std::abs(one[i] - other[i]));
    return largest;
}

inline std::vector<const trace::AttentionRecord*> recordsOf(const trace::Run& run) {
    std::vector<const trace::AttentionRecord*> all;
    for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
        for (const auto& record : *records)
            all.push_back(&record);
    return all;
}

inline std::string where(const trace::AttentionRecord& record, std::size_t head) {
    return toString(trace::HeadAddress{record.site, static_cast<int>(head)});
}

} // namespace engines
