#pragma once

#include "tests/widgets/example_run.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

/// Encoders alone made up of the encoder of the example.
namespace headscope::example {

/// Predicts the tokens at two places, which are masked.
inline std::shared_ptr<trace::Run> masked() {
    auto made = std::make_shared<trace::Run>(*run());
    auto model = std::make_shared<trace::ModelSummary>(*made->model);
    model->name = "example-masked";
    model->decoderLayers = model->decoderHeads = 0;
    model->tokenPrediction = trace::TokenPrediction::Masked;
    model->maskPiece = "[MASK]";
    made->model = model;
    made->decoder.clear();
    made->cross.clear();
    made->path.clear();
    made->paths.clear();
    made->target.clear();
    made->next.clear();
    made->tree = {};
    made->output.clear();
    made->complete = true;
    std::string text;
    for (std::size_t i = 0; i < made->source.size(); ++i) {
        auto& token = made->source[i];
        if (isSpecial(token.role))
            continue;
        const bool isMasked = i == 2 || i == 5;
        std::string piece = isMasked ? "[MASK]" : token.piece;
        if (piece.starts_with(trace::spaceMark))
            piece.erase(0, trace::spaceMark.size());
        const bool isSpaced = !text.empty() && (isMasked || token.piece.starts_with(trace::spaceMark));
        text += isSpaced ? " " : "";
        token.range = trace::ByteRange{text.size(), text.size() + piece.size()};
        text += piece;
        if (isMasked)
            token.piece = "[MASK]";
    }
    made->request.source = text;
    for (const std::size_t position : {std::size_t(2), std::size_t(5)}) {
        auto& candidates = made->maskCandidates[position];
        for (int rank = 0; rank < 8; ++rank)
            candidates.push_back({.token = {.id = 100 + rank,
                                            .piece = std::string(rank == 1 ? "" : trace::spaceMark) +
                                                     "guess" + std::to_string(rank)},
                                  .logProbability = std::log(0.4F / static_cast<float>(1 + rank))});
    }
    return made;
}

/// Says of each token how probably it was replaced.
inline std::shared_ptr<trace::Run> replaced() {
    auto made = masked();
    auto model = std::make_shared<trace::ModelSummary>(*made->model);
    model->tokenPrediction = trace::TokenPrediction::Replaced;
    made->model = model;
    made->maskCandidates.clear();
    for (std::size_t i = 0; i < made->source.size(); ++i)
        made->replacedProbabilities.push_back(i == 4 ? 0.75F : 0.05F * static_cast<float>(i % 5));
    return made;
}

/// Marks an answer, which most probably starts at token 2 and ends at token 4.
inline std::shared_ptr<trace::Run> answered() {
    auto made = replaced();
    auto model = std::make_shared<trace::ModelSummary>(*made->model);
    model->tokenPrediction = trace::TokenPrediction::Span;
    made->model = model;
    made->replacedProbabilities.clear();
    const std::size_t tokens = made->source.size();
    std::vector<float> values;
    for (const std::size_t best : {2, 4})
        for (std::size_t i = 0; i < tokens; ++i)
            values.push_back(std::log(i == best ? 0.5F : 0.5F / static_cast<float>(tokens - 1)));
    made->spanLogProbabilities = trace::Matrix(2, tokens, std::move(values));
    return made;
}

} // namespace headscope::example
