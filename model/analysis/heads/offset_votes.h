#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// Counts at which offset (key minus query) each row of a head has its largest weight (Voita et al. 2019,
/// section 5.1). For each offset it counts the rows whose largest weight is there and the rows that have such
/// a key at all: the first row has no previous token, which is no evidence against a head that attends to it.
class OffsetVotes {
  public:
    struct Best {
        int offset = 0;
        double share = 0; ///< of the rows that have a key at this offset
    };

    /// Adds a row whose keys have the offsets from `lowest` to `highest`. `chosen` is empty if the largest
    /// weight is not unique.
    void addRow(int lowest, int highest, std::optional<int> chosen);
    void add(const OffsetVotes& others);

    /// Returns the offset with the largest share among those that at least half of the rows have; empty if
    /// there are no rows.
    std::optional<Best> best() const;
    /// Share of one offset; empty if no row has it.
    std::optional<double> share(int offset) const;

  private:
    struct Votes {
        std::size_t chosen = 0;
        std::size_t possible = 0;

        std::optional<double> share() const {
            return possible == 0 ? std::nullopt
                                 : std::optional(static_cast<double>(chosen) / static_cast<double>(possible));
        }
    };
    void cover(int lowest, int highest);
    std::size_t indexOf(int offset) const { return static_cast<std::size_t>(offset - lowest_); }
    int offsetAt(std::size_t index) const { return lowest_ + static_cast<int>(index); }

    int lowest_ = 0;
    std::vector<Votes> votes_; ///< of consecutive offsets, from lowest_
    std::size_t rows_ = 0;
};

} // namespace headscope::analysis
