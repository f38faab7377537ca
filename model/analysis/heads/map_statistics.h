#pragma once

#include "model/analysis/heads/statistics_of_heads.h"
#include "model/analysis/maps/map_rows.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

class Mean {
  public:
    void add(double value) {
        sum_ += value;
        ++count_;
    }
    std::optional<double> value() const {
        return count_ == 0 ? std::nullopt : std::optional(sum_ / static_cast<double>(count_));
    }

  private:
    double sum_ = 0;
    std::size_t count_ = 0;
};

/// A view of one head's map for the statistics. The referenced data must outlive it.
struct Map {
    const std::vector<MapRow>& rows;
    const std::vector<trace::Token>& queries;
    const std::vector<trace::Token>& keys;
    std::size_t textKeys = 0; ///< number of keys before the padding, which comes last
};

/// Adds the statistics of self-attention: distance, offset, same token, repetitions, diagonal, neighbours,
/// offset votes.
void addSelfStatistics(const Map& map, HeadStatistics& statistics);

/// Adds the statistics of cross-attention: expected positions, monotony, scaled diagonal.
void addCrossStatistics(const Map& map, HeadStatistics& statistics);

} // namespace headscope::analysis
