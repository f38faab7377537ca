#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/intervention.h"
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
    /// [T] KL(original || head off), nats; of numbers, how far they move.
    std::vector<float> divergence;

    double total() const;
};

/// Head importance: every head is ablated in turn, by default switched off, while the original output is
/// forced on the decoder (Michel, Levy, Neubig 2019, section 3). For a classifier T is 1 and the token is the
/// chosen class. For a model that predicts masked tokens there is one token per mask, the most probable one;
/// otherwise as Run::answers() has them.
struct HeadImportance {
    static constexpr const char* inFiles = "importance"; ///< what traces and sessions call it

    Request request;
    Ablation ablation;               ///< how heads were removed
    std::vector<Token> tokens;       ///< [T] original output
    std::vector<float> original;     ///< [T] log-probabilities of `tokens`
    std::optional<Token> contrast;   ///< token that every output token is compared with
    bool areNumbers = false;         ///< predicted numbers stand in the place of log-probabilities
    std::vector<HeadEffect> effects; ///< sorted by address; only those known so far if not `complete`
    bool complete = false;

    const HeadEffect* effect(const HeadAddress& head) const; ///< null if not known
};

/// Removal curve: what is left of the original output, forced on the decoder, while heads are removed one
/// after the other (Michel, Levy, Neubig 2019, section 4.2). Ablations of single heads do not add up, as
/// later heads take over.
struct RemovalCurve {
    Request request;
    Ablation ablation;
    std::vector<HeadAddress> order;   ///< the first is removed first
    std::vector<std::size_t> removed; ///< [points] number of removed heads; only those known so far if not
                                      ///< `complete`
    std::vector<Token> tokens;        ///< [T] as in HeadImportance
    std::optional<Token> contrast;
    bool areNumbers = false; ///< as in HeadImportance
    /// [points][T] log p(token), with a contrast token log p(token) - log p(contrast), which is the
    /// difference of their logits.
    std::vector<std::vector<float>> values;
    bool complete = false;

    /// Returns [points]: the value of one token, or the sum over all of them.
    std::vector<double> of(std::optional<std::size_t> step) const;
};

} // namespace headscope::trace
