#include "model/engine/whole_path.h"

#include "model/network/attention_mask.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

namespace headscope::engine {

namespace {

/// "a layer from 0 to 5"
std::string fromZeroTo(const char* what, int count) {
    return std::string(what) + " from 0 to " + std::to_string(count - 1);
}

} // namespace

void refuseMissingSite(const trace::ModelSummary& model, const trace::AttentionSite& site) {
    const int layers = model.layers(site.kind);
    if (site.layer < layers)
        return;
    throw trace::Refusal(
        {.what = "There is no such attention",
         .where = toString(site),
         .expected = layers > 0 ? fromZeroTo("a layer", layers) : "a kind of attention that this model has",
         .found = "layer " + std::to_string(site.layer),
         .wayOut = "choose another layer"});
}

void refuseMissingHead(const trace::ModelSummary& model, const trace::HeadAddress& head) {
    refuseMissingSite(model, head.site);
    if (head.head < model.heads(head.site.kind))
        return;
    throw trace::Refusal({.what = "There is no such head",
                          .where = toString(head),
                          .expected = fromZeroTo("a head", model.heads(head.site.kind)),
                          .found = "head " + std::to_string(head.head),
                          .wayOut = "choose another head"});
}

network::PassInput pathInputOf(const OpenModel& model, const EncodedSource& source,
                               const network::Interventions& interventions, const trace::Run& run) {
    network::PassInput input{
        .embedded = source.embedded, .openSource = source.open, .interventions = interventions};
    if (run.target.empty())
        return input;
    std::vector<std::int64_t> fed;
    for (const auto& token : run.target)
        fed.push_back(token.id);
    input.fed = at::tensor(fed, at::kLong);
    input.openFed = network::allowedKeys(input.fed, model.maskedInTarget());
    return input;
}

network::PassInput wholePathOf(const OpenModel& model, const EncodedSource& source,
                               const network::Interventions& interventions, const trace::Run& run) {
    const auto sources = source.length();
    const auto targets = static_cast<std::int64_t>(run.target.size());
    refuseTooLong(sources, sources, model.summary->encoderHeads, model.summary->encoderLayers);
    refuseTooLong(targets, targets + sources, model.summary->decoderHeads, model.summary->decoderLayers);
    return pathInputOf(model, source, interventions, run);
}

} // namespace headscope::engine
