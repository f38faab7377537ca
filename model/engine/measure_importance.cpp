#include "model/engine/measure_importance.h"

#include "model/engine/run_recorder.h"
#include "model/engine/tensor_values.h"
#include "model/network/attention_mask.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <chrono>

namespace headscope::engine {

namespace {

using trace::AttentionKind;

std::vector<trace::HeadAddress> allHeads(const trace::ModelSummary& model) {
    std::vector<trace::HeadAddress> heads;
    for (const auto kind : trace::attentionKinds)
        for (int layer = 0; layer < model.layers(kind); ++layer)
            for (int head = 0; head < model.heads(kind); ++head)
                heads.push_back({{kind, layer}, head});
    return heads;
}

/// Returns the quantity measured, [T]: log p(token), minus log p(contrast) if there is one.
at::Tensor quantity(const at::Tensor& logProbabilities, const at::Tensor& tokens,
                    const std::optional<trace::Token>& contrast) {
    const auto chosen = logProbabilities.gather(1, tokens.unsqueeze(1)).squeeze(1);
    return contrast ? chosen - logProbabilities.select(1, contrast->id) : chosen;
}

/// Returns the rows that predict output tokens. The end token and tokens fed after it predict none.
std::int64_t rowsOfOutput(const trace::Run& run) {
    std::int64_t rows = 0;
    for (std::size_t t = 0; t < run.target.size(); ++t) {
        const auto role = run.target[t].role; // a model may start with its padding or end token
        if (t > 0 && (role == trace::TokenRole::Padding || role == trace::TokenRole::End))
            break;
        ++rows;
    }
    return rows;
}

void refuseWithoutOutput(const trace::ModelSummary& model, const EncodedSource& source) {
    if (model.decoderLayers > 0 || model.classes > 0 || !source.maskCandidates.empty())
        return;
    if (model.tokenPrediction == trace::TokenPrediction::Masked)
        throw trace::Refusal({.what = "The text has no masked token",
                              .where = "the source",
                              .expected = "the mask token " + model.maskPiece + " in place of a word",
                              .found = "none",
                              .wayOut = "put " + model.maskPiece + " in place of a word"});
    throw trace::Refusal({.what = "This model has no output to measure heads by",
                          .where = model.path,
                          .expected = "a model that decodes, classifies or predicts masked tokens",
                          .found = "an encoder alone",
                          .wayOut = "open such a model"});
}

/// Passes over a given target, or over the source of an encoder alone, that store no maps.
class ForcedPass {
  public:
    /// `fed`: decoder input, [T]; empty for an encoder alone. The references must outlive the object.
    ForcedPass(const OpenModel& model, const EncodedSource& source, std::vector<std::int64_t> fed,
               std::stop_token stop);

    /// Returns the log-probabilities of the next tokens, [T, vocabulary]; [1, classes] for a classifier;
    /// [masks, vocabulary] for a model that predicts masked tokens. Throws trace::Cancelled.
    at::Tensor logProbabilities(const network::Interventions& interventions) const;

  private:
    const OpenModel& model_;
    const EncodedSource& source_;
    std::vector<std::int64_t> fed_;
    std::stop_token stop_;
};

ForcedPass::ForcedPass(const OpenModel& model, const EncodedSource& source, std::vector<std::int64_t> fed,
                       std::stop_token stop)
    : model_(model), source_(source), fed_(std::move(fed)), stop_(std::move(stop)) {}

at::Tensor ForcedPass::logProbabilities(const network::Interventions& interventions) const {
    const auto& network = *model_.network;
    StopWatcher watcher(stop_);
    const network::Pass pass{
        .observer = &watcher, .interventions = &interventions, .longestMap = trace::longestStoredMap};
    const auto memory = interventions.touchesEncoder() ? network.encode(source_.embedded, source_.open, pass)
                                                       : source_.output; // [S, d_model]
    if (fed_.empty() && model_.summary->classes > 0)
        return network.classLogProbabilities(memory).unsqueeze(0);
    if (fed_.empty()) {
        std::vector<std::int64_t> masks;
        for (const auto& [place, candidates] : source_.maskCandidates)
            masks.push_back(static_cast<std::int64_t>(place));
        return network.tokenLogProbabilities(memory.index_select(0, at::tensor(masks, at::kLong)));
    }
    const auto ids = at::tensor(fed_, at::kLong);
    auto state = network.startDecoding(memory, source_.open, ids.size(0), &watcher);
    const auto open = network::allowedKeys(ids, model_.maskedInTarget());
    return network.logProbabilities(network.decode(ids, open, state, pass));
}

} // namespace

std::shared_ptr<const trace::HeadImportance>
measureImportance(const OpenModel& model, const EncodedSource& source, const trace::Run& run,
                  const std::vector<network::HeadOutput>& outputs, std::stop_token stop,
                  const trace::Partial& partial) {
    constexpr std::chrono::milliseconds interval{100};
    const bool decodes = model.summary->decoderLayers > 0;
    refuseWithoutOutput(*model.summary, source);
    auto result = std::make_shared<trace::HeadImportance>();
    result->request = run.request;
    result->contrast = run.contrast;
    const ForcedPass pass(model, source, decodes ? trace::idsOf(run.target) : std::vector<std::int64_t>(),
                          stop);
    const auto changes = effective(run.request.interventions);
    const auto& config = model.network->config();
    const auto logProbabilities = [&](const std::vector<trace::Change>& changed) {
        const auto all = pass.logProbabilities({changed, outputs, config}); // [rows, vocabulary or classes]
        return decodes ? all.narrow(0, 0, rowsOfOutput(run)) : all;
    };
    const auto original = logProbabilities(changes);
    if (decodes)
        result->tokens.assign(run.next.begin(), run.next.begin() + original.size(0));
    else if (model.summary->classes > 0)
        result->tokens = {{.id = original.argmax().item<std::int64_t>(), .piece = "class"}};
    else
        for (std::int64_t mask = 0; mask < original.size(0); ++mask)
            result->tokens.push_back(model.targetToken(original[mask].argmax().item<std::int64_t>()));
    const auto tokens = at::tensor(trace::idsOf(result->tokens), at::kLong);
    const auto before = quantity(original, tokens, result->contrast);
    result->original = floats(before);

    auto told = std::chrono::steady_clock::now();
    for (const auto& head : allHeads(*model.summary)) {
        auto without = changes;
        without.push_back(trace::withoutHead(head).change);
        const auto after = logProbabilities(without);
        const auto divergence = (original.exp() * (original - after)).nansum(1); // 0 log 0 = 0
        result->effects.push_back({.head = head,
                                   .importance = floats(before - quantity(after, tokens, result->contrast)),
                                   .divergence = floats(divergence)});
        if (const auto now = std::chrono::steady_clock::now(); partial && now - told >= interval) {
            partial(std::make_shared<trace::HeadImportance>(*result));
            told = std::chrono::steady_clock::now();
        }
    }
    result->complete = true;
    return result;
}

} // namespace headscope::engine
