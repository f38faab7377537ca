#pragma once

#include "model/analysis/heads/statistics_of_heads.h"
#include "model/analysis/maps/map_rows.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// A mean of what was added.
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

/// One head's map as statistics read it. Looks at values that somebody else keeps alive.
struct Map {
    const std::vector<MapRow>& rows;
    const std::vector<trace::Token>& queries;
    const std::vector<trace::Token>& keys;
    std::size_t textKeys = 0; ///< keys that are no padding; padding stands at the end
};

/// Distance, offset, same token, diagonal and neighbours, and what each row votes for: of self-attention.
void addSelfStatistics(const Map& map, HeadStatistics& statistics);

/// Expected positions, monotony and the scaled diagonal: of cross-attention.
void addCrossStatistics(const Map& map, HeadStatistics& statistics);

} // namespace headscope::analysis
