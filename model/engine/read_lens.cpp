#include "model/engine/read_lens.h"

#include "model/engine/best_candidates.h"
#include "model/engine/logit_attribution.h"
#include "model/engine/tensor_values.h"
#include "model/network/attention_mask.h"
#include "model/trace/refusal.h"
#include "model/trace/sublayer_site.h"

#include <ATen/ATen.h>

namespace headscope::engine {

namespace {

constexpr std::size_t shown = 10; // candidates per reading

/// Stores the residual stream and the outputs of heads as tensors.
class StreamRecorder : public network::ForwardObserver {
  public:
    StreamRecorder(DecoderStream& stream, std::stop_token stop) : stream_(stream), stop_(std::move(stop)) {}

    void attention(const network::AttentionReport& report) override {
        this->report();
        (report.site.kind == trace::AttentionKind::Cross ? stream_.cross : stream_.self)
            .push_back(report.outputs);
    }
    void attentionRows(const network::AttentionRows&) override { report(); }
    void report() override { trace::throwIfStopped(stop_); }
    void residual(network::Stack, int, const at::Tensor& x) override { stream_.residuals.push_back(x); }

  private:
    DecoderStream& stream_;
    std::stop_token stop_;
};

std::vector<std::string> stagesOf(const network::NetworkConfig& config) {
    std::vector<std::string> stages{"embedding"};
    for (int layer = 0; layer < config.decoder.layers; ++layer)
        for (const auto kind : trace::decoderSublayers(config.hasCrossAttention()))
            stages.push_back(toString(trace::SublayerAddress{kind, layer}));
    return stages;
}

/// Returns one reading per step: the prediction after a stage, compared with the final one.
std::vector<trace::LensReading> readStage(const OpenModel& model, const at::Tensor& residual,
                                          const at::Tensor& final, const at::Tensor& chosen,
                                          const std::optional<trace::Token>& contrast) {
    const auto& norm = model.network->decoderFinalNorm();
    const auto values =
        model.network->logProbabilities(norm ? (*norm)(residual) : residual); // [T, vocabulary]
    const auto ofChosen = values.gather(1, chosen.unsqueeze(1));              // [T, 1]
    const auto ranks = values.gt(ofChosen).sum(1);
    const auto divergence = (final.exp() * (final - values)).nansum(1);
    std::vector<trace::LensReading> readings;
    for (std::int64_t t = 0; t < values.size(0); ++t) {
        readings.push_back({.candidates = bestCandidates(model, floats(values[t]), shown),
                            .chosenLogProbability = ofChosen[t][0].item<float>(),
                            .chosenRank = ranks[t].item<std::int64_t>(),
                            .divergence = divergence[t].item<float>()});
        if (contrast)
            readings.back().lead = (ofChosen[t][0] - values[t][contrast->id]).item<float>();
    }
    return readings;
}

} // namespace

std::shared_ptr<const trace::Lens> readLens(const OpenModel& model, const EncodedSource& source,
                                            const network::Interventions& interventions,
                                            const trace::Run& run, std::stop_token stop) {
    if (model.summary->decoderLayers == 0)
        throw trace::Refusal({.what = "There is no decoder whose layers could say a next token",
                              .where = model.summary->path,
                              .expected = "a model with a decoder",
                              .found = "an encoder alone",
                              .wayOut = "open a model that decodes"});
    const auto& network = *model.network;
    std::vector<std::int64_t> fed;
    std::vector<std::int64_t> next;
    for (std::size_t t = 0; t < run.target.size(); ++t) {
        fed.push_back(run.target[t].id);
        next.push_back(run.next[t].id);
    }
    const auto ids = at::tensor(fed, at::kLong);
    const auto chosen = at::tensor(next, at::kLong);
    DecoderStream stream{.interventions = &interventions};
    StreamRecorder recorder(stream, std::move(stop));
    const network::Pass pass{
        .observer = &recorder, .interventions = &interventions, .longestMap = trace::longestStoredMap};
    auto state = network.startDecoding(source.output, source.open, ids.size(0), &recorder);
    const auto output = network.decode(ids, network::allowedKeys(ids, model.maskedInTarget()), state, pass);
    const auto final = network.logProbabilities(output); // [T, vocabulary]
    stream.positions = network.targetPositions(0, ids.size(0), pass);

    auto lens = std::make_shared<trace::Lens>();
    lens->request = run.request;
    lens->stages = stagesOf(network.config());
    lens->finalNorm = network.decoderFinalNorm().has_value();
    lens->contrast = run.contrast;
    lens->readings.resize(fed.size());
    for (const auto& residual : stream.residuals) {
        auto readings = readStage(model, residual, final, chosen, lens->contrast);
        for (std::size_t t = 0; t < readings.size(); ++t)
            lens->readings[t].push_back(std::move(readings[t]));
    }
    lens->whyNoAttribution = whyNoAttribution(network.config());
    if (lens->whyNoAttribution.empty())
        lens->attributions = attributeLogits(model, stream, run.next, lens->contrast);
    return lens;
}

} // namespace headscope::engine
