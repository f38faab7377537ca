#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/decode_tree.h"
#include "model/trace/intervention.h"
#include "model/trace/request.h"
#include "model/trace/token.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope::trace {

/// What the decoder would say if a step ended after one of its sublayers: softmax(U norm(r) + b) with the
/// model's own final norm where it has one (nostalgebraist 2020, "logit lens").
struct LensReading {
    std::vector<Candidate> candidates; ///< most probable first
    float chosenLogProbability = 0;    ///< of the token that the step chose in the end
    std::int64_t chosenRank = 0;       ///< from 0
    float divergence = 0;              ///< KL(the model's own distribution || this one), nats
};

/// One summand of a logit. Its place is a sublayer; of attention, one head of it.
struct LogitPart {
    enum class Kind { Bias, Embedding, Position, Head, AttentionBias, FeedForward } kind = Kind::Bias;
    std::optional<SublayerAddress> sublayer; ///< of a head, a feed-forward or an attention's bias
    int head = -1;                           ///< of Kind::Head
    double value = 0;
};

/// A step's logit as a sum over what wrote into the residual stream (Elhage et al. 2021, direct logit
/// attribution): the final norm's divisor is kept as it was, so that the parts sum to the logit.
struct LogitAttribution {
    Token token;
    std::optional<Token> contrast; ///< the parts are of logit(token) - logit(contrast)
    double logit = 0;              ///< what the model computed: the difference, where there is a contrast
    std::vector<LogitPart>
        parts; ///< in the order of the stream; empty where the model's norms allow no split
};

/// What the decoder's layers hold at each step of a run's path.
struct Lens {
    Request request;
    std::vector<std::string> stages;                ///< "embedding", then the sublayers' addresses
    bool finalNorm = false;                         ///< the model has one, which every stage was read through
    std::vector<std::vector<LensReading>> readings; ///< [T][stages]
    std::vector<LogitAttribution> attributions;     ///< [T]
    std::string whyNoAttribution;                   ///< for people; empty where there is one
};

} // namespace headscope::trace
