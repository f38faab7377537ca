#pragma once

#include "model/trace/run.h"

#include <optional>
#include <stop_token>

namespace headscope::analysis {

/// Mean over the rows of a head's map of the largest weight on a key that is text (Voita et al. 2019, section
/// 4, "confidence"; special tokens are left out). Rows of padding and rows without an open key do not count;
/// 0 where nothing counts.
double confidence(const trace::AttentionRecord& record, std::size_t head,
                  const std::vector<trace::Token>& queries, const std::vector<trace::Token>& keys);

/// Mean entropy of a head's rows, and what it would be if every row were spread evenly over its open keys.
/// Bits.
struct HeadEntropy {
    double mean = 0;
    double largest = 0;
};
/// Rows of padding do not count, nor do rows where nothing can be chosen because fewer than two keys are
/// open; zeros where nothing counts.
HeadEntropy entropy(const trace::AttentionRecord& record, std::size_t head,
                    const std::vector<trace::Token>& queries);

/// The same head in two runs of the same tokens; nothing where one of them does not have it.
struct EntropyComparison {
    trace::HeadAddress head;
    HeadEntropy first;
    HeadEntropy second;
};
std::optional<EntropyComparison> compareEntropy(const trace::Run& first, const trace::Run& second,
                                                const trace::HeadAddress& head);

/// The head to look at first: the cross-attention head of largest confidence, else encoder.0.0. Throws
/// trace::Cancelled.
trace::HeadAddress bestAligningHead(const trace::Run& run, std::stop_token stop = {});

} // namespace headscope::analysis
