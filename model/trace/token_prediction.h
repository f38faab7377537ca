#pragma once

#include <string_view>

namespace headscope::trace {

/// What an encoder alone predicts at each of its tokens.
enum class TokenPrediction {
    None,
    Masked,   ///< the token itself, which may be masked: log-probabilities of the whole vocabulary
    Replaced, ///< whether another model put the token there: a probability
    Labels,   ///< its label, such as the kind of name that it is part of: log-probabilities of all labels
    Span,     ///< whether an answer starts and ends there: log-probabilities over the tokens
};

inline std::string_view name(TokenPrediction prediction) {
    switch (prediction) {
    case TokenPrediction::None:
        return "none";
    case TokenPrediction::Masked:
        return "masked";
    case TokenPrediction::Replaced:
        return "replaced";
    case TokenPrediction::Labels:
        return "labels";
    case TokenPrediction::Span:
        return "span";
    }
    return {};
}

} // namespace headscope::trace
