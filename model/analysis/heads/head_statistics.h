#pragma once

#include "model/trace/run.h"

#include <optional>
#include <stop_token>

namespace headscope::analysis {

/// Returns the mean over rows of the largest weight on a text key (Voita et al. 2019, section 4,
/// "confidence"; special tokens are excluded). Padding rows and rows without an allowed key do not count; 0
/// if no row counts.
double confidence(const trace::AttentionRecord& record, std::size_t head,
                  const std::vector<trace::Token>& queries, const std::vector<trace::Token>& keys);

/// Mean entropy of a head's rows in bits.
struct HeadEntropy {
    double mean = 0;
    double largest = 0; ///< mean entropy of uniform attention over the same allowed keys
};
/// Padding rows and rows with fewer than two allowed keys do not count; zeros if no row counts.
HeadEntropy entropy(const trace::AttentionRecord& record, std::size_t head,
                    const std::vector<trace::Token>& queries);

/// The entropy of the same head in two runs of the same tokens.
struct EntropyComparison {
    trace::HeadAddress head;
    HeadEntropy first;
    HeadEntropy second;
};
/// Empty if one of the runs lacks the head.
std::optional<EntropyComparison> compareEntropy(const trace::Run& first, const trace::Run& second,
                                                const trace::HeadAddress& head);

/// Returns the head to show first: the cross-attention head with the largest confidence; without
/// cross-attention encoder.0.0, or decoder.0.0 if only decoder maps exist. Throws trace::Cancelled.
trace::HeadAddress bestAligningHead(const trace::Run& run, std::stop_token stop = {});

} // namespace headscope::analysis
