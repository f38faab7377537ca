#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::analysis {

/// Corpus chrF2 (Popovic 2015) as sacrebleu computes it: runs of 1 to 6 characters without white space,
/// recall counted twice; of several references the best one of each sentence.
class ChrfScore {
  public:
    void add(std::string_view hypothesis, const std::vector<std::string>& references);
    /// 0 to 100.
    double result() const;

    struct Counts {
        std::size_t hypothesis = 0;
        std::size_t reference = 0;
        std::size_t matches = 0;
    };

  private:
    std::array<Counts, 6> counts_{};
};

} // namespace headscope::analysis
