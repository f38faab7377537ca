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

/// Logit lens (nostalgebraist 2020): the model's prediction if a step ended after one of its sublayers,
/// softmax(U norm(r) + b) with the model's own final norm if it has one. An encoder alone has an answer in
/// the place of a step, of Run::answers(), and its whole head in the place of U.
struct LensReading {
    std::vector<Candidate> candidates; ///< most probable first
    float chosenLogProbability = 0;    ///< of the token or class finally chosen
    std::int64_t chosenRank = 0;       ///< from 0
    float divergence = 0;              ///< KL(final distribution || this one), nats
    std::optional<float> lead;         ///< log p(chosen) - log p(contrast), if the lens has a contrast token
};

/// One summand of a logit: the contribution of a sublayer or, in attention, of a head.
struct LogitPart {
    enum class Kind { Bias, Embedding, Position, Head, AttentionBias, FeedForward } kind = Kind::Bias;
    std::optional<SublayerAddress> sublayer; ///< of a head, a feed-forward sublayer or an attention bias
    HeadIndex head;                          ///< for Kind::Head
    double value = 0;
};

/// Direct logit attribution (Elhage et al. 2021): a step's logit as a sum over everything that wrote into the
/// residual stream. Divisors of norms, and the gates f(z) / z of a head's activation, are kept fixed, so that
/// the parts sum to the logit.
struct LogitAttribution {
    Token token;
    std::optional<Token> contrast; ///< if set, the parts sum to logit(token) - logit(contrast)
    double logit = 0;              ///< as computed by the model; with a contrast, the difference
    /// In the order of the stream; of an encoder alone, those of the rows that the answer is read from.
    std::vector<LogitPart> parts;
};

/// Logit lens and logit attribution at each step of a run's path, or of each answer of an encoder.
struct Lens {
    Request request;
    std::vector<std::string> stages; ///< "embedding", then the addresses of the sublayers
    bool finalNorm = false;          ///< the model has a final norm, which is applied at every stage
    std::optional<Token> contrast;   ///< token that every chosen token is compared with
    /// A predicted number stands in the place of a log-probability; its divergence is the distance from the
    /// final one, and it has no rank.
    bool areNumbers = false;
    std::vector<std::vector<LensReading>> readings; ///< [answers][stages]
    std::vector<LogitAttribution> attributions;     ///< [answers]
    std::string whyNoAttribution;                   ///< readable text; empty if there are attributions
};

} // namespace headscope::trace
