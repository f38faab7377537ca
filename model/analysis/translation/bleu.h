#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::analysis {

/// The 13a tokenisation of WMT's mteval-v13a script, as sacrebleu does it (Post 2018): punctuation apart, a
/// full stop or a comma between digits not. UTF-8 in, tokens separated by single spaces out.
std::string tokenize13a(std::string_view line);

/// Corpus BLEU (Papineni et al. 2002) as sacrebleu computes it: 13a, four orders, the reference nearest in
/// length, an order without any match counted as 1 / 2^k of one (mteval's smoothing). 0 to 100.
struct Bleu {
    double score = 0;
    std::array<double, 4> precisions{}; ///< in per cent
    double brevityPenalty = 0;
    std::size_t hypothesisLength = 0; ///< tokens
    std::size_t referenceLength = 0;
};

/// Collects sentences. Each may have references of its own number, at least one.
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
