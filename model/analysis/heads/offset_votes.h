#pragma once

#include <cstddef>
#include <map>
#include <optional>

namespace headscope::analysis {

/// At which distance from itself a head looks most, row by row (Voita et al. 2019, section 5.1). Of each
/// offset, key minus query, the rows whose largest weight lies there and the rows that have such a key at
/// all: the first row has none before it, and that is no evidence against a head that looks back.
class OffsetVotes {
  public:
    struct Best {
        int offset = 0;
        double share = 0; ///< of the rows that have it
    };

    /// A row that could choose among the offsets from `lowest` to `highest`; nothing chosen where weights are
    /// equal.
    void addRow(int lowest, int highest, std::optional<int> chosen);
    void add(const OffsetVotes& others);

    /// The offset of largest share among those that at least half of the rows have; nothing without rows.
    std::optional<Best> best() const;
    /// Of one offset; 0 where no row has it.
    double share(int offset) const;
    std::size_t rows() const { return rows_; }

  private:
    struct Votes {
        std::size_t chosen = 0;
        std::size_t possible = 0;
    };
    std::map<int, Votes> votes_;
    std::size_t rows_ = 0;
};

} // namespace headscope::analysis
