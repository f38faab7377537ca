#include "model/checkpoint/architecture_settings.h"

#include "model/trace/joined.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace headscope::checkpoint {

std::int64_t mostPositions(const network::NetworkConfig& config) {
    return (1 << 20) / std::max<std::int64_t>(1, config.modelWidth / 64);
}

std::string exactly(double number) {
    std::array<char, 32> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    return {digits.data(), end};
}

namespace {

using network::Activation;
using network::ClassifierInput;
using network::EncoderMask;
using network::MaskFill;
using network::NetworkConfig;
using network::NormKind;
using network::NormScheme;
using network::PositionScheme;
using network::Rotation;
using network::RotationScaling;

/// Reads a setting that must be one of `possible`, spelled as by network::name().
template <class Enum, std::size_t count>
Enum choose(const Settings& settings, const std::string& key, const std::array<Enum, count>& possible) {
    const auto value = settings.find(key);
    std::string expected = "one of";
    for (const Enum option : possible) {
        if (value && value->text == name(option))
            return option;
        expected += " " + std::string(name(option));
    }
    settings.refuse(key, expected);
}

/// Reads a number, or the name of the formula for it.
double numberOr(const Settings& settings, const std::string& key, const std::string& formula,
                double formulaValue) {
    return settings.text(key) == formula ? formulaValue : settings.number(key).value();
}

/// Names of the same functions in other programs.
std::optional<Activation> otherName(const std::string& activation) {
    if (activation == "swish")
        return Activation::Silu;
    if (activation == "gelu_pytorch_tanh" || activation == "gelu_fast" || activation == "gated-gelu")
        return Activation::GeluTanh;
    if (activation == "gated-silu")
        return Activation::Silu;
    if (activation == "gated-relu")
        return Activation::Relu;
    return std::nullopt;
}

template <std::size_t count>
Activation readActivation(const Settings& settings, const std::string& key,
                          const std::array<Activation, count>& possible) {
    const auto other = otherName(settings.textOr(key, ""));
    return other ? *other : choose(settings, key, possible);
}

constexpr std::array activations{Activation::Relu, Activation::Gelu, Activation::GeluTanh, Activation::Silu};
constexpr std::array activationsOfHeads{Activation::Relu, Activation::Gelu, Activation::GeluTanh,
                                        Activation::Silu, Activation::Tanh, Activation::None};

/// Which layers have the window: those that are listed, by number or by kind, or by the rules of programs
/// that list none.
void readWindow(NetworkConfig& config, const Settings& settings, const char* key) {
    auto& stack = config.decoder;
    const auto window = settings.integer(key).value_or(0);
    const std::size_t layers = stack.layers;
    if (window == 0 || layers == 0 || !settings.yesOrNo("use_window").value_or(true))
        return;
    std::vector<bool> windowed(layers, false);
    if (settings.find("windowed_layers")) {
        for (const auto layer : settings.integers("windowed_layers"))
            if (layer < stack.layers)
                windowed[layer] = true;
            else
                settings.refuse("windowed_layers", "layers below " + std::to_string(layers));
    } else if (const auto kinds = settings.items("layer_kinds"); !kinds.empty()) {
        if (kinds.size() != layers)
            settings.refuse("layer_kinds", "one kind for each of the " + std::to_string(layers) + " layers");
        for (std::size_t layer = 0; layer < layers; ++layer)
            if (kinds[layer] == "sliding_attention" || kinds[layer] == "local")
                windowed[layer] = true;
            else if (kinds[layer] != "full_attention" && kinds[layer] != "global")
                settings.refuse("layer_kinds", "full_attention or sliding_attention for each layer");
    } else {
        const std::size_t first = settings.integer("window_from_layer").value_or(0);
        const std::size_t every = settings.integer("full_layer_every").value_or(0);
        for (std::size_t layer = first; layer < layers; ++layer)
            windowed[layer] = every == 0 || (layer + 1) % every != 0;
    }
    if (std::ranges::find(windowed, true) == windowed.end())
        return;
    stack.window = window;
    stack.windowed = std::move(windowed);
}

void readExpertsPerToken(NetworkConfig& config, const Settings& settings, const char* key) {
    auto& experts = config.decoder.experts;
    if (experts.count == 0)
        return;
    const auto used = settings.integer(key);
    if (!used || *used < 1 || *used > experts.count)
        settings.refuse(key, "1 to " + std::to_string(experts.count) + " (weights do not tell it)");
    experts.used = *used;
}

template <class Enum, std::size_t count>
void read(Enum& value, const Settings& settings, const char* key, const std::array<Enum, count>& possible) {
    value = choose(settings, key, possible);
}

constexpr std::array schemes{
    NormScheme::Pre,      NormScheme::Post,    NormScheme::PreNormedResidual, NormScheme::SublayerOutput,
    NormScheme::Sandwich, NormScheme::Parallel};

void readNormScheme(NetworkConfig& config, const Settings& settings, const char* key) {
    auto& scheme = config.encoder.normScheme;
    read(scheme, settings, key, schemes);
    if (scheme == NormScheme::Parallel && !settings.yesOrNo("parallel_sublayers").value_or(true))
        scheme = NormScheme::Pre;
    if (scheme == NormScheme::Pre && !settings.yesOrNo("norm_before").value_or(true))
        scheme = NormScheme::Post;
    config.decoder.normScheme = scheme;
}

void readEmbeddingScale(NetworkConfig& config, const Settings& settings, const char* key) {
    const auto text = settings.text(key);
    if (text == "yes" || text == "no") // whether sqrt-width or nothing
        config.embeddingScale = text == "yes" ? std::sqrt(config.modelWidth) : 1;
    else
        config.embeddingScale = numberOr(settings, key, "sqrt-width", std::sqrt(config.modelWidth));
}

void readOutputScale(NetworkConfig& config, const Settings& settings, const char* key) {
    const auto text = settings.textOr(key, "no");
    const double byWidth = 1 / std::sqrt(config.modelWidth);
    const auto divisor = settings.number("logit_divisor");
    if (divisor && *divisor <= 0)
        settings.refuse("logit_divisor", "a number above 0");
    if (divisor)
        config.outputScale = 1 / *divisor;
    else if (text == "yes" || text == "no" || text == "if-tied")
        config.outputScale = text == "yes" || (text == "if-tied" && config.tiedGenerator) ? byWidth : 1;
    else
        config.outputScale = settings.number(key).value();
}

void readScoreScale(NetworkConfig& config, const Settings& settings, const char* key) {
    const auto divisor = settings.number("score_divisor");
    if (divisor && *divisor <= 0)
        settings.refuse("score_divisor", "a number above 0, whose root divides the scores");
    for (auto* stack : {&config.encoder, &config.decoder})
        if (stack->layers > 0 && divisor)
            stack->scoreScale = 1 / std::sqrt(*divisor);
        else if (stack->layers > 0)
            stack->scoreScale =
                settings.text(key) == "inverse-sqrt-three-head-widths" // of three terms
                    ? 1 / std::sqrt(3 * stack->headWidth)
                    : numberOr(settings, key, "inverse-sqrt-head-width", 1 / std::sqrt(stack->headWidth));
}

// Roles of the heads that may have a hidden layer.
constexpr std::string_view classifier = "classifier", maskedTokens = "masked_tokens",
                           replacedTokens = "replaced_tokens", generator = "generator";

template <const std::string_view& role>
void readHeadActivation(NetworkConfig& config, const Settings& settings, const char* key) {
    if (config.head.hidden && headRole(config) == role)
        config.head.activation =
            settings.find(key) ? readActivation(settings, key, activationsOfHeads)
                               : (config.decoder.layers > 0 ? config.decoder : config.encoder).activation;
}

template <auto member>
void readFlag(NetworkConfig& config, const Settings& settings, const char* key) {
    config.*member = settings.yesOrNo(key).value_or(NetworkConfig().*member);
}
template <auto member>
void readCap(NetworkConfig& config, const Settings& settings, const char* key) {
    config.*member = settings.numberWithin(key, 0, 1e6).value_or(0);
}

constexpr const char* interleavedPairs = "interleaved";

/// A single output of a classifier that reads the first token is a number, not a class.
void readClassifierOutput(NetworkConfig& config, const Settings& settings, const char* key) {
    using trace::ClassifierOutput;
    if (headRole(config) != classifier)
        return;
    const bool isNumber = config.classes == 1 && config.classifierInput == ClassifierInput::FirstToken;
    if (settings.find(key))
        read(config.classifierOutput, settings, key,
             std::array{ClassifierOutput::OneClass, ClassifierOutput::Labels, ClassifierOutput::Numbers});
    else if (isNumber)
        config.classifierOutput = ClassifierOutput::Numbers;
}

// What is said of a property.

using Text = std::optional<std::string>;

std::string words(bool yes) {
    return yes ? "yes" : "no";
}
std::string words(int number) {
    return std::to_string(number);
}
std::string words(std::int64_t number) {
    return std::to_string(number);
}
std::string words(double number) {
    return exactly(number);
}
template <class Enum>
requires std::is_enum_v<Enum> std::string words(Enum value) {
    return std::string(name(value));
}
template <auto member>
Text always(const NetworkConfig& config) {
    return words(config.*member);
}
/// Only what is not usual.
template <auto member>
Text unusual(const NetworkConfig& config) {
    return config.*member == NetworkConfig().*member ? std::nullopt : always<member>(config);
}
template <auto member>
Text ofRotation(const NetworkConfig& config) {
    const bool isScaled = config.rotation.scaling != RotationScaling::None;
    const bool isUsual = config.rotation.*member == Rotation().*member;
    return isScaled && !isUsual ? Text(words(config.rotation.*member)) : std::nullopt;
}
template <auto member>
Text ofBias(const NetworkConfig& config) {
    return words(config.biases.*member);
}
/// What the first stack has.
template <auto member>
Text ofFirst(const NetworkConfig& config) {
    return words(config.firstStack().*member);
}
template <auto member>
Text ofDecoder(const NetworkConfig& config) {
    const bool differs = config.hasCrossAttention() && config.decoder.*member != config.encoder.*member;
    return differs ? Text(words(config.decoder.*member)) : std::nullopt;
}
template <auto member>
Text ofBuckets(const NetworkConfig& config) {
    return config.hasRelativeBias() || config.positions == PositionScheme::Disentangled
               ? always<member>(config)
               : std::nullopt;
}
using network::PositionRows;
template <auto member>
Text ofOwnRows(const NetworkConfig& config) {
    return config.decoderRows ? Text(words((*config.decoderRows).*member)) : std::nullopt;
}
template <const std::string_view& role>
Text ofHead(const NetworkConfig& config) {
    const bool isActivated = config.head.hidden && config.head.activation != Activation::None;
    return isActivated && headRole(config) == role ? Text(words(config.head.activation)) : std::nullopt;
}

Text windowedLayers(const NetworkConfig& config) {
    std::vector<std::string> layers;
    for (int layer = 0; layer < config.decoder.layers; ++layer)
        if (config.decoder.isWindowed(layer))
            layers.push_back(std::to_string(layer));
    return config.decoder.window > 0 ? Text(trace::joined(layers)) : std::nullopt;
}

using network::ExpertsConfig;

template <auto member>
Text ofExperts(const NetworkConfig& config) {
    const auto& experts = config.decoder.experts;
    return experts.count > 0 && experts.*member != ExpertsConfig().*member ? Text(words(experts.*member))
                                                                           : std::nullopt;
}

/// As the setting lists them, without blanks.
Text layersWithExperts(const NetworkConfig& config) {
    std::string layers;
    for (int layer = 0; layer < config.decoder.layers; ++layer)
        if (config.decoder.hasExperts(layer))
            layers += (layers.empty() ? "" : ",") + std::to_string(layer);
    return config.decoder.experts.layers.empty() ? std::nullopt : Text(layers);
}

using C = NetworkConfig;
using Stack = network::StackConfig;
using network::Biases;

/// One row for a property: its name, how it is read, what is said of it, and whether a folder that is written
/// says it, because no tensor does.
constexpr auto properties = std::to_array<ArchitectureProperty>({
    {"norm", readNormScheme, ofFirst<&Stack::normScheme>},
    {"decoder_norm",
     [](C& config, const Settings& settings, const char* key) {
         if (settings.find(key))
             read(config.decoder.normScheme, settings, key, schemes);
     },
     ofDecoder<&Stack::normScheme>, Stated::Yes},
    {"norm_kind",
     [](C& config, const Settings& settings, const char* key) {
         read(config.normKind, settings, key,
              std::array{NormKind::LayerNorm, NormKind::AnnotatedLayerNorm, NormKind::RootMeanSquare});
     },
     always<&C::normKind>},
    {"norm_eps",
     [](C& config, const Settings& settings, const char* key) {
         config.encoder.normEpsilon = settings.numberWithin(key, 0, 1).value_or(1e-5);
         config.decoder.normEpsilon = config.encoder.normEpsilon;
     },
     ofFirst<&Stack::normEpsilon>},
    {"decoder_norm_eps",
     [](C& config, const Settings& settings, const char* key) {
         if (const auto own = settings.numberWithin(key, 0, 1))
             config.decoder.normEpsilon = *own;
     },
     ofDecoder<&Stack::normEpsilon>, Stated::Yes},
    {"final_norm", nullptr, ofFirst<&Stack::finalNorm>},
    {"decoder_final_norm", nullptr, ofDecoder<&Stack::finalNorm>},
    {"embedding_norm",
     [](C& config, const Settings& settings, const char* key) {
         config.encoder.embeddingNorm = settings.yesOrNo(key).value_or(false);
         config.decoder.embeddingNorm = config.encoder.embeddingNorm;
     },
     ofFirst<&Stack::embeddingNorm>},
    {"decoder_embedding_norm",
     [](C& config, const Settings& settings, const char* key) {
         config.decoder.embeddingNorm = settings.yesOrNo(key).value_or(config.decoder.embeddingNorm);
     },
     ofDecoder<&Stack::embeddingNorm>, Stated::Yes},
    {"embedding_norm_eps",
     [](C& config, const Settings& settings, const char* key) {
         for (auto* stack : {&config.encoder, &config.decoder})
             stack->embeddingNormEpsilon = settings.numberWithin(key, 0, 1).value_or(stack->normEpsilon);
     }},
    {"embedding_scale", readEmbeddingScale, always<&C::embeddingScale>},
    {"positions", nullptr, always<&C::positions>, Stated::Yes},
    {"position_base", nullptr,
     [](const C& config) {
         const bool isRead = isSinusoid(config.positions) || config.positions == PositionScheme::Rotary;
         return isRead ? always<&C::positionBase>(config) : std::nullopt;
     }},
    {"rotary_part", nullptr,
     [](const C& config) {
         return config.rotation.part < 1 ? Text(words(config.rotation.part)) : std::nullopt;
     }},
    {"rotary_pairs", nullptr,
     [](const C& config) {
         return config.rotation.interleaved ? Text(interleavedPairs) : std::nullopt;
     }},
    {"rotary_scaling", nullptr, ofRotation<&Rotation::scaling>},
    {"rotary_factor", nullptr, ofRotation<&Rotation::factor>},
    {"rotary_original_length", nullptr, ofRotation<&Rotation::originalLength>},
    {"rotary_length", nullptr, ofRotation<&Rotation::length>},
    {"position_buckets", nullptr, ofBuckets<&C::positionBuckets>, Stated::Yes},
    {"position_distance", nullptr, ofBuckets<&C::positionDistance>, Stated::Yes},
    {"bias_exponent", nullptr, unusual<&C::biasExponent>, Stated::Yes},
    {"decoder_feed_forward_width", nullptr, ofDecoder<&Stack::feedForwardWidth>},
    {"decoder_head_width", nullptr, ofDecoder<&Stack::headWidth>},
    {"decoder_score_scale", nullptr, ofDecoder<&Stack::scoreScale>},
    {"relative_bias", nullptr, unusual<&C::relativeBias>, Stated::Yes},
    {"positions_per_layer", nullptr, unusual<&C::positionsPerLayer>},
    {"output_scale", readOutputScale, unusual<&C::outputScale>},
    {"residual_scale",
     [](C& config, const Settings& settings, const char* key) {
         config.residualScale = settings.number(key).value_or(1);
     },
     unusual<&C::residualScale>, Stated::Yes},
    {"first_position", nullptr, unusual<&C::firstPosition>, Stated::Yes},
    {"decoder_first_position", nullptr, ofOwnRows<&PositionRows::first>, Stated::Yes},
    {"decoder_maximum_positions", nullptr, ofOwnRows<&PositionRows::usable>, Stated::Yes},
    {"decoder_width", nullptr, ofDecoder<&Stack::width>, Stated::Yes},
    {"activation",
     [](C& config, const Settings& settings, const char* key) {
         config.encoder.activation = readActivation(settings, key, activations);
         config.decoder.activation = config.encoder.activation;
     },
     ofFirst<&Stack::activation>},
    {"decoder_activation",
     [](C& config, const Settings& settings, const char* key) {
         if (settings.find(key))
             config.decoder.activation = readActivation(settings, key, activations);
     },
     ofDecoder<&Stack::activation>, Stated::Yes},
    {"generator_activation", readHeadActivation<generator>, ofHead<generator>, Stated::Yes},
    {"score_scale", readScoreScale,
     ofFirst<&Stack::scoreScale>},
    {"mask_fill",
     [](C& config, const Settings& settings, const char* key) {
         read(config.maskFill, settings, key,
              std::array{MaskFill::MinusBillion, MaskFill::LowestFinite, MaskFill::NegativeInfinity});
     },
     always<&C::maskFill>},
    {"encoder_mask",
     [](C& config, const Settings& settings, const char* key) {
         if (settings.find(key))
             read(config.encoderMask, settings, key,
                  std::array{EncoderMask::Keys, EncoderMask::QueryRows, EncoderMask::None,
                             EncoderMask::Both});
     },
     always<&C::encoderMask>},
    {"target_padding_masked", readFlag<&C::targetPaddingMasked>, always<&C::targetPaddingMasked>},
    {"bias_query_key_value", nullptr, ofBias<&Biases::queryKeyValue>, Stated::Yes},
    {"bias_attention_output", nullptr, ofBias<&Biases::attentionOutput>, Stated::Yes},
    {"bias_feed_forward", nullptr, ofBias<&Biases::feedForward>, Stated::Yes},
    {"bias_generator", nullptr, ofBias<&Biases::generator>, Stated::Yes},
    {"bias_norm", nullptr, ofBias<&Biases::norm>, Stated::Yes},
    {"tied_source_target", nullptr, always<&C::tiedSourceTarget>},
    {"tied_generator", nullptr, always<&C::tiedGenerator>},
    {"embedding_width", nullptr, unusual<&C::embeddingWidth>, Stated::Yes},
    {"target_embedding_width", nullptr, unusual<&C::targetEmbeddingWidth>, Stated::Yes},
    {"segments", nullptr, unusual<&C::segments>, Stated::Yes},
    {"decoder_segments", nullptr, unusual<&C::decoderSegments>, Stated::Yes},
    {"token_prediction", nullptr, unusual<&C::tokenPrediction>, Stated::Yes},
    {"classifier_input",
     [](C& config, const Settings& settings, const char* key) {
         if (headRole(config) == classifier && settings.find(key))
             read(config.classifierInput, settings, key,
                  std::array{ClassifierInput::Maximum, ClassifierInput::FirstToken});
     },
     unusual<&C::classifierInput>},
    {"problem_type", readClassifierOutput, unusual<&C::classifierOutput>, Stated::Yes},
    {"classifier_activation", readHeadActivation<classifier>, ofHead<classifier>},
    {"masked_tokens_activation", readHeadActivation<maskedTokens>, ofHead<maskedTokens>},
    {"replaced_tokens_activation", readHeadActivation<replacedTokens>, ofHead<replacedTokens>},
    {"key_value_heads", nullptr,
     [](const C& config) {
         const int heads = config.firstStack().keyValueHeads;
         return heads > 0 ? Text(words(heads)) : std::nullopt;
     },
     Stated::Yes},
    {"norm_unit_offset", readFlag<&C::normUnitOffset>, unusual<&C::normUnitOffset>},
    {"score_cap", readCap<&C::scoreCap>, unusual<&C::scoreCap>},
    {"logit_cap", readCap<&C::logitCap>, unusual<&C::logitCap>},
    {"window_position_base", nullptr, unusual<&C::windowPositionBase>},
    {"query_key_norm", nullptr, unusual<&C::queryKeyNorm>, Stated::Yes},
    {"feed_forward_gate", nullptr, unusual<&C::feedForwardGate>, Stated::Yes},
    {"experts", nullptr, ofExperts<&ExpertsConfig::count>, Stated::Yes},
    {"experts_per_token", readExpertsPerToken, ofExperts<&ExpertsConfig::used>, Stated::Yes},
    {"expert_width", nullptr, ofExperts<&ExpertsConfig::width>, Stated::Yes},
    {"shared_expert_width", nullptr, ofExperts<&ExpertsConfig::sharedWidth>, Stated::Yes},
    {"expert_weights_normalised",
     [](C& config, const Settings& settings, const char* key) {
         config.decoder.experts.normalised =
             config.decoder.experts.count > 0 && settings.yesOrNo(key).value_or(false);
     },
     ofExperts<&ExpertsConfig::normalised>, Stated::Yes},
    {"expert_layers", nullptr, layersWithExperts, Stated::Yes},
    {"attention_window", readWindow,
     [](const C& config) {
         return config.decoder.window > 0 ? Text(words(config.decoder.window)) : std::nullopt;
     },
     Stated::Yes},
    {"windowed_layers", nullptr, windowedLayers},
    {"tied_positions", nullptr, unusual<&C::tiedPositions>},
    {"tied_stacks", nullptr, unusual<&C::tiedStacks>, Stated::Yes},
    {"shared_layers", nullptr, unusual<&C::sharedLayers>},
    {"tied_decoder_attention", nullptr, unusual<&C::tiedDecoderAttention>},
});

void readBase(NetworkConfig& config, const Settings& settings, const char*) {
    config.positionBase = settings.number("position_base").value_or(10000);
    if (config.positionBase <= 1)
        settings.refuse("position_base", "a number above 1");
    config.windowPositionBase = settings.number("window_position_base").value_or(0);
    if (config.windowPositionBase != 0 && config.windowPositionBase <= 1)
        settings.refuse("window_position_base", "a number above 1");
}

constexpr std::array<ArchitectureProperty, 3> sinusoid{{
    {"position_base", readBase},
    {"maximum_positions",
     [](NetworkConfig& config, const Settings& settings, const char*) {
         const auto most = mostPositions(config);
         config.maximumPositions =
             settings.integer("maximum_positions").value_or(std::min<std::int64_t>(5000, most));
         if (config.maximumPositions < 1 || config.maximumPositions > most)
             settings.refuse("maximum_positions", "1 to " + std::to_string(most));
     }},
    {"first_position",
     [](NetworkConfig& config, const Settings& settings, const char*) {
         config.firstPosition = settings.integer("first_position").value_or(0);
         if (config.firstPosition > mostPositions(config))
             settings.refuse("first_position", "0 to " + std::to_string(mostPositions(config)));
     }},
}};

constexpr std::array<ArchitectureProperty, 2> relative{{
    {"position_buckets",
     [](NetworkConfig& config, const Settings& settings, const char*) {
         constexpr std::int64_t fewest = 4; // two per direction, one of them for an exact distance
         constexpr std::int64_t most = 1 << 16;
         const auto buckets = settings.integer("position_buckets").value_or(32);
         if (buckets < fewest || buckets > most || buckets % 2 != 0)
             settings.refuse("position_buckets", "an even number from 4 to 65536");
         config.positionBuckets = buckets;
     }},
    {"position_distance",
     [](NetworkConfig& config, const Settings& settings, const char*) {
         // The decoder attends in one direction only, so half of all buckets are exact distances there.
         const auto nearest = config.positionBuckets / 2;
         const auto distance = settings.integer("position_distance").value_or(128);
         if (distance <= nearest || distance > (1 << 16))
             settings.refuse("position_distance", std::to_string(nearest + 1) + " to 65536");
         config.positionDistance = distance;
     }},
}};

constexpr std::array<ArchitectureProperty, 2> linearBias{{
    {"maximum_positions",
     [](NetworkConfig& config, const Settings& settings, const char* key) {
         constexpr std::int64_t usual = 2048, most = 1 << 17; // a row of the table for each distance
         config.maximumPositions = settings.integer(key).value_or(usual);
         if (config.maximumPositions < 1 || config.maximumPositions > most)
             settings.refuse(key, "1 to " + std::to_string(most));
         if (config.encoder.layers > 0)
             settings.refuse("positions", "another scheme: linear biases are for a decoder alone");
     }},
    {"bias_exponent",
     [](NetworkConfig& config, const Settings& settings, const char* key) {
         config.biasExponent = settings.numberWithin(key, 0, 1024).value_or(8);
     }},
}};

constexpr std::array<ArchitectureProperty, 3> disentangled{{
    {"position_buckets",
     [](NetworkConfig& config, const Settings& settings, const char* key) {
         const auto buckets = settings.integer(key).value_or(256);
         if (buckets < 4 || buckets > (1 << 16) || buckets % 2 != 0)
             settings.refuse(key, "an even number from 4 to 65536");
         config.positionBuckets = buckets;
     }},
    {"position_distance",
     [](NetworkConfig& config, const Settings& settings, const char* key) {
         const auto nearest = config.positionBuckets / 2;
         const auto stated = settings.numberWithin(key, -1, 1 << 16).value_or(-1); // -1: as many as positions
         const auto distance = stated > 0 ? static_cast<std::int64_t>(stated)
                                          : settings.integer("maximum_positions").value_or(512);
         if (distance <= nearest + 1 || distance > (1 << 16))
             settings.refuse(key, std::to_string(nearest + 2) + " to 65536");
         config.positionDistance = distance;
     }},
    {"position_terms",
     [](NetworkConfig& config, const Settings& settings, const char* key) {
         const auto terms = settings.textOr(key, "c2p,p2c");
         if (terms.find("c2p") == terms.npos || terms.find("p2c") == terms.npos)
             settings.refuse(key, "c2p and p2c: content to position, and position to content");
         config.maximumPositions = settings.integer("maximum_positions").value_or(512);
     }},
}};

RotationScaling readScaling(const Settings& settings) {
    const auto text = settings.textOr("rotary_scaling", "none");
    if (text == "none" || text == "default" || text == "no")
        return RotationScaling::None;
    if (text == "yes") // Llama's own folders only say whether it is scaled
        return RotationScaling::Llama3;
    if (text == "su") // its first name
        return RotationScaling::Long;
    return choose(settings, "rotary_scaling",
                  std::array{RotationScaling::None, RotationScaling::Linear, RotationScaling::Dynamic,
                             RotationScaling::Llama3, RotationScaling::Yarn, RotationScaling::Long});
}

/// Longest input of a model, before and after its frequencies were scaled.
struct Lengths {
    double original = 0;
    double whole = 0;
};

Lengths readLengths(const Settings& settings) {
    constexpr double most = 1 << 30;
    const auto whole = settings.numberWithin("maximum_positions", 1, most);
    const auto original = settings.numberWithin("rotary_original_length", 1, most);
    if (!whole && !original)
        settings.refuse("rotary_original_length", "the number of tokens of the first training");
    return {.original = original.value_or(whole.value_or(0)), .whole = whole.value_or(original.value_or(0))};
}

double readFactor(const Settings& settings) {
    const auto factor = settings.number("rotary_factor");
    if (!factor || *factor < 1)
        settings.refuse("rotary_factor", "a number from 1 on");
    return *factor;
}

void readTransition(Rotation& rotation, const Settings& settings, double usualHigh) {
    rotation.factor = readFactor(settings);
    rotation.low = settings.number("rotary_low").value_or(1);
    rotation.high = settings.number("rotary_high").value_or(usualHigh);
    if (rotation.low <= 0)
        settings.refuse("rotary_low", "a number above 0");
    if (rotation.high <= rotation.low)
        settings.refuse("rotary_high", "a number above " + std::to_string(rotation.low));
}

void readYarn(Rotation& rotation, const Settings& settings) {
    readTransition(rotation, settings, 32);
    const auto length = settings.number("rotary_length");
    const auto share = settings.number("rotary_mscale").value_or(0);
    const auto shareOfAll = settings.number("rotary_mscale_all").value_or(0);
    if (!settings.yesOrNo("rotary_truncate").value_or(true))
        settings.refuse("rotary_truncate", "yes: the range is of whole pairs");
    const auto lengthBy = [&](double by) { return 0.1 * by * std::log(rotation.factor) + 1; };
    const bool isShared = share != 0 && shareOfAll != 0;
    rotation.length = length.value_or(isShared ? lengthBy(share) / lengthBy(shareOfAll) : lengthBy(1));
}

void readLong(Rotation& rotation, const Settings& settings, double whole, int pairs) {
    rotation.shares = settings.numbers("rotary_shares");
    const bool allAreDivisors = std::ranges::all_of(rotation.shares, [](double share) { return share > 0; });
    if (std::ssize(rotation.shares) != pairs || !allAreDivisors)
        settings.refuse("rotary_shares", std::to_string(pairs) + " numbers above 0, one per pair");
    const double factor = settings.find("rotary_original_length")
                              ? whole / rotation.originalLength
                              : settings.number("rotary_factor").value_or(1);
    const double usual =
        factor <= 1 ? 1 : std::sqrt(1 + std::log(factor) / std::log(rotation.originalLength));
    rotation.length = settings.number("rotary_length").value_or(usual);
}

void readRotatedPairs(NetworkConfig& config, const Settings& settings, const char* key) {
    const auto text = settings.textOr(key, "halves");
    if (text != "halves" && text != interleavedPairs)
        settings.refuse(key, "halves or interleaved");
    config.rotation.interleaved = text == interleavedPairs;
}

void readRotatedPart(NetworkConfig& config, const Settings& settings, const char*) {
    auto& rotation = config.rotation;
    const int headWidth = config.firstStack().headWidth;
    rotation.part = settings.numberWithin("rotary_part", 0, 1).value_or(1);
    if (const auto stated = settings.numberWithin("rotary_width", 0, headWidth))
        rotation.part = *stated / headWidth;
    const int width = rotation.widthIn(headWidth);
    if (rotation.part < 1 && (width < 2 || width % 2 != 0))
        settings.refuse("rotary_part", "another part: rotation turns pairs of dimensions, and " +
                                           std::to_string(width) + " would turn");
}

void refuseOddRotation(NetworkConfig& config, const Settings& settings, const char*) {
    const auto width = config.firstStack().headWidth;
    if (config.rotation.part == 1 && width % 2 != 0)
        settings.refuse("positions", "another scheme: rotation turns pairs of dimensions, and heads have " +
                                         std::to_string(width));
}

void readRotation(NetworkConfig& config, const Settings& settings, const char*) {
    auto& rotation = config.rotation;
    const int pairs = rotation.widthIn(config.firstStack().headWidth) / 2;
    rotation.scaling = readScaling(settings);
    if (rotation.scaling == RotationScaling::None)
        return;
    if (rotation.scaling == RotationScaling::Linear) {
        rotation.factor = readFactor(settings);
        return;
    }
    const auto lengths = readLengths(settings);
    rotation.originalLength = lengths.original;
    if (rotation.scaling == RotationScaling::Llama3)
        readTransition(rotation, settings, 4);
    if (rotation.scaling == RotationScaling::Yarn)
        readYarn(rotation, settings);
    if (rotation.scaling == RotationScaling::Long)
        readLong(rotation, settings, lengths.whole, pairs);
    // Beyond this length, every further token would change the maps of all tokens before it.
    if (rotation.scaling == RotationScaling::Long || rotation.scaling == RotationScaling::Dynamic)
        config.maximumPositions = static_cast<std::int64_t>(
            rotation.scaling == RotationScaling::Long ? lengths.original : lengths.whole);
}

constexpr std::array<ArchitectureProperty, 5> rotary{{
    {"position_base", readBase},
    {"rotary_pairs", readRotatedPairs},
    {"rotary_part", readRotatedPart},
    {"positions", refuseOddRotation},
    {"rotary_scaling", readRotation},
}};

} // namespace

std::span<const ArchitectureProperty> architectureProperties() {
    return properties;
}

std::span<const ArchitectureProperty> positionFlags(PositionScheme scheme) {
    switch (scheme) {
    case PositionScheme::SinusoidInterleaved:
    case PositionScheme::SinusoidHalves:
    case PositionScheme::SinusoidHalvesInclusive:
        return sinusoid;
    case PositionScheme::RelativeBuckets:
        return relative;
    case PositionScheme::LinearBias:
        return linearBias;
    case PositionScheme::Disentangled:
        return disentangled;
    case PositionScheme::Rotary:
        return rotary;
    case PositionScheme::None:
    case PositionScheme::Table:
        break;
    }
    return {};
}

PositionScheme choosePositions(const Settings& settings, const std::string& key) {
    return choose(settings, key,
                  std::array{PositionScheme::None, PositionScheme::Table, PositionScheme::SinusoidInterleaved,
                             PositionScheme::SinusoidHalves, PositionScheme::SinusoidHalvesInclusive,
                             PositionScheme::RelativeBuckets, PositionScheme::LinearBias,
                             PositionScheme::Rotary, PositionScheme::Disentangled});
}

} // namespace headscope::checkpoint
