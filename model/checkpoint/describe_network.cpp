#include "model/checkpoint/describe_network.h"

#include "model/trace/refusal.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope::checkpoint {

namespace {

using network::Activation;
using network::MaskFill;
using network::NetworkConfig;
using network::NormKind;
using network::NormScheme;
using network::PositionScheme;

/// The value of a setting that has only these possibilities, spelled as network::name spells them.
template <class Enum, std::size_t count>
Enum choose(const Settings& settings, const std::string& key, const std::array<Enum, count>& possible) {
    const auto value = settings.find(key);
    std::string expected = "one of";
    for (const Enum option : possible) {
        if (value && value->text == network::name(option))
            return option;
        expected += " " + std::string(network::name(option));
    }
    settings.refuse(key, expected);
}

/// A tensor of `rank` dimensions that sizes are read from.
std::vector<std::int64_t> shapeOf(const TensorLookup& tensors, const Family& family, const std::string& role,
                                  std::size_t rank, const std::string& where) {
    const auto* tensor = tensors.find(role);
    const auto shape = tensor ? withoutLeadingOnes(tensor->shape, rank) : std::vector<std::int64_t>();
    for (const auto size : shape)
        if (size < 1 || size > std::numeric_limits<std::int32_t>::max())
            tensor = nullptr;
    if (!tensor || shape.size() != rank)
        throw trace::Refusal({.what = "The model's sizes cannot be read from its tensors",
                              .where = where,
                              .expected = "a tensor " + family.tensorName(role).value_or(role) + " of " +
                                          std::to_string(rank) + " dimensions",
                              .found = tensors.find(role)
                                           ? "shape " + files::shapeText(tensors.find(role)->shape)
                                           : "no such tensor",
                              .wayOut = "check that --family fits this file"});
    return shape;
}

void readSizes(NetworkConfig& config, const TensorLookup& tensors, const Family& family,
               const std::string& where) {
    const auto names = tensors.names();
    config.encoderLayers = family.countLayers("encoder.{layer}.self.query.weight", names);
    config.decoderLayers = family.countLayers("decoder.{layer}.self.query.weight", names);
    const auto source = shapeOf(tensors, family, "source_embedding.weight", 2, where);
    config.sourceVocabulary = source[0];
    config.modelWidth = static_cast<int>(source[1]);
    if (config.encoderLayers > 0)
        config.feedForwardWidth =
            static_cast<int>(shapeOf(tensors, family, "encoder.0.feed_forward.in.weight", 2, where)[0]);
    if (config.decoderLayers == 0)
        return;
    config.targetVocabulary = shapeOf(tensors, family, "target_embedding.weight", 2, where)[0];
    config.tiedSourceTarget = tensors.areTied("source_embedding.weight", "target_embedding.weight");
    config.tiedGenerator = tensors.areTied("target_embedding.weight", "generator.weight");
}

void readHeads(NetworkConfig& config, const TensorLookup& tensors, const Family& family,
               const Settings& settings, const std::string& where) {
    const auto rows = shapeOf(tensors, family, "encoder.0.self.query.weight", 2, where)[0];
    const auto heads = settings.integer("heads");
    const std::string expected = "a number of heads that divides the " + std::to_string(rows) +
                                 " rows of the query projection (weights do not tell it)";
    if (!heads || *heads < 1 || *heads > rows || rows % *heads != 0)
        settings.refuse("heads", expected);
    config.encoderHeads = static_cast<int>(*heads);
    config.headWidth = static_cast<int>(rows / *heads);
    const auto decoderHeads = settings.integer("decoder_heads").value_or(*heads);
    if (decoderHeads > rows || decoderHeads * config.headWidth != rows)
        settings.refuse("decoder_heads", expected);
    config.decoderHeads = static_cast<int>(decoderHeads);
}

void readPositions(NetworkConfig& config, const TensorLookup& tensors, const Family& family,
                   const Settings& settings, const std::string& where) {
    config.positions =
        choose(settings, "positions",
               std::array{PositionScheme::None, PositionScheme::Table, PositionScheme::SinusoidInterleaved,
                          PositionScheme::SinusoidHalves});
    if (config.positions == PositionScheme::Table) {
        config.maximumPositions = shapeOf(tensors, family, "source_positions", 2, where)[0];
        return;
    }
    if (config.positions == PositionScheme::None)
        return;
    constexpr std::int64_t most = 1 << 20;
    config.positionBase = settings.number("position_base").value_or(10000);
    config.maximumPositions = settings.integer("maximum_positions").value_or(5000);
    if (config.positionBase <= 1)
        settings.refuse("position_base", "a number above 1");
    if (config.maximumPositions < 1 || config.maximumPositions > most)
        settings.refuse("maximum_positions", "1 to " + std::to_string(most));
}

/// A number, or the name of the formula that gives it.
double numberOr(const Settings& settings, const std::string& key, const std::string& formula,
                double formulaValue) {
    return settings.text(key) == formula ? formulaValue : settings.number(key).value();
}

/// What the configuration claims about sizes must be what the tensors have.
void checkClaims(const NetworkConfig& config, const Settings& settings, const std::string& where) {
    const std::array<std::pair<const char*, std::int64_t>, 6> sizes{
        {{"encoder_layers", config.encoderLayers},
         {"decoder_layers", config.decoderLayers},
         {"model_width", config.modelWidth},
         {"feed_forward_width", config.feedForwardWidth},
         {"source_vocabulary_size", config.sourceVocabulary},
         {"target_vocabulary_size", config.targetVocabulary}}};
    std::string expected, found;
    for (const auto& [key, size] : sizes) {
        const auto claimed = settings.integer(key);
        if (!claimed || *claimed == size)
            continue;
        expected += (expected.empty() ? "" : ", ") + std::string(key) + " " + std::to_string(*claimed);
        found += (found.empty() ? "" : ", ") + std::string(key) + " " + std::to_string(size);
    }
    if (!found.empty())
        throw trace::Refusal({.what = "The weights are not those that the configuration describes",
                              .where = where,
                              .expected = expected,
                              .found = found,
                              .wayOut = "put the config.json that belongs to these weights beside them"});
}

} // namespace

network::NetworkConfig describeNetwork(const TensorLookup& tensors, const Family& family,
                                       const Settings& settings, const std::string& where) {
    NetworkConfig config;
    readSizes(config, tensors, family, where);
    checkClaims(config, settings, where);
    readHeads(config, tensors, family, settings, where);
    readPositions(config, tensors, family, settings, where);
    config.normScheme = choose(settings, "norm",
                               std::array{NormScheme::Pre, NormScheme::Post, NormScheme::PreNormedResidual,
                                          NormScheme::SublayerOutput});
    config.normKind =
        choose(settings, "norm_kind",
               std::array{NormKind::LayerNorm, NormKind::AnnotatedLayerNorm, NormKind::RootMeanSquare});
    config.activation =
        choose(settings, "activation",
               std::array{Activation::Relu, Activation::Gelu, Activation::GeluTanh, Activation::Silu});
    config.maskFill =
        choose(settings, "mask_fill",
               std::array{MaskFill::MinusBillion, MaskFill::LowestFinite, MaskFill::NegativeInfinity});
    config.normEpsilon = settings.number("norm_eps").value_or(1e-5);
    config.encoderFinalNorm = config.decoderFinalNorm = settings.yesOrNo("final_norm").value_or(true);
    config.embeddingNorm = settings.yesOrNo("embedding_norm").value_or(false);
    config.embeddingScale = numberOr(settings, "embedding_scale", "sqrt-width", std::sqrt(config.modelWidth));
    config.scoreScale =
        numberOr(settings, "score_scale", "inverse-sqrt-head-width", 1 / std::sqrt(config.headWidth));
    config.biases = {.queryKeyValue = family.tensorName("encoder.0.self.query.bias").has_value(),
                     .attentionOutput = family.tensorName("encoder.0.self.output.bias").has_value(),
                     .feedForward = family.tensorName("encoder.0.feed_forward.in.bias").has_value(),
                     .generator = family.tensorName("generator.bias").has_value()};
    return config;
}

} // namespace headscope::checkpoint
