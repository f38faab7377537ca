#include "model/training/training_network.h"

#include "model/network/positional_encoding.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <limits>
#include <string>

namespace headscope::training {

namespace {

LinearWeights linearOf(const FlatParameters& parameters, const std::string& role) {
    return {.weight = parameters.at(role + ".weight"), .bias = parameters.at(role + ".bias")};
}

/// Returns what the trainer lacks; empty if it can train the network.
std::string notTrained(const network::NetworkConfig& config) {
    if (config.encoder.layers == 0)
        return "a decoder alone";
    if (network::isInAttention(config.positions))
        return "positions " + std::string(network::name(config.positions));
    if (config.normScheme == network::NormScheme::Parallel ||
        config.normScheme == network::NormScheme::Sandwich)
        return "norm " + std::string(network::name(config.normScheme));
    if (config.queryKeyNorm != network::QueryKeyNorm::None)
        return "norms of queries and keys";
    if (config.normUnitOffset)
        return "gains that are stored as their difference from 1";
    if (config.scoreCap > 0 || config.logitCap > 0)
        return "capped scores or logits";
    if (config.outputScale != 1)
        return "a scaled decoder output";
    if (config.feedForwardGate)
        return "a gated feed-forward network";
    if (config.segments > 0 || config.embeddingWidth > 0)
        return "embeddings with segments or a projection";
    if (config.head.hidden || config.tokenPrediction != trace::TokenPrediction::None ||
        config.classifierInput != network::ClassifierInput::Maximum)
        return "an output head that does not read the maximum over tokens alone";
    for (const auto* stack : {&config.encoder, &config.decoder})
        if (stack->sharedHeads() != stack->heads)
            return "keys and values that several heads share";
        else if (stack->window > 0)
            return "layers with an attention window";
    return {};
}

} // namespace

LossSums& LossSums::operator+=(const LossSums& other) {
    smoothed += other.smoothed;
    plain += other.plain;
    right += other.right;
    answers += other.answers;
    return *this;
}

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
    sourceNorm_ = normOf(parameters, "encoder.embedding_norm", config.embeddingNormEpsilon);
    for (int layer = 0; layer < config.encoder.layers; ++layer)
        encoder_.push_back(layerOf(parameters, "encoder.", layer));
    encoderNorm_ = normOf(parameters, "encoder.final_norm", config.normEpsilon);
    if (config.decoder.layers == 0) {
        generator_ = linearOf(parameters, "classifier");
        return;
    }
    targetEmbedding_ = embeddingOf(parameters, "target");
    if (config.tiedSourceTarget)
        targetEmbedding_.weight = sourceEmbedding_.weight;
    targetNorm_ = normOf(parameters, "decoder.embedding_norm", config.embeddingNormEpsilon);
    for (int layer = 0; layer < config.decoder.layers; ++layer)
        decoder_.push_back(layerOf(parameters, "decoder.", layer));
    decoderNorm_ = normOf(parameters, "decoder.final_norm", config.normEpsilon);
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
    attention.norm = normOf(parameters, norm, config_.normEpsilon);
    return attention;
}

TrainingNetwork::Layer TrainingNetwork::layerOf(const FlatParameters& parameters, const std::string& stack,
                                                int layer) const {
    const auto role = stack + std::to_string(layer) + ".";
    return {.self = attentionOf(parameters, role + "self", role + "norm_self"),
            .cross = attentionOf(parameters, role + (config_.tiedDecoderAttention ? "self" : "cross"),
                                 role + "norm_cross"),
            .feedForward = {.in = linearOf(parameters, role + "feed_forward.in"),
                            .out = linearOf(parameters, role + "feed_forward.out"),
                            .norm = normOf(parameters, role + "norm_feed_forward", config_.normEpsilon)}};
}

EmbeddingWeights TrainingNetwork::embeddingOf(const FlatParameters& parameters,
                                              const std::string& side) const {
    EmbeddingWeights weights{.weight = parameters.at(side + "_embedding.weight"),
                             .positions =
                                 parameters.at((config_.tiedPositions ? "source" : side) + "_positions")
                                     .from(config_.firstPosition),
                             .scale = config_.embeddingScale};
    if (network::isSinusoid(config_.positions))
        weights.table = network::sinusoidTable(config_);
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
Value TrainingNetwork::addSublayer(Operations& operations, const NormWeights& norm, const Value& x,
                                   Function&& f) const {
    switch (config_.normScheme) {
    case network::NormScheme::Pre:
        return operations.addDropped(x, f(operations.norm(x, norm)));
    case network::NormScheme::Post:
        return operations.norm(operations.addDropped(x, f(x)), norm);
    case network::NormScheme::PreNormedResidual: {
        const auto y = operations.norm(x, norm);
        return operations.addDropped(y, f(y));
    }
    case network::NormScheme::SublayerOutput:
        return operations.addDropped(x, operations.norm(f(x), norm));
    case network::NormScheme::Parallel:
    case network::NormScheme::Sandwich:
        break; // refused before
    }
    return x;
}

Value TrainingNetwork::selfAttention(Operations& operations, const Attention& attention, const Value& x,
                                     const PackedSentences& tokens, const network::StackConfig& stack,
                                     bool causal) const {
    const auto projected = operations.linear(x, attention.queryKeyValue);
    const auto outputs = operations.attend(projected, projected,
                                           {.queries = tokens,
                                            .keys = tokens,
                                            .heads = stack.heads,
                                            .headWidth = stack.headWidth,
                                            .scale = stack.scoreScale,
                                            .causal = causal,
                                            .keyColumn = std::int64_t{stack.heads} * stack.headWidth});
    return operations.linear(outputs, attention.output);
}

Value TrainingNetwork::crossAttention(Operations& operations, const Attention& attention, const Value& x,
                                      const Value& memory, const PackedBatch& batch) const {
    const auto outputs = operations.attend(operations.linear(x, attention.query),
                                           operations.linear(memory, attention.keyValue),
                                           {.queries = batch.fed,
                                            .keys = batch.source,
                                            .heads = config_.decoder.heads,
                                            .headWidth = config_.decoder.headWidth,
                                            .scale = config_.decoder.scoreScale});
    return operations.linear(outputs, attention.output);
}

Value TrainingNetwork::feedForward(Operations& operations, const FeedForward& weights, const Value& x) const {
    return operations.linear(operations.activate(operations.linear(x, weights.in), config_.activation),
                             weights.out);
}

Value TrainingNetwork::embed(Operations& operations, const EmbeddingWeights& weights, const NormWeights& norm,
                             const PackedSentences& tokens) const {
    auto x = operations.embed(weights, tokens);
    if (norm.gain)
        x = operations.norm(x, norm);
    return operations.dropped(x);
}

Value TrainingNetwork::encode(Operations& operations, const PackedSentences& source) const {
    auto x = embed(operations, sourceEmbedding_, sourceNorm_, source);
    for (const auto& layer : encoder_) {
        x = addSublayer(operations, layer.self.norm, x, [&](const Value& y) {
            return selfAttention(operations, layer.self, y, source, config_.encoder, /*causal=*/false);
        });
        x = addSublayer(operations, layer.feedForward.norm, x,
                        [&](const Value& y) { return feedForward(operations, layer.feedForward, y); });
    }
    return encoderNorm_.gain ? operations.norm(x, encoderNorm_) : x;
}

Value TrainingNetwork::decode(Operations& operations, const Value& memory, const PackedBatch& batch) const {
    auto x = embed(operations, targetEmbedding_, targetNorm_, batch.fed);
    for (const auto& layer : decoder_) {
        x = addSublayer(operations, layer.self.norm, x, [&](const Value& y) {
            return selfAttention(operations, layer.self, y, batch.fed, config_.decoder, causal_);
        });
        x = addSublayer(operations, layer.cross.norm, x, [&](const Value& y) {
            return crossAttention(operations, layer.cross, y, memory, batch);
        });
        x = addSublayer(operations, layer.feedForward.norm, x,
                        [&](const Value& y) { return feedForward(operations, layer.feedForward, y); });
    }
    return decoderNorm_.gain ? operations.norm(x, decoderNorm_) : x;
}

Value TrainingNetwork::answers(Operations& operations, const PackedBatch& batch) const {
    const auto memory = encode(operations, batch.source);
    return config_.decoder.layers > 0 ? decode(operations, memory, batch)
                                      : operations.maximum(memory, batch.source);
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
