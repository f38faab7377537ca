#include "model/training/training_network.h"

#include "model/network/positional_encoding.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>

namespace headscope::training {

namespace {

LinearWeights linearOf(const FlatParameters& parameters, const std::string& role) {
    return {.weight = parameters.at(role + ".weight"), .bias = parameters.at(role + ".bias")};
}

bool stacksDiffer(const network::NetworkConfig& config) {
    const auto kind = [](const network::StackConfig& stack) {
        return std::tuple(stack.width, stack.normScheme, stack.normEpsilon, stack.embeddingNorm,
                          stack.embeddingNormEpsilon, stack.activation);
    };
    return kind(config.encoder) != kind(config.decoder) || config.tiedStacks || config.decoderRows;
}

/// Returns what the trainer lacks; empty if it can train the network.
std::string notTrained(const network::NetworkConfig& config) {
    if (config.encoder.layers == 0)
        return "a decoder alone";
    if (network::isInAttention(config.positions) || config.relativeBias)
        return config.relativeBias ? "a bias by distance"
                                   : "positions " + std::string(network::name(config.positions));
    if (config.encoder.normScheme == network::NormScheme::Parallel ||
        config.encoder.normScheme == network::NormScheme::Sandwich)
        return "norm " + std::string(network::name(config.encoder.normScheme));
    if (config.decoder.layers > 0 && stacksDiffer(config))
        return "a decoder of another kind than the encoder";
    if (config.queryKeyNorm != network::QueryKeyNorm::None)
        return "norms of queries and keys";
    if (config.normUnitOffset)
        return "gains that are stored as their difference from 1";
    if (config.scoreCap > 0 || config.logitCap > 0)
        return "capped scores or logits";
    if (config.outputScale != 1 || config.residualScale != 1)
        return "a scaled decoder output or residual stream";
    if (config.encoder.experts.count > 0 || config.decoder.experts.count > 0)
        return "a mixture of experts";
    if (config.feedForwardGate)
        return "a gated feed-forward network";
    if (config.sharedLayers)
        return "layers that share their weights";
    if (config.segments > 0 || config.decoderSegments > 0 || config.embeddingWidth > 0)
        return "embeddings with segments or a projection";
    if (config.head.hidden || config.tokenPrediction != trace::TokenPrediction::None ||
        config.classifierInput != network::ClassifierInput::Maximum ||
        config.classifierOutput != trace::ClassifierOutput::OneClass)
        return "an output head that does not choose one class by the maximum over tokens alone";
    for (const auto* stack : {&config.encoder, &config.decoder})
        if (stack->sharedHeads() != stack->heads)
            return "keys and values that several heads share";
        else if (stack->window > 0)
            return "layers with an attention window";
    return {};
}

} // namespace

void refuseUntrainable(const network::NetworkConfig& config) {
    if (const auto found = notTrained(config); !found.empty())
        throw trace::Refusal({.what = "Such a network cannot be trained",
                              .where = "its architecture",
                              .expected = "no positions, or those that are added to embeddings (table, "
                                          "sinusoid-interleaved or sinusoid-halves), and the layers of the "
                                          "original Transformer",
                              .found = found,
                              .wayOut = "choose an architecture without it"});
}

bool TrainingNetwork::computes(const network::NetworkConfig& config) {
    return notTrained(config).empty();
}

TrainingNetwork::TrainingNetwork(const network::NetworkConfig& config, const FlatParameters& parameters,
                                 bool causal)
    : config_(config), causal_(causal) {
    refuseUntrainable(config);
    sourceEmbedding_ = embeddingOf(parameters, "source");
    sourceNorm_ = normOf(parameters, "encoder.embedding_norm", config.encoder.embeddingNormEpsilon);
    for (int layer = 0; layer < config.encoder.layers; ++layer)
        encoder_.push_back(layerOf(parameters, "encoder.", layer));
    encoderNorm_ = normOf(parameters, "encoder.final_norm", config.encoder.normEpsilon);
    if (config.decoder.layers == 0) {
        generator_ = linearOf(parameters, "classifier");
        return;
    }
    targetEmbedding_ = embeddingOf(parameters, "target");
    if (config.tiedSourceTarget)
        targetEmbedding_.weight = sourceEmbedding_.weight;
    targetNorm_ = normOf(parameters, "decoder.embedding_norm", config.encoder.embeddingNormEpsilon);
    for (int layer = 0; layer < config.decoder.layers; ++layer)
        decoder_.push_back(layerOf(parameters, "decoder.", layer));
    decoderNorm_ = normOf(parameters, "decoder.final_norm", config.encoder.normEpsilon);
    generator_ = linearOf(parameters, "generator");
    if (config.tiedGenerator)
        generator_.weight = targetEmbedding_.weight;
}

TrainingNetwork::Attention TrainingNetwork::attentionOf(const FlatParameters& parameters,
                                                        const std::string& role,
                                                        const std::string& norm) const {
    Attention attention{.queryKeyValue = {.weight = parameters.fused(role + ".query.weight", 3),
                                          .bias = parameters.fused(role + ".query.bias", 3)},
                        .query = linearOf(parameters, role + ".query"),
                        .keyValue = {.weight = parameters.fused(role + ".key.weight", 2),
                                     .bias = parameters.fused(role + ".key.bias", 2)},
                        .output = linearOf(parameters, role + ".output")};
    attention.norm = normOf(parameters, norm, config_.encoder.normEpsilon);
    return attention;
}

TrainingNetwork::Layer TrainingNetwork::layerOf(const FlatParameters& parameters, const std::string& stack,
                                                int layer) const {
    const auto role = stack + std::to_string(layer) + ".";
    return {
        .self = attentionOf(parameters, role + "self", role + "norm_self"),
        .cross = attentionOf(parameters, role + (config_.tiedDecoderAttention ? "self" : "cross"),
                             role + "norm_cross"),
        .feedForward = {.in = linearOf(parameters, role + "feed_forward.in"),
                        .out = linearOf(parameters, role + "feed_forward.out"),
                        .norm = normOf(parameters, role + "norm_feed_forward", config_.encoder.normEpsilon)}};
}

EmbeddingWeights TrainingNetwork::embeddingOf(const FlatParameters& parameters,
                                              const std::string& side) const {
    EmbeddingWeights weights{.weight = parameters.at(side + "_embedding.weight"),
                             .positions =
                                 parameters.at((config_.tiedPositions ? "source" : side) + "_positions")
                                     .from(config_.firstPosition),
                             .scale = config_.embeddingScale};
    if (network::isSinusoid(config_.positions))
        weights.table = network::sinusoidTable(config_, config_.modelWidth);
    return weights;
}

NormWeights TrainingNetwork::normOf(const FlatParameters& parameters, const std::string& role,
                                    double epsilon) const {
    return {.kind = config_.normKind,
            .epsilon = epsilon,
            .gain = parameters.at(role + ".gain"),
            .bias = parameters.at(role + ".bias")};
}

template <class Function>
at::Tensor TrainingNetwork::addSublayer(Operations& operations, const NormWeights& norm, const at::Tensor& x,
                                        Function&& f) const {
    switch (config_.encoder.normScheme) {
    case network::NormScheme::Pre:
        return x + operations.dropped(f(operations.norm(x, norm)));
    case network::NormScheme::Post:
        return operations.norm(x + operations.dropped(f(x)), norm);
    case network::NormScheme::PreNormedResidual: {
        const auto y = operations.norm(x, norm);
        return y + operations.dropped(f(y));
    }
    case network::NormScheme::SublayerOutput:
        return x + operations.dropped(operations.norm(f(x), norm));
    case network::NormScheme::Parallel:
    case network::NormScheme::Sandwich:
        break; // refused before
    }
    return x;
}

at::Tensor TrainingNetwork::selfAttention(Operations& operations, const Attention& attention,
                                          const at::Tensor& x, const SentenceRows& tokens,
                                          const network::StackConfig& stack, bool causal) const {
    const auto outputs =
        operations.attend({operations.linear(x, attention.queryKeyValue)}, {.queries = tokens,
                                                                            .keys = tokens,
                                                                            .heads = stack.heads,
                                                                            .headWidth = stack.headWidth,
                                                                            .scale = stack.scoreScale,
                                                                            .causal = causal});
    return operations.linear(outputs, attention.output);
}

at::Tensor TrainingNetwork::crossAttention(Operations& operations, const Attention& attention,
                                           const at::Tensor& x, const at::Tensor& memory,
                                           const SentenceRows& fed, const SentenceRows& source) const {
    const auto outputs = operations.attend(
        {operations.linear(x, attention.query), operations.linear(memory, attention.keyValue)},
        {.queries = fed,
         .keys = source,
         .heads = config_.decoder.heads,
         .headWidth = config_.decoder.headWidth,
         .scale = config_.decoder.scoreScale});
    return operations.linear(outputs, attention.output);
}

at::Tensor TrainingNetwork::feedForward(Operations& operations, const FeedForward& weights,
                                        const at::Tensor& x) const {
    const auto inner = operations.activate(operations.linear(x, weights.in), config_.encoder.activation);
    return operations.linear(operations.dropped(inner), weights.out);
}

at::Tensor TrainingNetwork::embed(Operations& operations, const EmbeddingWeights& weights,
                                  const NormWeights& norm, const SentenceRows& tokens) const {
    auto x = operations.embed(weights, tokens);
    if (norm.gain)
        x = operations.norm(x, norm);
    return operations.dropped(x);
}

at::Tensor TrainingNetwork::encode(Operations& operations, const SentenceRows& source) const {
    auto x = embed(operations, sourceEmbedding_, sourceNorm_, source);
    for (const auto& layer : encoder_) {
        x = addSublayer(operations, layer.self.norm, x, [&](const at::Tensor& y) {
            return selfAttention(operations, layer.self, y, source, config_.encoder, /*causal=*/false);
        });
        x = addSublayer(operations, layer.feedForward.norm, x,
                        [&](const at::Tensor& y) { return feedForward(operations, layer.feedForward, y); });
    }
    return encoderNorm_.gain ? operations.norm(x, encoderNorm_) : x;
}

at::Tensor TrainingNetwork::decode(Operations& operations, const at::Tensor& memory,
                                   const SentenceRows& source, const SentenceRows& fed) const {
    auto x = embed(operations, targetEmbedding_, targetNorm_, fed);
    for (const auto& layer : decoder_) {
        x = addSublayer(operations, layer.self.norm, x, [&](const at::Tensor& y) {
            return selfAttention(operations, layer.self, y, fed, config_.decoder, causal_);
        });
        x = addSublayer(operations, layer.cross.norm, x, [&](const at::Tensor& y) {
            return crossAttention(operations, layer.cross, y, memory, fed, source);
        });
        x = addSublayer(operations, layer.feedForward.norm, x,
                        [&](const at::Tensor& y) { return feedForward(operations, layer.feedForward, y); });
    }
    return decoderNorm_.gain ? operations.norm(x, decoderNorm_) : x;
}

at::Tensor TrainingNetwork::answers(Operations& operations, const PackedBatch& batch) const {
    const auto begins = rowBegins(batch);
    const SentenceRows source(batch.source, begins);
    const auto memory = encode(operations, source);
    if (decoder_.empty()) {
        const auto sentences = memory.view({source.rows, source.length, -1});
        return std::get<0>(
            sentences.masked_fill(source.isRest.unsqueeze(-1), -std::numeric_limits<double>::infinity())
                .max(1));
    }
    const SentenceRows fed(batch.fed, begins);
    return decode(operations, memory, source, fed).index_select(0, fed.tokens);
}

void TrainingNetwork::refuseForeignIds(const PackedBatch& batch) const {
    const auto fits = [](const std::vector<std::int64_t>& numbers, std::int64_t rows) {
        return std::ranges::all_of(numbers, [rows](auto number) { return number >= 0 && number < rows; });
    };
    const auto embeds = [&](const PackedSentences& tokens, const EmbeddingWeights& weights) {
        const auto places = weights.positions         ? weights.positions.rows
                            : weights.table.defined() ? weights.table.size(0)
                                                      : std::numeric_limits<std::int64_t>::max();
        return fits(tokens.ids, weights.weight.rows) && fits(tokens.places, places);
    };
    if (embeds(batch.source, sourceEmbedding_) && fits(batch.wanted, generator_.weight.rows) &&
        (decoder_.empty() || embeds(batch.fed, targetEmbedding_)))
        return;
    throw trace::Refusal(
        {.what = "The text does not fit the network",
         .where = "the ids of its tokens and their places",
         .expected = "ids and places below the rows of the embeddings",
         .found = "larger ones",
         .wayOut = "give the tokenizer and the special tokens that the model was trained with"});
}

LossSums TrainingNetwork::loss(Operations& operations, const PackedBatch& batch,
                               const LossOptions& options) const {
    refuseForeignIds(batch);
    return operations.loss(answers(operations, batch), generator_, batch.wanted, options);
}

} // namespace headscope::training
