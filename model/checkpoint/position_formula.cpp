#include "model/checkpoint/position_formula.h"

#include "model/network/positional_encoding.h"

#include <ATen/ATen.h>

namespace headscope::checkpoint {

std::optional<network::PositionScheme> positionFormula(const network::Transformer& network, double base) {
    constexpr double sameSines = 1e-6;
    auto config = network.config();
    if (config.positions != network::PositionScheme::Table ||
        config.sourceVocabulary == 0) // no encoder, or one on vectors
        return std::nullopt;
    config.positionBase = base;
    for (const auto scheme :
         {network::PositionScheme::SinusoidInterleaved, network::PositionScheme::SinusoidHalves,
          network::PositionScheme::SinusoidHalvesInclusive}) {
        config.positions = scheme;
        const auto table = network::sinusoidTable(config, config.modelWidth);
        const auto fits = [&](const network::TokenEmbedding& embedding) {
            const auto& stored =
                embedding.positionTable(); // as wide as the embedding, which may be projected
            return stored.sizes() == table.sizes() &&
                   (stored - table).abs().max().item<double>() <= sameSines;
        };
        if (fits(network.sourceEmbedding()) &&
            (network.config().decoder.layers == 0 || fits(network.targetEmbedding())))
            return scheme;
    }
    return std::nullopt;
}

} // namespace headscope::checkpoint
