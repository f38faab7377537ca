#include "model/engine/measure_importance.h"

#include "model/engine/answers.h"
#include "model/engine/run_recorder.h"
#include "model/engine/tensor_values.h"
#include "model/network/attention_mask.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace headscope::engine {

namespace {

using trace::AttentionKind;

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

/// Passes over a given target, or over the source of an encoder alone, that store no maps.
class ForcedPass {
  public:
    /// `fed`: decoder input, [T]; empty for an encoder alone. The references must outlive the object.
    ForcedPass(const OpenModel& model, const EncodedSource& source, std::vector<std::int64_t> fed,
               std::stop_token stop);

    /// Returns the output of the stack that the model answers with, [T or S, d_model]. Throws
    /// trace::Cancelled.
    at::Tensor output(const network::Interventions& interventions) const;

  private:
    const OpenModel& model_;
    const EncodedSource& source_;
    std::vector<std::int64_t> fed_;
    std::stop_token stop_;
};

ForcedPass::ForcedPass(const OpenModel& model, const EncodedSource& source, std::vector<std::int64_t> fed,
                       std::stop_token stop)
    : model_(model), source_(source), fed_(std::move(fed)), stop_(std::move(stop)) {}

at::Tensor ForcedPass::output(const network::Interventions& interventions) const {
    const auto& network = *model_.network;
    StopWatcher watcher(stop_);
    const network::Pass pass{
        .observer = &watcher, .interventions = &interventions, .longestMap = trace::longestStoredMap};
    const auto memory = interventions.touchesEncoder() ? network.encode(source_.embedded, source_.open, pass)
                                                       : source_.output; // [S, d_model]
    if (fed_.empty())
        return memory;
    const auto ids = at::tensor(fed_, at::kLong);
    auto state = network.startDecoding(memory, source_.open, ids.size(0), &watcher);
    const auto open = network::allowedKeys(ids, model_.maskedInTarget());
    return network.decode(ids, open, state, pass);
}

/// The output of a run, read again without some of the heads.
class OutputReadings {
  public:
    OutputReadings(const MeasuredRun& measured, const std::vector<trace::HeadAddress>& heads,
                   const trace::Ablation& ablation, std::stop_token stop);

    const Answers& answers() const { return answers_; }
    std::vector<trace::Token> tokens() const; ///< [T]
    /// Answers::values() of the T answers, no head removed.
    const at::Tensor& original() const { return original_; }
    /// Returns the same with the heads [first, last) of the order removed.
    at::Tensor without(std::size_t first, std::size_t last) const;

  private:
    const MeasuredRun& measured_;
    const bool decodes_;
    const Answers answers_;
    ForcedPass pass_;
    std::vector<trace::Change> changes_;
    std::vector<trace::Change> removals_;
    at::Tensor original_;
};

OutputReadings::OutputReadings(const MeasuredRun& measured, const std::vector<trace::HeadAddress>& heads,
                               const trace::Ablation& ablation, std::stop_token stop)
    : measured_(measured), decodes_(measured.model.summary->decoderLayers > 0),
      answers_(measured.model, measured.run),
      pass_(measured.model, measured.source,
            decodes_ ? trace::idsOf(measured.run.target) : std::vector<std::int64_t>(), std::move(stop)),
      changes_(effective(measured.run.request.interventions)) {
    for (const auto& head : heads)
        removals_.push_back(trace::removal(head, ablation));
    original_ = without(0, 0);
}

std::vector<trace::Token> OutputReadings::tokens() const {
    auto tokens = answers_.tokens();
    tokens.resize(original_.size(0));
    return tokens;
}

at::Tensor OutputReadings::without(std::size_t first, std::size_t last) const {
    auto changes = changes_;
    auto outputs = measured_.outputs;
    changes.insert(changes.end(), removals_.begin() + first, removals_.begin() + last);
    if (!measured_.removed.empty())
        outputs.insert(outputs.end(), measured_.removed.begin() + first, measured_.removed.begin() + last);
    const auto all = answers_.values(pass_.output({changes, outputs, measured_.model.network->config()}));
    return decodes_ ? all.narrow(0, 0, rowsOfOutput(measured_.run)) : all;
}

/// Tells what is known so far, but not after every pass.
template <class Value>
class OccasionalPartial {
  public:
    explicit OccasionalPartial(const trace::Partial& partial) : partial_(partial) {}

    void tell(const Value& known) {
        constexpr std::chrono::milliseconds interval{100};
        const auto now = std::chrono::steady_clock::now();
        if (!partial_ || now - told_ < interval)
            return;
        partial_(std::make_shared<Value>(known));
        told_ = std::chrono::steady_clock::now();
    }

  private:
    const trace::Partial& partial_;
    std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

} // namespace

std::vector<trace::HeadAddress> allHeads(const trace::ModelSummary& model) {
    std::vector<trace::HeadAddress> heads;
    for (const auto kind : trace::attentionKinds)
        for (int layer = 0; layer < model.layers(kind); ++layer)
            for (int head = 0; head < model.heads(kind); ++head)
                heads.push_back({{kind, layer}, head});
    return heads;
}

std::shared_ptr<const trace::HeadImportance> measureImportance(const MeasuredRun& measured,
                                                               const trace::Ablation& ablation,
                                                               std::stop_token stop,
                                                               const trace::Partial& partial) {
    const auto heads = allHeads(*measured.model.summary);
    const OutputReadings readings(measured, heads, ablation, std::move(stop));
    const auto& answers = readings.answers();
    const auto& original = readings.original();
    const auto before = answers.quantity(original);
    auto result = std::make_shared<trace::HeadImportance>();
    result->request = measured.run.request;
    result->ablation = ablation;
    result->tokens = readings.tokens();
    result->original = floats(before);
    result->contrast = measured.run.contrast;
    result->areNumbers = answers.areNumbers();
    OccasionalPartial<trace::HeadImportance> occasional(partial);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const auto after = readings.without(i, i + 1);
        result->effects.push_back({.head = heads[i],
                                   .importance = floats(before - answers.quantity(after)),
                                   .divergence = floats(answers.divergence(original, after))});
        occasional.tell(*result);
    }
    result->complete = true;
    return result;
}

std::shared_ptr<const trace::RemovalCurve> measureRemoval(const MeasuredRun& measured,
                                                          const trace::RemovalWhat& what,
                                                          std::stop_token stop,
                                                          const trace::Partial& partial) {
    const OutputReadings readings(measured, what.order, what.ablation, std::move(stop));
    auto result = std::make_shared<trace::RemovalCurve>();
    result->request = measured.run.request;
    result->ablation = what.ablation;
    result->order = what.order;
    result->tokens = readings.tokens();
    result->contrast = measured.run.contrast;
    result->areNumbers = readings.answers().areNumbers();
    OccasionalPartial<trace::RemovalCurve> occasional(partial);
    for (const auto count : what.removed) {
        const auto heads = std::min(count, what.order.size());
        const auto left = heads == 0 ? readings.original() : readings.without(0, heads);
        result->removed.push_back(heads);
        result->values.push_back(floats(readings.answers().quantity(left)));
        occasional.tell(*result);
    }
    result->complete = true;
    return result;
}

} // namespace headscope::engine
