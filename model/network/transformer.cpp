#include "model/network/transformer.h"

#include "model/network/attention_mask.h"
#include "model/network/positional_encoding.h"
#include "model/trace/sublayer_site.h"

#include <ATen/ATen.h>

#include <utility>

namespace headscope::network {

namespace {

/// Returns a stored table as a parameter, computes a formula's table, or returns undefined if there is none.
at::Tensor positionTable(ParameterList& list, const std::string& role, const NetworkConfig& config,
                         const StackConfig& stack, std::int64_t width) {
    if (isSinusoid(config.positions))
        return sinusoidTable(config, width);
    if (config.positions != PositionScheme::Table)
        return {};
    const auto [usable, first] = config.rowsOf(stack);
    return list.add(role, {first + usable, width}).narrow(0, first, usable);
}

std::optional<Norm> finalNorm(ParameterList& list, const std::string& role, const NetworkConfig& config,
                              const StackConfig& stack) {
    return stack.finalNorm ? std::optional<Norm>(Norm(list, role, config, stack)) : std::nullopt;
}

std::vector<StackPositions> stackPositions(ParameterList& list, const std::string& stack,
                                           const NetworkConfig& config, const StackConfig& sizes,
                                           StackPositions::Sees sees) {
    std::vector<StackPositions> positions;
    if (config.positionsPerLayer)
        for (int layer = 0; layer < sizes.layers; ++layer)
            positions.emplace_back(list, stack + "." + std::to_string(layer), config, sizes, sees);
    else if (sizes.layers > 0)
        positions.emplace_back(list, stack, config, sizes, sees);
    return positions;
}

/// Effects of positions in the layers of one pass, which most networks share.
class LayerPositions {
  public:
    /// The arguments of StackPositions::of().
    LayerPositions(const std::vector<StackPositions>& positions, std::int64_t first, std::int64_t n,
                   std::int64_t all, const Pass& pass,
                   StackPositions::Layers layers = StackPositions::Layers::Usual)
        : positions_(positions), first_(first), n_(n), all_(all), pass_(pass), layers_(layers) {}

    const AttentionPositions& of(std::size_t layer) {
        const auto own = positions_.size() == 1 ? 0 : layer;
        if (made_ != own) {
            current_ = positions_[own].of(first_, n_, all_, pass_, layers_);
            made_ = own;
        }
        return current_;
    }

  private:
    const std::vector<StackPositions>& positions_;
    std::int64_t first_, n_, all_;
    const Pass& pass_;
    StackPositions::Layers layers_;
    AttentionPositions current_;
    std::optional<std::size_t> made_; ///< index of the positions that `current_` is of
};

std::optional<Norm> embeddingNorm(ParameterList& list, const std::string& role, const NetworkConfig& config,
                                  const StackConfig& stack, std::int64_t width) {
    return stack.embeddingNorm
               ? std::optional<Norm>(Norm(list, role, config, stack.embeddingNormEpsilon, width))
               : std::nullopt;
}

TokenEmbedding makeSourceEmbedding(ParameterList& list, const NetworkConfig& config) {
    const auto width = config.sourceWidth();
    EmbeddingParts parts{
        .words = list.add("source_embedding.weight", {config.sourceVocabulary, width}, ParameterType::OfFile),
        .scale = config.embeddingScale};
    parts.positions = positionTable(list, "source_positions", config, config.encoder, width);
    if (config.segments > 0)
        parts.segments = list.add("segment_embedding.weight", {config.segments, width});
    parts.norm = embeddingNorm(list, "encoder.embedding_norm", config, config.encoder, width);
    if (config.embeddingWidth > 0)
        parts.projection =
            Linear::build(list, "embedding_projection", config.embeddingWidth, config.modelWidth, true);
    return TokenEmbedding(std::move(parts));
}

TokenEmbedding makeTargetEmbedding(ParameterList& list, const NetworkConfig& config,
                                   const std::optional<TokenEmbedding>& source) {
    const auto width = config.widthOf(config.decoder);
    EmbeddingParts parts{.scale = config.embeddingScale};
    parts.words = config.tiedSourceTarget
                      ? source->weight()
                      : list.add("target_embedding.weight", {config.targetVocabulary, config.targetWidth()},
                                 ParameterType::OfFile);
    parts.positions = config.tiedPositions && source
                          ? source->positionTable()
                          : positionTable(list, "target_positions", config, config.decoder, width);
    if (config.targetEmbeddingWidth > 0)
        parts.ofWords = Linear::build(list, "target_embedding_projection", config.targetEmbeddingWidth, width,
                                      /*hasBias=*/false);
    if (config.decoderSegments > 0)
        parts.segments = list.add("target_segment_embedding.weight", {config.decoderSegments, width});
    parts.norm = embeddingNorm(list, "decoder.embedding_norm", config, config.decoder, width);
    return TokenEmbedding(std::move(parts));
}

/// Of a network without decoder.
std::optional<OutputHead> outputHead(ParameterList& list, const NetworkConfig& config,
                                     const std::optional<TokenEmbedding>& embedding) {
    if (headRole(config).empty())
        return std::nullopt;
    switch (config.tokenPrediction) {
    case trace::TokenPrediction::None:
    case trace::TokenPrediction::Labels:
        return OutputHead(list, config, config.classes);
    case trace::TokenPrediction::Replaced:
        return OutputHead(list, config, 1);
    case trace::TokenPrediction::Span:
        return OutputHead(list, config, 2);
    case trace::TokenPrediction::Masked:
        break;
    }
    return OutputHead(list, config, config.sourceVocabulary,
                      config.tiedGenerator ? embedding->weight() : at::Tensor());
}

} // namespace

Transformer::Transformer(const NetworkConfig& config, ParameterList list)
    : config_(config), list_(std::move(list)) {
    if (config.tiedStacks)
        list_.tieStacks();
    if (config.sourceVocabulary > 0)
        sourceEmbedding_ = makeSourceEmbedding(list_, config);
    encoderPositions_ =
        stackPositions(list_, "encoder", config, config.encoder, StackPositions::Sees::BothWays);
    encoderLayers_.reserve(config.encoder.layers);
    for (int layer = 0; layer < config.encoder.layers; ++layer)
        if (layer > 0 && config.sharedLayers)
            encoderLayers_.emplace_back(encoderLayers_.front(), layer);
        else
            encoderLayers_.emplace_back(list_, config, layer);
    encoderFinalNorm_ = finalNorm(list_, "encoder.final_norm", config, config.encoder);
    if (config.decoder.layers == 0) {
        head_ = outputHead(list_, config, sourceEmbedding_);
        return;
    }

    if (config.hasBridge())
        bridge_ =
            Linear::build(list_, "bridge", config.widthOf(config.encoder), config.widthOf(config.decoder),
                          /*hasBias=*/true);
    targetEmbedding_ = makeTargetEmbedding(list_, config, sourceEmbedding_);
    decoderPositions_ = stackPositions(list_, "decoder", config, config.decoder, StackPositions::Sees::Back);
    for (int layer = 0; layer < config.decoder.layers; ++layer)
        decoderLayers_.emplace_back(list_, config, layer);
    decoderFinalNorm_ = finalNorm(list_, "decoder.final_norm", config, config.decoder);
    head_.emplace(list_, config, config.targetVocabulary,
                  config.tiedGenerator ? targetEmbedding_->weight() : at::Tensor());
}

double Transformer::memoryOfPositions(const NetworkConfig& config) {
    if (config.positions == PositionScheme::None || isInAttention(config.positions))
        return 0;
    double numbers = 0;
    for (const auto* stack : {&config.encoder, &config.decoder})
        if (const auto [usable, first] = config.rowsOf(*stack); stack->layers > 0)
            numbers += static_cast<double>(first + usable) * config.widthOf(*stack);
    return numbers * sizeof(float);
}

double Transformer::memoryNeeded(NetworkConfig config) {
    const double positions = memoryOfPositions(config); // not built: a formula's table would be computed
    if (!isInAttention(config.positions))
        config.positions = PositionScheme::None;
    double elements = 0;
    const Transformer shapes(config, ParameterList(at::kMeta));
    for (const auto& parameter : shapes.parameters())
        elements += static_cast<double>(parameter.tensor.numel());
    return positions + elements * sizeof(float);
}

AttentionModule Transformer::attention(const trace::AttentionSite& site) const {
    switch (site.kind) {
    case trace::AttentionKind::EncoderSelf:
        return encoderLayers_.at(site.layer).attention();
    case trace::AttentionKind::DecoderSelf:
        return decoderLayers_.at(site.layer).self();
    case trace::AttentionKind::Cross:
        break;
    }
    return decoderLayers_.at(site.layer).cross();
}

const Norm& Transformer::norm(const trace::SublayerAddress& sublayer) const {
    if (const auto site = trace::attentionSite(sublayer))
        return attention(*site).norm;
    return sublayer.kind == trace::SublayerKind::EncoderFeedForward
               ? encoderLayers_.at(sublayer.layer).feedForwardNorm()
               : decoderLayers_.at(sublayer.layer).feedForwardNorm();
}

at::Tensor Transformer::encode(at::Tensor x, const at::Tensor& openSource, const Pass& pass) const {
    if (encoderLayers_.empty())
        return x;
    const AttentionMask mask(encoderMask(config_.encoderMask, openSource));
    if (config_.encoderMask == EncoderMask::Both)
        x = x.masked_fill(openSource.logical_not().unsqueeze(1), 0);
    if (pass.observer)
        pass.observer->residual(Stack::Encoder, 0, x);
    LayerPositions positions(encoderPositions_, 0, x.size(0), x.size(0), pass);
    for (std::size_t layer = 0; layer < encoderLayers_.size(); ++layer)
        x = encoderLayers_[layer].forward(x, mask, positions.of(layer), pass);
    return encoderFinalNorm_ ? (*encoderFinalNorm_)(x) : x;
}

DecoderState Transformer::startDecoding(const at::Tensor& encoderOutput, const at::Tensor& openSource,
                                        std::int64_t capacity, ForwardObserver* observer) const {
    const auto memory = bridge_ ? (*bridge_)(encoderOutput) : encoderOutput;
    DecoderState state{.openSource = openSource, .openTarget = at::ones({0}, at::kBool)};
    for (const auto& layer : decoderLayers_) {
        if (observer)
            observer->report();
        state.memory.push_back(layer.memory(memory));
        state.fed.push_back({.k = {config_.decoder.heads, config_.decoder.headWidth, capacity},
                             .v = {config_.decoder.heads, config_.decoder.headWidth, capacity}});
    }
    return state;
}

at::Tensor Transformer::placesOf(const Pass& pass, std::int64_t first, std::int64_t n) const {
    const auto& table = targetEmbedding_->positionTable();
    return pass.interventions && table.defined() ? pass.interventions->places(first, n, 0, table.size(0))
                                                 : at::Tensor();
}

at::Tensor Transformer::decode(const at::Tensor& ids, const at::Tensor& open, DecoderState& state,
                               const Pass& pass) const {
    const auto n = ids.size(0);
    auto x = (*targetEmbedding_)(ids, state.length(), placesOf(pass, state.length(), n)); // [n, d_model]
    state.openTarget = at::cat({state.openTarget, open});
    const AttentionMask selfMask(pass.liftsMask() ? paddingMask(state.openTarget, n)
                                                  : subsequentMask(state.openTarget, n)); // [n, fed + n]
    const auto window = config_.decoder.window;
    const bool isNarrower = window > 0 && window < state.length() && !pass.liftsMask();
    const AttentionMask windowed =
        isNarrower ? AttentionMask(windowMask(state.openTarget, n, window)) : selfMask;
    const AttentionMask crossMask(paddingMask(state.openSource, n)); // [n, S]
    using Layers = StackPositions::Layers;
    const auto first = state.length() - n;
    LayerPositions positions(decoderPositions_, first, n, 0, pass);
    LayerPositions inWindows(decoderPositions_, first, n, 0, pass, Layers::Windowed);
    if (pass.observer)
        pass.observer->residual(Stack::Decoder, 0, x);
    for (std::size_t layer = 0; layer < decoderLayers_.size(); ++layer) {
        const bool isWindowed = config_.decoder.isWindowed(layer);
        x = decoderLayers_[layer].forward(x, state.fed[layer], isWindowed ? windowed : selfMask,
                                          (isWindowed ? inWindows : positions).of(layer), state.memory[layer],
                                          crossMask, pass);
    }
    return decoderFinalNorm_ ? (*decoderFinalNorm_)(x) : x;
}

at::Tensor Transformer::classFeatures(const at::Tensor& encoderOutput) const {
    const bool readsFirst = config_.classifierInput == ClassifierInput::FirstToken;
    return head_->features(readsFirst ? encoderOutput[0] : encoderOutput.amax(0));
}

at::Tensor Transformer::classLogProbabilities(const at::Tensor& encoderOutput) const {
    const auto logits = classLogits(encoderOutput);
    return config_.classifierOutput == trace::ClassifierOutput::Labels ? at::log_sigmoid(logits)
                                                                       : logits.log_softmax(-1);
}

at::Tensor Transformer::tokenLogProbabilities(const at::Tensor& encoderOutput) const {
    return head_->logits(encoderOutput).log_softmax(-1);
}

at::Tensor Transformer::replacedProbabilities(const at::Tensor& encoderOutput) const {
    return head_->logits(encoderOutput).squeeze(-1).sigmoid();
}

at::Tensor Transformer::spanLogProbabilities(const at::Tensor& encoderOutput) const {
    return head_->logits(encoderOutput).t().log_softmax(-1);
}

at::Tensor Transformer::logits(const at::Tensor& decoderOutput) const {
    const auto scaled = config_.outputScale == 1 ? decoderOutput : decoderOutput * config_.outputScale;
    return capped(head_->logits(scaled), config_.logitCap);
}

at::Tensor Transformer::logProbabilities(const at::Tensor& decoderOutput) const {
    return logits(decoderOutput).log_softmax(-1);
}

} // namespace headscope::network
