#pragma once

#include <string_view>

namespace headscope::trace {

/// What an encoder alone predicts at each of its tokens.
enum class TokenPrediction {
    None,
    Masked,   ///< the token itself, which may be masked: log-probabilities of the whole vocabulary
    Replaced, ///< whether another model put the token there: a probability
};

inline std::string_view name(TokenPrediction prediction) {
    switch (prediction) {
    case TokenPrediction::None:
        return "none";
    case TokenPrediction::Masked:
        return "masked";
    case TokenPrediction::Replaced:
        return "replaced";
    }
    return {};
}

} // namespace headscope::trace
