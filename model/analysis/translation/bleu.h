#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::analysis {

/// The 13a tokenisation of WMT's mteval-v13a script, as in sacrebleu (Post 2018): separates punctuation, but
/// not a full stop or comma between digits. `line` is UTF-8; the result has tokens separated by single
/// spaces.
std::string tokenize13a(std::string_view line);

/// Corpus BLEU (Papineni et al. 2002) as computed by sacrebleu: 13a tokens, n-grams up to 4, the reference of
/// the nearest length, and mteval's smoothing (the k-th order without a match counts as 1 / 2^k matches).
struct Bleu {
    double score = 0;                   ///< 0 to 100
    std::array<double, 4> precisions{}; ///< in per cent
    double brevityPenalty = 0;
    std::size_t hypothesisLength = 0; ///< tokens
    std::size_t referenceLength = 0;
};

/// Accumulates sentences. Their numbers of references may differ; each needs at least one.
class BleuScore {
  public:
    void add(std::string_view hypothesis, const std::vector<std::string>& references);
    Bleu result() const;

  private:
    std::array<std::size_t, 4> matches_{};
    std::array<std::size_t, 4> totals_{};
    std::size_t hypothesisLength_ = 0;
    std::size_t referenceLength_ = 0;
};

} // namespace headscope::analysis
