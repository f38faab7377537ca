#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::analysis {

/// Corpus chrF2 (Popovic 2015) as computed by sacrebleu: character n-grams of order 1 to 6 without white
/// space, recall weighted by beta = 2; the best reference of each sentence counts.
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
