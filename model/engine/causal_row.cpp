#include "model/engine/causal_row.h"

#include "model/engine/run_recorder.h"
#include "model/engine/whole_path.h"
#include "model/network/attention_mask.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <string>

namespace headscope::engine {

namespace {

void refuseMissingStep(const trace::Run& run, std::size_t step) {
    if (step < run.next.size())
        return;
    throw trace::Refusal({.what = "There is no such step",
                          .where = "the decoded target",
                          .expected = "a step from 0 to " + std::to_string(run.next.size() - 1),
                          .found = "step " + std::to_string(step),
                          .wayOut = "choose a step that was decoded"});
}

void refuseOtherAttention(const trace::HeadAddress& head) {
    if (head.site.kind == trace::AttentionKind::Cross)
        return;
    throw trace::Refusal({.what = "Only cross-attention looks at source tokens step by step",
                          .where = toString(head),
                          .expected = "a head of cross-attention",
                          .found = "another one",
                          .wayOut = "choose a head such as cross.0.0"});
}

/// What the decoder says of the token that a step chose. The encoder's output stays as it is: nothing that is
/// closed here reaches it.
class StepPass {
  public:
    StepPass(const OpenModel& model, const EncodedSource& source, const trace::Run& run, std::size_t step,
             const std::vector<network::HeadOutput>& outputs, std::stop_token stop)
        : model_(model), source_(source), outputs_(outputs), stop_(std::move(stop)),
          step_(static_cast<std::int64_t>(step)), token_(run.next[step].id) {
        // Later rows change nothing, unless the mask is lifted.
        const auto changes = effective(run.request.interventions);
        const bool all = network::Interventions(changes, outputs, model.network->config()).liftsMask();
        std::vector<std::int64_t> fed;
        for (std::size_t t = 0; t < (all ? run.target.size() : step + 1); ++t)
            fed.push_back(run.target[t].id);
        ids_ = at::tensor(fed, at::kLong);
        openFed_ = network::openKeys(ids_, model.maskedInTarget());
    }

    double logProbability(const std::vector<trace::Change>& changes, const at::Tensor& openSource) const {
        const auto& network = *model_.network;
        const network::Interventions interventions(changes, outputs_, network.config());
        StopWatcher watcher(stop_);
        auto state = network.startDecoding(source_.output, openSource, ids_.size(0));
        const auto decoded =
            network.decode(ids_, openFed_, state, {.observer = &watcher, .interventions = &interventions});
        const auto says = network.logProbabilities(decoded.narrow(0, step_, 1)); // [1, vocabulary]
        return says[0][token_].item<double>();
    }

  private:
    const OpenModel& model_;
    const EncodedSource& source_;
    const std::vector<network::HeadOutput>& outputs_;
    std::stop_token stop_;
    std::int64_t step_;
    std::int64_t token_;
    at::Tensor ids_;     ///< [T]
    at::Tensor openFed_; ///< [T] bool
};

} // namespace

std::shared_ptr<const trace::CausalRow> causalRow(const OpenModel& model, const EncodedSource& source,
                                                  const trace::Run& run,
                                                  const std::vector<network::HeadOutput>& outputs,
                                                  std::size_t step, std::optional<trace::HeadAddress> head,
                                                  std::stop_token stop) {
    if (head)
        refuseOtherAttention(*head);
    refuseMissingHead(*model.summary, head.value_or(trace::HeadAddress{{trace::AttentionKind::Cross, 0}, 0}));
    refuseMissingStep(run, step);
    const StepPass pass(model, source, run, step, outputs, std::move(stop));
    const auto changes = effective(run.request.interventions);
    auto row = std::make_shared<trace::CausalRow>();
    row->request = run.request;
    row->step = step;
    row->head = head;
    row->token = run.next[step];
    row->logProbability = pass.logProbability(changes, source.open);
    row->drops.assign(source.tokens.size(), std::numeric_limits<double>::quiet_NaN());
    const auto others = source.open.sum().item<std::int64_t>() - 1;
    for (std::size_t key = 0; key < row->drops.size() && others > 0; ++key) {
        auto closed = changes;
        auto open = source.open;
        if (!open[static_cast<std::int64_t>(key)].item<bool>())
            continue;
        if (head) {
            const trace::BlockCell cell{.head = *head, .query = step, .key = key};
            if (std::ranges::find(changes, trace::Change(cell)) != changes.end())
                continue; // closed by hand
            closed.push_back(cell);
        } else {
            open = open.clone();
            open[static_cast<std::int64_t>(key)] = false;
        }
        try {
            row->drops[key] = row->logProbability - pass.logProbability(closed, open);
        } catch (const trace::Refusal&) {
            // All others of a row are closed by hand, and its last open cell cannot be.
        }
    }
    return row;
}

} // namespace headscope::engine
