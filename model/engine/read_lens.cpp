#include "model/engine/read_lens.h"

#include "model/engine/answers.h"
#include "model/engine/logit_attribution.h"
#include "model/engine/tensor_values.h"
#include "model/network/attention_mask.h"
#include "model/trace/sublayer_site.h"
#include "model/trace/task.h"

#include <ATen/ATen.h>

namespace headscope::engine {

namespace {

/// Stores the residual stream of one stack and the outputs of its heads as tensors.
class StreamRecorder : public network::ForwardObserver {
  public:
    StreamRecorder(ResidualStream& stream, std::stop_token stop) : stream_(stream), stop_(std::move(stop)) {}

    void attention(const network::AttentionReport& report) override {
        this->report();
        stream_.heads[report.site] = report.outputs;
    }
    void attentionRows(const network::AttentionRows&) override { report(); }
    void report() override { trace::throwIfStopped(stop_); }
    void residual(network::Stack, int, const at::Tensor& x) override { stream_.residuals.push_back(x); }
    void added(const at::Tensor& x) override { stream_.added.push_back(x); }

  private:
    ResidualStream& stream_;
    std::stop_token stop_;
};

/// Returns one reading per answer: the prediction after a stage, compared with the final one.
std::vector<trace::LensReading> readStage(const Answers& answers, const at::Tensor& values,
                                          const at::Tensor& final) {
    const auto chosen = at::tensor(trace::idsOf(answers.tokens()), at::kLong);
    const auto ofChosen = values.gather(1, chosen.unsqueeze(1)); // [answers, 1]
    const auto ranks = answers.areNumbers() ? at::zeros_like(chosen) : values.gt(ofChosen).sum(1);
    const auto divergence = answers.divergence(final, values);
    const auto leads = answers.contrast() ? answers.quantity(values) : at::Tensor();
    std::vector<trace::LensReading> readings;
    for (std::int64_t t = 0; t < values.size(0); ++t) {
        readings.push_back({.candidates = answers.best(values[t], t),
                            .chosenLogProbability = ofChosen[t][0].item<float>(),
                            .chosenRank = ranks[t].item<std::int64_t>(),
                            .divergence = divergence[t].item<float>()});
        if (leads.defined())
            readings.back().lead = leads[t].item<float>();
    }
    return readings;
}

ResidualStream streamOfDecoder(const OpenModel& model, const EncodedSource& source,
                               const network::Interventions& interventions, const trace::Run& run,
                               std::stop_token stop) {
    const auto& network = *model.network;
    const auto ids = at::tensor(trace::idsOf(run.target), at::kLong);
    ResidualStream stream{.stack = network::Stack::Decoder,
                          .embedding = &network.targetEmbedding(),
                          .interventions = &interventions};
    StreamRecorder recorder(stream, std::move(stop));
    const network::Pass pass{
        .observer = &recorder, .interventions = &interventions, .longestMap = trace::longestStoredMap};
    auto state = network.startDecoding(source.output, source.open, ids.size(0), &recorder);
    network.decode(ids, network::allowedKeys(ids, model.maskedInTarget()), state, pass);
    stream.positions = network.targetPositions(0, ids.size(0), pass);
    stream.embedded = stream.embedding->words(ids) + stream.positions;
    return stream;
}

ResidualStream streamOfEncoder(const OpenModel& model, const EncodedSource& source,
                               const network::Interventions& interventions, std::stop_token stop) {
    const auto& network = *model.network;
    ResidualStream stream{.stack = network::Stack::Encoder, .interventions = &interventions};
    StreamRecorder recorder(stream, std::move(stop));
    network.encode(
        source.embedded, source.open,
        {.observer = &recorder, .interventions = &interventions, .longestMap = trace::longestStoredMap});
    const auto& positions = source.positions;
    if (positions.rows() == 0) { // vectors were given, positions included
        stream.embedded = source.embedded;
        stream.positions = at::zeros_like(source.embedded);
        return stream;
    }
    stream.embedding = &network.sourceEmbedding();
    stream.positions = at::tensor(positions.values(), at::kFloat)
                           .view({static_cast<std::int64_t>(positions.rows()),
                                  static_cast<std::int64_t>(positions.columns())});
    const auto ids = at::tensor(trace::idsOf(source.tokens), at::kLong);
    stream.embedded = stream.embedding->words(ids, source.segments) + stream.positions;
    return stream;
}

} // namespace

std::shared_ptr<const trace::Lens> readLens(const OpenModel& model, const EncodedSource& source,
                                            const network::Interventions& interventions,
                                            const trace::Run& run, std::stop_token stop) {
    const auto& network = *model.network;
    const Answers answers(model, run);
    const auto stream = model.summary->decoderLayers > 0
                            ? streamOfDecoder(model, source, interventions, run, stop)
                            : streamOfEncoder(model, source, interventions, stop);
    const auto says = [&](const at::Tensor& residual) {
        return answers.values(stream.output(network, residual));
    };
    const auto final = says(stream.residuals.back()); // as Answers::values() has them

    auto lens = std::make_shared<trace::Lens>();
    lens->request = run.request;
    lens->stages = {"embedding"};
    for (const auto& sublayer : stream.sublayers(network.config()))
        lens->stages.push_back(toString(sublayer));
    lens->finalNorm = model.summary->decoderLayers > 0 ? network.decoderFinalNorm().has_value()
                                                       : network.encoderFinalNorm().has_value();
    lens->contrast = run.contrast;
    lens->areNumbers = answers.areNumbers();
    lens->readings.resize(answers.tokens().size());
    for (const auto& residual : stream.residuals) {
        trace::throwIfStopped(stop);
        auto readings = readStage(answers, says(residual), final);
        for (std::size_t t = 0; t < readings.size(); ++t)
            lens->readings[t].push_back(std::move(readings[t]));
    }
    lens->whyNoAttribution = whyNoAttribution(network.config());
    if (lens->whyNoAttribution.empty())
        lens->attributions = attributeLogits(model, stream, answers);
    return lens;
}

} // namespace headscope::engine
