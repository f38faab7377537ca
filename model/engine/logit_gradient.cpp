#include "model/engine/logit_gradient.h"

#include "model/engine/tensor_values.h"
#include "model/network/attention_block.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <string>

namespace headscope::engine {

namespace {

/// Returns the logit of the token in `maps`, minus that of the run's contrast token if there is one.
at::Tensor comparedLogit(const at::Tensor& logits, const trace::Run& run, trace::QuantityMaps& maps) {
    maps.contrast = run.contrast;
    return maps.contrast ? logits[maps.token->id] - logits[maps.contrast->id] : logits[maps.token->id];
}

/// Returns the scalar to differentiate and records in `maps` what it belongs to.
at::Tensor chosenLogit(const OpenModel& model, const network::WholePass& pass, const trace::Run& run,
                       std::size_t step, trace::QuantityMaps& maps) {
    if (!pass.decoderOutput.defined()) {
        const auto logits = model.network->classLogits(pass.encoderOutput); // [classes]
        const std::size_t classes = logits.size(0);
        if (step >= classes)
            throw trace::Refusal({.what = "There is no such class to take the gradient of",
                                  .where = model.summary->path,
                                  .expected = "a class from 0 to " + std::to_string(classes - 1),
                                  .found = "class " + std::to_string(step),
                                  .wayOut = "choose one of its classes"});
        maps.step = step;
        maps.token = trace::Token{.id = static_cast<std::int64_t>(step), .piece = "class"};
        return comparedLogit(logits, run, maps);
    }
    if (step >= run.next.size())
        throw trace::Refusal({.what = "There is no such step to take the gradient of",
                              .where = "the decoded target",
                              .expected = "a step from 0 to " + std::to_string(run.next.size() - 1),
                              .found = "step " + std::to_string(step),
                              .wayOut = "choose a step that was decoded"});
    maps.step = step;
    maps.token = run.next[maps.step];
    const auto row = pass.decoderOutput.narrow(0, static_cast<std::int64_t>(maps.step), 1);
    const auto logits = model.network->logits(row)[0]; // [vocabulary]
    return comparedLogit(logits, run, maps);
}

} // namespace

void fillGradientMaps(trace::QuantityMaps& maps, const OpenModel& model, const network::PassInput& input,
                      const trace::Run& run, std::size_t step, std::stop_token stop) {
    if (!input.fed.defined() && model.summary->classes == 0)
        throw trace::Refusal({.what = "There is no output whose gradient could be taken",
                              .where = model.summary->path,
                              .expected = "a model that chooses tokens or classes",
                              .found = "an encoder alone",
                              .wayOut = "choose another quantity"});
    const c10::InferenceMode usual(false);
    const c10::AutoGradMode recording(true);
    const bool inEncoder = maps.site.kind == trace::AttentionKind::EncoderSelf;
    const auto rows = inEncoder ? input.embedded.size(0) : input.fed.size(0);
    const auto& config = model.network->config();
    const network::OutputProbe probe{
        .site = maps.site,
        .added = at::zeros({rows, config.widthOf(config.stackOf(maps.site.kind))}).requires_grad_()};
    const auto pass = network::wholePass(*model.network, input, &probe, stop);
    const auto logit = chosenLogit(model, pass, run, step, maps);
    if (stop.stop_requested())
        throw trace::Cancelled();
    const auto gradient = torch::autograd::grad({logit}, {probe.added})[0]; // [rows, d_model]

    // dF/da_ij = f(x_j) . dF/d(output_i); the latter includes the sublayer's own factor.
    const c10::NoGradGuard done;
    const auto& here = pass.sites.at(maps.site);
    const network::AttentionBlock block(*model.network, input.interventions, maps.site, here);
    const auto byWeight = at::matmul(gradient, block.written().transpose(1, 2)); // [heads, rows, keys]
    maps.values = headStack(here.weights * byWeight);
    maps.mask = maskMatrix(here.open);
    maps.sourceColumns = maps.site.kind == trace::AttentionKind::DecoderSelf ? 0 : maps.mask.columns();
}

} // namespace headscope::engine
