#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/request.h"
#include "model/trace/token.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope::trace {

/// What one head is worth to each step of the undisturbed output.
struct HeadEffect {
    HeadAddress head;
    /// [T] log p(token) - log p(token | head off); above 0: the head helped. With a contrast it is the same
    /// of log p(token) - log p(contrast), which is the difference of their logits.
    std::vector<float> importance;
    /// [T] KL(undisturbed || head off), nats.
    std::vector<float> divergence;

    double total() const;
};

/// Every head taken away in turn, with the undisturbed output forced on the decoder (Michel, Levy, Neubig
/// 2019, section 3). Of a classifier T is 1, and the token the class it chose.
struct HeadImportance {
    Request request;
    std::vector<Token> tokens;       ///< [T] the undisturbed output
    std::vector<float> undisturbed;  ///< [T] its log-probabilities
    std::optional<Token> contrast;   ///< what every token is held against
    std::vector<HeadEffect> effects; ///< by address; while it is measured, those that are known
    bool complete = false;

    const HeadEffect* effect(const HeadAddress& head) const; ///< null where it is not known
};

} // namespace headscope::trace
