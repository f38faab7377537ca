#pragma once

#include "model/trace/attention_record.h"
#include "model/trace/token.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headscope::analysis {

/// A valid row of a head's map.
struct MapRow {
    std::size_t query = 0;
    std::span<const float> weights;     ///< [keys]
    std::span<const std::uint8_t> open; ///< [keys]
    std::size_t allowedKeys = 0;        ///< at least 1
};

/// Returns the rows of a head except padding rows, rows without an allowed key and rows with NaN. `queries`
/// are the input tokens of the rows. The result refers to `record`, which must outlive it.
std::vector<MapRow> validRows(const trace::AttentionRecord& record, std::size_t head,
                              const std::vector<trace::Token>& queries);

} // namespace headscope::analysis
