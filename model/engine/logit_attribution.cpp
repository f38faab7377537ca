#include "model/engine/logit_attribution.h"

#include "model/network/matrix_product.h"
#include "model/trace/sublayer_site.h"

#include <ATen/ATen.h>

namespace headscope::engine {

namespace {

using trace::LogitPart;
using trace::SublayerKind;

at::Tensor parameter(const network::Transformer& network, std::string role) {
    if (const auto at = role.find(".cross."); at != role.npos && network.config().tiedDecoderAttention)
        role.replace(at, 7, ".self.");
    for (const auto& [name, tensor] : network.parameters())
        if (name == role)
            return network::widened(tensor);
    return {};
}

/// Splits one logit, or difference of logits, per step; all tensors are [T] or [T, d_model].
class Splitter {
  public:
    Splitter(const OpenModel& model, const DecoderStream& stream, const at::Tensor& direction)
        : network_(*model.network), stream_(stream) {
        const auto& norm = network_.decoderFinalNorm();
        if (!norm) {
            reading_ = direction;
            return;
        }
        const auto frozen = norm->freeze(stream.residuals.back());
        const auto gained = frozen.gain * direction; // [T, d_model]
        // (part - mean(part)) . gained = part . (gained - mean(gained))
        reading_ = (frozen.centres ? gained - gained.mean(-1, true) : gained) / frozen.divisor;
        if (frozen.bias.defined())
            constant_ = at::matmul(direction, frozen.bias);
    }

    /// Returns one [T] per part, in the order of the stream.
    std::vector<std::pair<LogitPart, at::Tensor>> parts(const at::Tensor& generatorBias) const {
        std::vector<std::pair<LogitPart, at::Tensor>> parts;
        auto bias = generatorBias;
        if (constant_.defined())
            bias = bias + constant_;
        parts.emplace_back(LogitPart{.kind = LogitPart::Kind::Bias}, bias);
        parts.emplace_back(LogitPart{.kind = LogitPart::Kind::Embedding},
                           read(stream_.residuals.front() - stream_.positions));
        parts.emplace_back(LogitPart{.kind = LogitPart::Kind::Position}, read(stream_.positions));
        const bool hasCross = network_.config().hasCrossAttention();
        const auto sublayers = trace::decoderSublayers(hasCross).size();
        for (int layer = 0; layer < network_.config().decoder.layers; ++layer) {
            addAttention(parts, {SublayerKind::DecoderSelf, layer}, stream_.self, "self");
            if (hasCross)
                addAttention(parts, {SublayerKind::Cross, layer}, stream_.cross, "cross");
            const auto at = sublayers * layer;
            parts.emplace_back(
                LogitPart{.kind = LogitPart::Kind::FeedForward,
                          .sublayer = trace::SublayerAddress{SublayerKind::DecoderFeedForward, layer}},
                read(stream_.residuals[at + sublayers] - stream_.residuals[at + sublayers - 1]));
        }
        return parts;
    }

  private:
    at::Tensor read(const at::Tensor& part) const { return (reading_ * part).sum(-1); }

    void addAttention(std::vector<std::pair<LogitPart, at::Tensor>>& parts,
                      const trace::SublayerAddress& sublayer, const std::vector<at::Tensor>& outputsOfLayers,
                      const char* module) const {
        const auto role = "decoder." + std::to_string(sublayer.layer) + "." + module + ".output";
        const auto weight = parameter(network_, role + ".weight"); // [d_model, heads * d_k]
        const auto bias = parameter(network_, role + ".bias");
        const auto& outputs = outputsOfLayers[sublayer.layer]; // [heads, T, d_k]
        const double factor = stream_.interventions->sublayerFactor(sublayer);
        const auto width = outputs.size(2);
        for (std::int64_t head = 0; head < outputs.size(0); ++head) {
            const auto written =
                at::matmul(outputs[head], weight.narrow(1, head * width, width).t()); // [T, d_model]
            parts.emplace_back(LogitPart{.kind = LogitPart::Kind::Head, .sublayer = sublayer, .head = head},
                               read(written) * factor);
        }
        if (bias.defined())
            parts.emplace_back(LogitPart{.kind = LogitPart::Kind::AttentionBias, .sublayer = sublayer},
                               at::matmul(reading_, bias) * factor);
    }

    const network::Transformer& network_;
    const DecoderStream& stream_;
    at::Tensor reading_;  ///< [T, d_model]: a part of the stream times this is its share of the logit
    at::Tensor constant_; ///< [T], from the bias of the final norm; undefined: none
};

} // namespace

std::string whyNoAttribution(const network::NetworkConfig& config) {
    if (config.normScheme != network::NormScheme::Pre && config.normScheme != network::NormScheme::Parallel)
        return "The norms of this model rescale the residual stream after each sublayer, so that no part of "
               "it goes "
               "into the logit unchanged.";
    if (config.logitCap > 0)
        return "The logits of this model are capped, so that they are no sum of parts.";
    if (config.embeddingNorm)
        return "This model norms its embedding, so that word and position cannot be told apart.";
    return {};
}

std::vector<trace::LogitAttribution> attributeLogits(const OpenModel& model, const DecoderStream& stream,
                                                     const std::vector<trace::Token>& tokens,
                                                     const std::optional<trace::Token>& contrast) {
    const auto& [weight, bias] = model.network->generator();
    std::vector<std::int64_t> ids;
    for (const auto& token : tokens)
        ids.push_back(token.id);
    const auto idTensor = at::tensor(ids, at::kLong);
    auto direction = network::widened(weight.index_select(0, idTensor)); // [T, d_model]
    auto constant = bias.defined() ? bias.index_select(0, idTensor) : at::zeros({idTensor.size(0)});
    if (contrast) {
        direction = direction - network::widened(weight[contrast->id]);
        if (bias.defined())
            constant = constant - bias[contrast->id];
    }
    direction = direction * model.network->config().outputScale;
    const auto& norm = model.network->decoderFinalNorm();
    const auto& last = stream.residuals.back();
    const auto logits = ((norm ? (*norm)(last) : last) * direction).sum(-1) + constant; // [T]
    std::vector<trace::LogitAttribution> attributions(tokens.size());
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        attributions[t] = {.token = tokens[t],
                           .contrast = contrast,
                           .logit = logits[static_cast<std::int64_t>(t)].item<double>()};
    }
    for (auto& [part, values] : Splitter(model, stream, direction).parts(constant))
        for (std::size_t t = 0; t < tokens.size(); ++t) {
            part.value = values[static_cast<std::int64_t>(t)].item<double>();
            attributions[t].parts.push_back(part);
        }
    return attributions;
}

} // namespace headscope::engine
