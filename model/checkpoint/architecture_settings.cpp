#include "model/checkpoint/architecture_settings.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::checkpoint {

std::int64_t mostPositions(const network::NetworkConfig& config) {
    return (1 << 20) / std::max<std::int64_t>(1, config.modelWidth / 64);
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

/// Reads a setting that must be one of `possible`, spelled as by network::name().
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

/// Reads a number, or the name of the formula for it.
double numberOr(const Settings& settings, const std::string& key, const std::string& formula,
                double formulaValue) {
    return settings.text(key) == formula ? formulaValue : settings.number(key).value();
}

Activation readActivation(const Settings& settings, const std::string& key) {
    if (settings.textOr(key, "") == "swish") // another name of SiLU
        return Activation::Silu;
    return choose(settings, key,
                  std::array{Activation::Relu, Activation::Gelu, Activation::GeluTanh, Activation::Silu,
                             Activation::Tanh});
}

/// Each reader is paired with its key, so that callers that collect errors can name the key.
constexpr std::array<ArchitectureFlag, 13> flags{{
    {"norm",
     [](NetworkConfig& config, const Settings& settings) {
         config.normScheme = choose(settings, "norm",
                                    std::array{NormScheme::Pre, NormScheme::Post,
                                               NormScheme::PreNormedResidual, NormScheme::SublayerOutput});
     }},
    {"norm_kind",
     [](NetworkConfig& config, const Settings& settings) {
         config.normKind =
             choose(settings, "norm_kind",
                    std::array{NormKind::LayerNorm, NormKind::AnnotatedLayerNorm, NormKind::RootMeanSquare});
     }},
    {"norm_eps",
     [](NetworkConfig& config, const Settings& settings) {
         config.normEpsilon = settings.numberWithin("norm_eps", 0, 1).value_or(1e-5);
     }},
    {"embedding_norm",
     [](NetworkConfig& config, const Settings& settings) {
         config.embeddingNorm = settings.yesOrNo("embedding_norm").value_or(false);
     }},
    {"embedding_norm_eps",
     [](NetworkConfig& config, const Settings& settings) {
         config.embeddingNormEpsilon =
             settings.numberWithin("embedding_norm_eps", 0, 1).value_or(config.normEpsilon);
     }},
    {"mask_fill",
     [](NetworkConfig& config, const Settings& settings) {
         config.maskFill =
             choose(settings, "mask_fill",
                    std::array{MaskFill::MinusBillion, MaskFill::LowestFinite, MaskFill::NegativeInfinity});
     }},
    {"encoder_mask",
     [](NetworkConfig& config, const Settings& settings) {
         if (settings.find("encoder_mask"))
             config.encoderMask =
                 choose(settings, "encoder_mask",
                        std::array{EncoderMask::Keys, EncoderMask::QueryRows, EncoderMask::None});
     }},
    {"target_padding_masked",
     [](NetworkConfig& config, const Settings& settings) {
         config.targetPaddingMasked = settings.yesOrNo("target_padding_masked").value_or(true);
     }},
    {"activation",
     [](NetworkConfig& config, const Settings& settings) {
         config.activation = readActivation(settings, "activation");
     }},
    {"classifier_input",
     [](NetworkConfig& config, const Settings& settings) {
         if (config.classes > 0 && settings.find("classifier_input"))
             config.classifierInput =
                 choose(settings, "classifier_input",
                        std::array{ClassifierInput::Maximum, ClassifierInput::FirstToken});
     }},
    {"activation of the head",
     [](NetworkConfig& config, const Settings& settings) {
         const auto key = std::string(headRole(config)) + "_activation";
         if (config.head.hidden)
             config.head.activation = settings.find(key) ? readActivation(settings, key) : config.activation;
     }},
    {"embedding_scale",
     [](NetworkConfig& config, const Settings& settings) {
         config.embeddingScale =
             numberOr(settings, "embedding_scale", "sqrt-width", std::sqrt(config.modelWidth));
     }},
    {"score_scale",
     [](NetworkConfig& config, const Settings& settings) {
         for (auto* stack : {&config.encoder, &config.decoder})
             if (stack->layers > 0)
                 stack->scoreScale = numberOr(settings, "score_scale", "inverse-sqrt-head-width",
                                              1 / std::sqrt(stack->headWidth));
     }},
}};

void readBase(NetworkConfig& config, const Settings& settings) {
    config.positionBase = settings.number("position_base").value_or(10000);
    if (config.positionBase <= 1)
        settings.refuse("position_base", "a number above 1");
}

constexpr std::array<ArchitectureFlag, 2> sinusoid{{
    {"position_base", readBase},
    {"maximum_positions",
     [](NetworkConfig& config, const Settings& settings) {
         const auto most = mostPositions(config);
         config.maximumPositions =
             settings.integer("maximum_positions").value_or(std::min<std::int64_t>(5000, most));
         if (config.maximumPositions < 1 || config.maximumPositions > most)
             settings.refuse("maximum_positions", "1 to " + std::to_string(most));
     }},
}};

constexpr std::array<ArchitectureFlag, 2> relative{{
    {"position_buckets",
     [](NetworkConfig& config, const Settings& settings) {
         constexpr std::int64_t fewest = 4; // two per direction, one of them for an exact distance
         constexpr std::int64_t most = 1 << 16;
         const auto buckets = settings.integer("position_buckets").value_or(32);
         if (buckets < fewest || buckets > most || buckets % 2 != 0)
             settings.refuse("position_buckets", "an even number from 4 to 65536");
         config.positionBuckets = static_cast<int>(buckets);
     }},
    {"position_distance",
     [](NetworkConfig& config, const Settings& settings) {
         // The decoder attends in one direction only, so half of all buckets are exact distances there.
         const auto nearest = config.positionBuckets / 2;
         const auto distance = settings.integer("position_distance").value_or(128);
         if (distance <= nearest || distance > (1 << 16))
             settings.refuse("position_distance", std::to_string(nearest + 1) + " to 65536");
         config.positionDistance = static_cast<int>(distance);
     }},
}};

constexpr std::array<ArchitectureFlag, 2> rotary{{
    {"position_base", readBase},
    {"positions",
     [](NetworkConfig& config, const Settings& settings) {
         const auto width = config.firstStack().headWidth;
         if (width % 2 != 0)
             settings.refuse("positions",
                             "another scheme: rotation turns pairs of dimensions, and heads have " +
                                 std::to_string(width));
     }},
}};

} // namespace

std::span<const ArchitectureFlag> architectureFlags() {
    return flags;
}

std::span<const ArchitectureFlag> positionFlags(PositionScheme scheme) {
    switch (scheme) {
    case PositionScheme::SinusoidInterleaved:
    case PositionScheme::SinusoidHalves:
        return sinusoid;
    case PositionScheme::RelativeBuckets:
        return relative;
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
                             PositionScheme::SinusoidHalves, PositionScheme::RelativeBuckets,
                             PositionScheme::Rotary});
}

} // namespace headscope::checkpoint
