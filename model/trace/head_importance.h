#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/request.h"
#include "model/trace/token.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope::trace {

/// Effect of ablating one head on each step of the original output.
struct HeadEffect {
    HeadAddress head;
    /// [T] log p(token) - log p(token | head off); above 0 the head helped. With a contrast token, the same
    /// for log p(token) - log p(contrast), which is the difference of their logits.
    std::vector<float> importance;
    /// [T] KL(original || head off), nats.
    std::vector<float> divergence;

    double total() const;
};

/// Head importance: every head is ablated in turn while the original output is forced on the decoder (Michel,
/// Levy, Neubig 2019, section 3). For a classifier T is 1 and the token is the chosen class. For a model that
/// predicts masked tokens there is one token per mask, the most probable one.
struct HeadImportance {
    static constexpr const char* inFiles = "importance"; ///< what traces and sessions call it

    Request request;
    std::vector<Token> tokens;       ///< [T] original output
    std::vector<float> original;     ///< [T] log-probabilities of `tokens`
    std::optional<Token> contrast;   ///< token that every output token is compared with
    std::vector<HeadEffect> effects; ///< sorted by address; only those known so far if not `complete`
    bool complete = false;

    const HeadEffect* effect(const HeadAddress& head) const; ///< null if not known
};

} // namespace headscope::trace
