#include "model/engine/causal_row.h"

#include "model/engine/run_recorder.h"
#include "model/engine/whole_path.h"
#include "model/network/attention_mask.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace headscope::engine {

namespace {

using trace::HeadAddress;
using Changes = std::vector<trace::Change>;

void refuseMissingStep(const trace::Run& run, std::size_t step) {
    if (step < run.next.size())
        return;
    const bool none = run.next.empty();
    throw trace::Refusal({.what = "There is no such step",
                          .where = "the decoded target",
                          .expected = none ? "a target of one step at least"
                                           : "a step from 0 to " + std::to_string(run.next.size() - 1),
                          .found = none ? "a target without steps" : "step " + std::to_string(step),
                          .wayOut = none ? "decode a token first" : "choose a step that was decoded"});
}

/// The attention through which a step reads source tokens, or the tokens before it.
trace::AttentionKind kindOf(const trace::ModelSummary& model) {
    return model.isDecoderAlone() ? trace::AttentionKind::DecoderSelf : trace::AttentionKind::Cross;
}

void refuseOtherAttention(const trace::ModelSummary& model, const HeadAddress& head) {
    if (head.site.kind == kindOf(model))
        return;
    throw trace::Refusal(
        {.what = model.isDecoderAlone() ? "This model has self-attention of its decoder alone"
                                        : "Only cross-attention looks at source tokens step by step",
         .where = toString(head),
         .expected = std::string("a head of ") + (model.isDecoderAlone() ? "the decoder" : "cross-attention"),
         .found = "another one",
         .wayOut = "choose a head such as " + toString(HeadAddress{{kindOf(model), 0}, 0})});
}

std::vector<trace::Token> fedTokens(const trace::Run& run, std::size_t step, bool later) {
    const auto end = run.target.begin() + static_cast<std::ptrdiff_t>(step) + 1;
    return {run.target.begin(), later ? run.target.end() : end};
}

/// Log-probabilities of the token chosen by one step, with keys masked; minus that of a contrast token if
/// there is one. The encoder output stays the same, because no masked key affects it. Everything that does
/// not depend on the masked keys is computed once: keys and values of the source and, if only a cell of the
/// step's own row is masked, the rows before it.
class StepPasses {
  public:
    StepPasses(const OpenModel& model, const EncodedSource& source, const trace::Run& run, std::size_t step,
               bool onlyItsRow, const std::vector<network::HeadOutput>& outputs, std::stop_token stop)
        : network_(*model.network), outputs_(outputs), stop_(std::move(stop)), token_(run.next[step].id),
          contrast_(run.contrast) {
        const auto changes = effective(run.request.interventions);
        // Later rows matter only if the causal mask is lifted.
        isMaskLifted_ = network::Interventions(changes, outputs, network_.config()).liftsMask();
        std::vector<std::int64_t> fed;
        for (const auto& token : fedTokens(run, step, isMaskLifted_))
            fed.push_back(token.id);
        ids_ = at::tensor(fed, at::kLong);
        openFed_ = network::allowedKeys(ids_, model.maskedInTarget());
        step_ = static_cast<std::int64_t>(step);
        state_ = network_.startDecoding(source.output, source.open, ids_.size(0));
        if (onlyItsRow && !isMaskLifted_ && step_ > 0) {
            decode(0, step_, changes, openFed_);
            kept_ = step_;
        }
    }

    std::int64_t fed() const { return ids_.size(0); }
    const at::Tensor& openFed() const { return openFed_; } ///< [fed] bool
    const std::optional<trace::Token>& contrast() const { return contrast_; }

    double logProbability(const Changes& changes, const at::Tensor& openSource) {
        state_.openSource = openSource;
        return after(kept_, changes, openFed_);
    }

    /// A fed token before the step is masked for the rows after it. The rows up to it are those of the passes
    /// before, so that tokens have to be masked in descending order, after logProbability().
    double withoutFed(const Changes& changes, std::int64_t key) {
        auto open = openFed_.clone();
        open[key] = false;
        return after(isMaskLifted_ ? 0 : key + 1, changes, open);
    }

  private:
    /// Computes the rows after the first `kept` ones. `open`: [fed] bool, keys of these rows.
    double after(std::int64_t kept, const Changes& changes, const at::Tensor& open) {
        for (auto& layer : state_.fed)
            layer.truncate(kept);
        state_.openTarget = open.narrow(0, 0, kept);
        const auto decoded = decode(kept, fed() - kept, changes, open); // [fed - kept, d_model]
        const auto says = network_.logProbabilities(decoded.narrow(0, step_ - kept, 1)); // [1, vocabulary]
        const auto ofToken = says[0][token_];
        return (contrast_ ? ofToken - says[0][contrast_->id] : ofToken).item<double>();
    }

    at::Tensor decode(std::int64_t first, std::int64_t n, const Changes& changes, const at::Tensor& open) {
        const network::Interventions interventions(changes, outputs_, network_.config());
        StopWatcher watcher(stop_);
        return network_.decode(ids_.narrow(0, first, n), open.narrow(0, first, n), state_,
                               {.observer = &watcher, .interventions = &interventions});
    }

    const network::Transformer& network_;
    const std::vector<network::HeadOutput>& outputs_;
    std::stop_token stop_;
    std::int64_t token_;
    std::optional<trace::Token> contrast_;
    bool isMaskLifted_ = false;
    std::int64_t step_ = 0;
    std::int64_t kept_ = 0; ///< rows shared by all passes
    at::Tensor ids_;        ///< [fed]
    at::Tensor openFed_;    ///< [fed] bool
    network::DecoderState state_;
};

/// Returns the keys that can be masked: they are allowed and not the only allowed key of a row.
std::vector<bool> closableKeys(const at::Tensor& openSource, const Changes& changes, std::size_t step,
                               const std::optional<HeadAddress>& head, std::size_t fed) {
    std::vector<bool> open;
    for (std::int64_t key = 0; key < openSource.size(0); ++key)
        open.push_back(openSource[key].item<bool>());
    // Rows in which the user masked cells.
    std::map<std::pair<HeadAddress, std::size_t>, std::vector<bool>> rows;
    for (const auto& change : changes)
        if (const auto* cell = std::get_if<trace::BlockCell>(&change);
            cell && cell->head.site.kind == trace::AttentionKind::Cross && cell->query < fed &&
            cell->key < open.size())
            rows.try_emplace({cell->head, cell->query}, open).first->second[cell->key] = false;
    const auto isLast = [](const std::vector<bool>& row) { return std::ranges::count(row, true) < 2; };
    if (head) {
        const auto changed = rows.find({*head, step});
        const auto& row = changed == rows.end() ? open : changed->second;
        return isLast(row) ? std::vector<bool>(row.size()) : row;
    }
    auto closable = isLast(open) ? std::vector<bool>(open.size()) : open;
    for (const auto& [place, row] : rows)
        for (std::size_t key = 0; key < row.size(); ++key)
            if (row[key] && isLast(row))
                closable[key] = false;
    return closable;
}

/// The same for the fed tokens of a decoder alone: masked in the step's row of a head, or for all rows
/// between the token and the step.
std::vector<bool> closableFed(const at::Tensor& openFed, const Changes& changes, std::size_t step,
                              const std::optional<HeadAddress>& head) {
    const auto fed = static_cast<std::size_t>(openFed.size(0));
    // Allowed keys of the rows: of all heads, and of those in which the user masked cells.
    const auto openAt = [&](std::size_t row) {
        std::vector<bool> open(fed);
        for (std::size_t key = 0; key <= row; ++key)
            open[key] = openFed[static_cast<std::int64_t>(key)].item<bool>();
        return open;
    };
    using Rows = std::map<std::size_t, std::vector<bool>>;
    std::map<std::optional<HeadAddress>, Rows> rows;
    for (std::size_t row = head ? step : 0; row <= step; ++row)
        rows[head].emplace(row, openAt(row));
    for (const auto& change : changes)
        if (const auto* cell = std::get_if<trace::BlockCell>(&change);
            cell && cell->head.site.kind == trace::AttentionKind::DecoderSelf && cell->query <= step &&
            cell->key < fed && (!head || (cell->head == *head && cell->query == step)))
            rows[cell->head].try_emplace(cell->query, openAt(cell->query)).first->second[cell->key] = false;
    auto closable = openAt(step);
    closable.resize(step + (head ? 1 : 0)); // its own key is masked in no row but its own
    for (const auto& [of, changed] : rows)
        for (const auto& [query, row] : changed)
            for (std::size_t key = 0; key < std::min(closable.size(), query + (head ? 1 : 0)); ++key)
                if (!row[key] ? head.has_value() : std::ranges::count(row, true) < 2)
                    closable[key] = false;
    return closable;
}

} // namespace

std::shared_ptr<const trace::CausalRow> causalRow(const OpenModel& model, const EncodedSource& source,
                                                  const trace::Run& run,
                                                  const std::vector<network::HeadOutput>& outputs,
                                                  std::size_t step, std::optional<HeadAddress> head,
                                                  trace::KeyRange keys, std::stop_token stop) {
    if (head)
        refuseOtherAttention(*model.summary, *head);
    refuseMissingHead(*model.summary, head.value_or(HeadAddress{{kindOf(*model.summary), 0}, 0}));
    const bool isAlone = model.summary->isDecoderAlone();
    refuseMissingStep(run, step);
    StepPasses passes(model, source, run, step, head.has_value(), outputs, std::move(stop));
    const auto changes = effective(run.request.interventions);
    auto row = std::make_shared<trace::CausalRow>();
    row->request = run.request;
    row->step = step;
    row->head = head;
    row->token = run.next[step];
    row->contrast = passes.contrast();
    row->logProbability = passes.logProbability(changes, source.open);
    row->drops.assign(isAlone ? run.target.size() : source.length(),
                      std::numeric_limits<double>::quiet_NaN());
    const auto closable = isAlone ? closableFed(passes.openFed(), changes, step, head)
                                  : closableKeys(source.open, changes, step, head, passes.fed());
    for (std::size_t key = std::min(keys.last, closable.size()); key-- > keys.first;) {
        if (!closable[key])
            continue;
        if (isAlone && !head) {
            row->drops[key] =
                row->logProbability - passes.withoutFed(changes, static_cast<std::int64_t>(key));
            continue;
        }
        auto closed = changes;
        auto open = source.open;
        if (head) {
            const trace::Change block = trace::BlockCell{.head = *head, .query = step, .key = key};
            closed.push_back(block);
        } else {
            open = open.clone();
            open[static_cast<std::int64_t>(key)] = false;
        }
        row->drops[key] = row->logProbability - passes.logProbability(closed, open);
    }
    return row;
}

} // namespace headscope::engine
