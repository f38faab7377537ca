#include "model/engine/expert_routing.h"

#include "model/engine/run_memory.h"
#include "model/engine/whole_path.h"
#include "model/files/available_memory.h"
#include "model/network/forward_observer.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace headscope::engine {

namespace {

/// Keeps the routers' choices and nothing else.
class RouterRecorder : public network::ForwardObserver {
  public:
    RouterRecorder(trace::ExpertRouting& routing, std::stop_token stop)
        : routing_(routing), stop_(std::move(stop)) {}

    void attention(const network::AttentionReport&) override { report(); }
    void attentionRows(const network::AttentionRows&) override { report(); }
    void residual(network::Stack, int, const at::Tensor&) override { report(); }
    void report() override { trace::throwIfStopped(stop_); }

    void routed(const network::RouterReport& router) override {
        auto& layers = routing_.layers;
        if (layers.empty() || layers.back().layer != router.layer)
            layers.push_back({.layer = router.layer});
        const auto experts = router.experts.to(at::kInt).contiguous();
        const auto weights = router.weights.contiguous();
        auto& layer = layers.back();
        layer.experts.insert(layer.experts.end(), experts.data_ptr<int>(),
                             experts.data_ptr<int>() + experts.numel());
        layer.weights.insert(layer.weights.end(), weights.data_ptr<float>(),
                             weights.data_ptr<float>() + weights.numel());
    }

  private:
    trace::ExpertRouting& routing_;
    std::stop_token stop_;
};

} // namespace

std::shared_ptr<const trace::ExpertRouting> expertRouting(const OpenModel& model, const EncodedSource& source,
                                                          const network::Interventions& interventions,
                                                          const trace::Run& run, std::stop_token stop) {
    const auto& config = model.network->config();
    const auto& experts = config.decoder.experts;
    if (experts.count == 0)
        throw trace::Refusal({.what = "This model has no experts",
                              .where = model.summary->name,
                              .expected = "a mixture of experts",
                              .found = "one feed-forward network for all tokens",
                              .wayOut = "open a model with experts, such as Mixtral"});
    auto routing = std::make_shared<trace::ExpertRouting>(trace::ExpertRouting{
        .request = run.request, .experts = experts.count, .used = experts.used, .layers = {}});
    const auto longestMap = run.request.recording.longestMap;
    refuseTooLittleMemoryForPass(config,
                                 {.source = source.length(),
                                  .target = static_cast<std::int64_t>(run.target.size()),
                                  .longestMap = longestMap},
                                 files::availableMemory());
    const auto input = pathInputOf(model, source, interventions, run);
    RouterRecorder recorder(*routing, std::move(stop));
    const network::Pass pass{
        .observer = &recorder, .interventions = &interventions, .longestMap = longestMap};
    const auto output = model.network->encode(input.embedded, input.openSource, pass);
    auto state = model.network->startDecoding(output, input.openSource, input.fed.size(0), &recorder);
    model.network->decode(input.fed, input.openFed, state, pass);
    return routing;
}

} // namespace headscope::engine
