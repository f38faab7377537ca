#pragma once

#include "model/trace/attention_record.h"
#include "model/trace/token.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headscope::analysis {

/// A row of a head's map that says something.
struct MapRow {
    std::size_t query = 0;
    std::span<const float> weights;     ///< [keys]
    std::span<const std::uint8_t> open; ///< [keys]
    std::size_t openKeys = 0;           ///< at least 1
};

/// Without rows of padding, rows without an open key and rows that are not numbers. `queries` are the tokens
/// that were fed to the rows. Looks at a record that somebody else keeps alive.
std::vector<MapRow> validRows(const trace::AttentionRecord& record, std::size_t head,
                              const std::vector<trace::Token>& queries);

} // namespace headscope::analysis
