#pragma once

#include "model/trace/run.h"

#include <string>
#include <vector>

/// The maps of a run, head by head.
namespace engines {

using namespace headscope;

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
