#include "model/network/network_config.h"

#include <utility>

namespace headscope::network {

std::string roleInOtherStack(const std::string& role) {
    for (const auto& [one, other] :
         {std::pair("encoder.", "decoder."), std::pair("segment_embedding", "target_segment_embedding"),
          std::pair("source_", "target_")}) {
        if (role.starts_with(one))
            return other + role.substr(std::string_view(one).size());
        if (role.starts_with(other))
            return one + role.substr(std::string_view(other).size());
    }
    return {};
}

std::string_view name(NormScheme scheme) {
    switch (scheme) {
    case NormScheme::Pre:
        return "pre";
    case NormScheme::Post:
        return "post";
    case NormScheme::PreNormedResidual:
        return "pre-normed-residual";
    case NormScheme::SublayerOutput:
        return "sublayer-output";
    case NormScheme::Sandwich:
        return "sandwich";
    case NormScheme::Parallel:
        return "parallel";
    }
    return {};
}

std::string_view name(NormKind kind) {
    switch (kind) {
    case NormKind::LayerNorm:
        return "layer-norm";
    case NormKind::AnnotatedLayerNorm:
        return "annotated";
    case NormKind::RootMeanSquare:
        return "root-mean-square";
    }
    return {};
}

std::string_view name(QueryKeyNorm norm) {
    switch (norm) {
    case QueryKeyNorm::None:
        return "none";
    case QueryKeyNorm::PerHead:
        return "per-head";
    case QueryKeyNorm::Whole:
        return "whole";
    }
    return {};
}

std::string_view name(Activation activation) {
    switch (activation) {
    case Activation::Relu:
        return "relu";
    case Activation::Gelu:
        return "gelu";
    case Activation::GeluTanh:
        return "gelu_new";
    case Activation::Silu:
        return "silu";
    case Activation::Tanh:
        return "tanh";
    case Activation::None:
        return "none";
    }
    return {};
}

std::string_view name(PositionScheme scheme) {
    switch (scheme) {
    case PositionScheme::None:
        return "none";
    case PositionScheme::Table:
        return "table";
    case PositionScheme::SinusoidInterleaved:
        return "sinusoid-interleaved";
    case PositionScheme::SinusoidHalves:
        return "sinusoid-halves";
    case PositionScheme::SinusoidHalvesInclusive:
        return "sinusoid-halves-inclusive";
    case PositionScheme::RelativeBuckets:
        return "relative-buckets";
    case PositionScheme::LinearBias:
        return "linear-bias";
    case PositionScheme::Rotary:
        return "rotary";
    case PositionScheme::Disentangled:
        return "disentangled";
    }
    return {};
}

std::string_view name(RotationScaling scaling) {
    switch (scaling) {
    case RotationScaling::None:
        return "none";
    case RotationScaling::Linear:
        return "linear";
    case RotationScaling::Dynamic:
        return "dynamic";
    case RotationScaling::Llama3:
        return "llama3";
    case RotationScaling::Yarn:
        return "yarn";
    case RotationScaling::Long:
        return "longrope";
    }
    return {};
}

std::string_view name(MaskFill fill) {
    switch (fill) {
    case MaskFill::MinusBillion:
        return "-1e9";
    case MaskFill::LowestFinite:
        return "lowest";
    case MaskFill::NegativeInfinity:
        return "-inf";
    }
    return {};
}

std::string_view name(EncoderMask mask) {
    switch (mask) {
    case EncoderMask::Keys:
        return "keys";
    case EncoderMask::QueryRows:
        return "query-rows";
    case EncoderMask::None:
        return "none";
    case EncoderMask::Both:
        return "both";
    }
    return {};
}

std::string_view name(ClassifierInput input) {
    return input == ClassifierInput::Maximum ? "maximum" : "first-token";
}

std::string_view headRole(const NetworkConfig& config) {
    if (config.decoder.layers > 0)
        return "generator";
    switch (config.tokenPrediction) {
    case trace::TokenPrediction::None:
        return config.classes > 0 ? "classifier" : "";
    case trace::TokenPrediction::Masked:
        return "masked_tokens";
    case trace::TokenPrediction::Replaced:
        return "replaced_tokens";
    case trace::TokenPrediction::Labels:
        return "token_labels";
    case trace::TokenPrediction::Span:
        return "answer_span";
    }
    return {};
}

} // namespace headscope::network
