#include "model/engine/logit_attribution.h"

#include "model/network/matrix_product.h"
#include "model/trace/sublayer_site.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <iterator>

namespace headscope::engine {

namespace {

using network::LinearReading;
using network::NormScheme;
using trace::LogitPart;
/// A part with its values, one a row that is read.
using Part = std::pair<LogitPart, at::Tensor>;

const std::optional<network::Norm>& finalNorm(const network::Transformer& network, network::Stack stack) {
    return stack == network::Stack::Encoder ? network.encoderFinalNorm() : network.decoderFinalNorm();
}

/// Follows a reading of a stack's output back through the stack. All norms keep their divisors, which makes
/// them linear, so that what each sublayer wrote is a summand.
class Splitter {
  public:
    /// `rows`: [n] int64, those of `reading`; undefined: all.
    Splitter(const network::Transformer& network, const ResidualStream& stream, at::Tensor rows,
             LinearReading reading)
        : network_(network), stream_(stream), rows_(std::move(rows)), reading_(std::move(reading)) {}

    /// In the order of the stream.
    std::vector<Part> parts() {
        if (const auto& norm = finalNorm(network_, stream_.stack))
            reading_ = norm->freeze(rowsOf(stream_.residuals.back())).before(reading_);
        const auto sublayers = stream_.sublayers(network_.config());
        std::vector<std::vector<Part>> added(sublayers.size());
        for (std::size_t i = sublayers.size(); i-- > 0;)
            added[i] = addedBy(sublayers[i], rowsOf(stream_.residuals[i]), rowsOf(stream_.added[i]));
        const auto embedded = rowsOf(stream_.embedded), positions = rowsOf(stream_.positions);
        if (stream_.embedding)
            reading_ = stream_.embedding->before(reading_, embedded);
        std::vector<Part> parts{{{.kind = LogitPart::Kind::Bias}, reading_.constant},
                                {{.kind = LogitPart::Kind::Embedding}, read(embedded - positions)},
                                {{.kind = LogitPart::Kind::Position}, read(positions)}};
        for (auto& ofSublayer : added)
            std::ranges::move(ofSublayer, std::back_inserter(parts));
        return parts;
    }

  private:
    bool decodes() const { return stream_.stack == network::Stack::Decoder; }
    at::Tensor rowsOf(const at::Tensor& x) const { return rows_.defined() ? x.index_select(0, rows_) : x; }
    at::Tensor read(const at::Tensor& part) const { return (reading_.direction * part).sum(-1); }

    /// Moves the reading from behind the sublayer to the stream before it.
    std::vector<Part> addedBy(const trace::SublayerAddress& sublayer, const at::Tensor& before,
                              const at::Tensor& added) {
        const auto& config = network_.config();
        const auto scheme = (decodes() ? config.decoder : config.encoder).normScheme;
        const auto& norm = network_.norm(sublayer);
        const double factor = stream_.interventions->sublayerFactor(sublayer);
        const auto entering = scheme == NormScheme::PreNormedResidual ? norm(before) : before;
        const auto sum = entering + (factor == 1 ? added : added * factor);
        if (scheme == NormScheme::Post)
            reading_ = norm.freeze(sum).before(reading_);
        auto parts = trace::attentionSite(sublayer)
                         ? headsOf(sublayer, factor)
                         : std::vector<Part>{{{.kind = LogitPart::Kind::FeedForward, .sublayer = sublayer},
                                              read(sum - entering)}};
        if (scheme == NormScheme::PreNormedResidual)
            reading_ = norm.freeze(before).before(reading_);
        return parts;
    }

    std::vector<Part> headsOf(const trace::SublayerAddress& sublayer, double factor) const {
        const auto site = *trace::attentionSite(sublayer);
        const auto& projection = network_.attention(site).attention.output();
        factor *= projection.factor;
        const auto weight = network::widened(projection.weight); // [d_model, heads * d_k]
        const auto& outputs = stream_.heads.at(site);            // [heads, rows, d_k]
        const auto width = outputs.size(2);
        std::vector<Part> parts;
        for (std::int64_t head = 0; head < outputs.size(0); ++head) {
            const auto written = at::matmul(rowsOf(outputs[head]), weight.narrow(1, head * width, width).t());
            parts.emplace_back(LogitPart{.kind = LogitPart::Kind::Head, .sublayer = sublayer, .head = head},
                               read(written) * factor);
        }
        if (projection.bias.defined())
            parts.emplace_back(LogitPart{.kind = LogitPart::Kind::AttentionBias, .sublayer = sublayer},
                               at::matmul(reading_.direction, projection.bias) * factor);
        return parts;
    }

    const network::Transformer& network_;
    const ResidualStream& stream_;
    at::Tensor rows_;
    LinearReading reading_; ///< of the stream at the place that parts() has come to
};

/// A single row of the largest values, read as the rows of `output` that hold them.
LinearReading unpooled(const LinearReading& reading, const at::Tensor& output) {
    const auto holders = std::get<1>(output.max(0)); // [d_model]
    auto constant = at::zeros({output.size(0)});
    constant[0] = reading.constant[0];
    return {.direction = at::zeros_like(output).scatter(0, holders.unsqueeze(0), reading.direction),
            .constant = constant};
}

/// [outputs, width] of the output projection, less that of another output.
LinearReading readingOf(const network::Linear& projection, const at::Tensor& outputs,
                        const std::optional<trace::Token>& contrast) {
    const auto& weight = projection.weight;
    const auto& bias = projection.bias;
    LinearReading reading{.direction = network::rowsOf(weight, outputs),
                          .constant =
                              bias.defined() ? bias.index_select(0, outputs) : at::zeros({outputs.size(0)})};
    if (contrast) {
        reading.direction =
            reading.direction - network::rowsOf(weight, at::tensor({contrast->id}, at::kLong));
        if (bias.defined())
            reading.constant = reading.constant - bias[contrast->id];
    }
    return reading;
}

/// Splits the outputs at some rows of the stream, [n] each; undefined rows: of the largest values.
std::vector<trace::LogitAttribution> split(const OpenModel& model, const ResidualStream& stream,
                                           const at::Tensor& rows, const at::Tensor& outputs,
                                           const std::optional<trace::Token>& contrast) {
    const auto& network = *model.network;
    const auto output = stream.output(network, stream.residuals.back());
    const auto said = rows.defined() ? output.index_select(0, rows) : std::get<0>(output.max(0, true));
    const bool decodes = stream.stack == network::Stack::Decoder;
    const double scale = decodes ? network.config().outputScale : 1;
    const auto& head = network.head();
    auto reading = readingOf(head.output(), outputs, contrast);
    const auto logits = (head.features(said * scale) * reading.direction).sum(-1) + reading.constant; // [n]
    reading = head.before(reading, said * scale);
    reading.direction = reading.direction * scale;
    if (!rows.defined())
        reading = unpooled(reading, output);
    std::vector<trace::LogitAttribution> attributions(outputs.size(0));
    for (std::size_t t = 0; t < attributions.size(); ++t)
        attributions[t].logit = logits[static_cast<std::int64_t>(t)].item<double>();
    for (auto& [part, ofRows] : Splitter(network, stream, rows, reading).parts()) {
        const auto values = rows.defined() ? ofRows : ofRows.sum(0, true); // [n]
        for (std::size_t t = 0; t < attributions.size(); ++t) {
            part.value = values[static_cast<std::int64_t>(t)].item<double>();
            attributions[t].parts.push_back(part);
        }
    }
    return attributions;
}

} // namespace

at::Tensor ResidualStream::output(const network::Transformer& network, const at::Tensor& residual) const {
    const auto& norm = finalNorm(network, stack);
    return norm ? (*norm)(residual) : residual;
}

std::vector<trace::SublayerAddress> ResidualStream::sublayers(const network::NetworkConfig& config) const {
    const bool isEncoder = stack == network::Stack::Encoder;
    std::vector<trace::SublayerAddress> sublayers;
    for (int layer = 0; layer < (isEncoder ? config.encoder : config.decoder).layers; ++layer)
        for (const auto kind :
             isEncoder ? trace::encoderSublayers() : trace::decoderSublayers(config.hasCrossAttention()))
            sublayers.push_back({kind, layer});
    return sublayers;
}

std::string whyNoAttribution(const network::NetworkConfig& config) {
    const auto scheme = (config.decoder.layers > 0 ? config.decoder : config.encoder).normScheme;
    if (scheme == NormScheme::Sandwich || scheme == NormScheme::SublayerOutput)
        return "This model norms what each sublayer adds, so that a sublayer is no sum of its heads.";
    if (config.logitCap > 0)
        return "The logits of this model are capped, so that they are no sum of parts.";
    return {};
}

std::vector<trace::LogitAttribution> attributeLogits(const OpenModel& model, const ResidualStream& stream,
                                                     const Answers& answers) {
    const auto& outputs = answers.outputs();
    const auto& contrast = answers.contrast();
    std::vector<trace::LogitAttribution> attributions;
    if (answers.rows().defined())
        attributions = split(model, stream, answers.rows(), outputs,
                             answers.isSpan() ? std::optional<trace::Token>() : contrast);
    for (std::int64_t t = 0; !answers.rows().defined() && t < outputs.size(0); ++t)
        std::ranges::move(split(model, stream, {}, outputs.narrow(0, t, 1), contrast),
                          std::back_inserter(attributions));
    if (contrast && answers.isSpan()) { // the same output at another row
        // Of two float32 numbers, as the model has it.
        const auto less = [](double& one, double other) { one = static_cast<float>(one - other); };
        const auto others = split(model, stream, at::full_like(outputs, contrast->id), outputs, {});
        for (std::size_t t = 0; t < attributions.size(); ++t) {
            less(attributions[t].logit, others[t].logit);
            for (std::size_t i = 0; i < attributions[t].parts.size(); ++i)
                less(attributions[t].parts[i].value, others[t].parts[i].value);
        }
    }
    for (std::size_t t = 0; t < attributions.size(); ++t) {
        attributions[t].token = answers.tokens()[t];
        attributions[t].contrast = contrast;
    }
    return attributions;
}

} // namespace headscope::engine
