#include "model/engine/causal_row.h"

#include "model/engine/forced_pass.h"
#include "model/engine/whole_path.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <string>

namespace headscope::engine {

namespace {

using trace::AttentionKind;

/// The changes that close a source token to the step: one cell of one head, or the token's column up to the
/// step in every cross-attention head.
std::vector<trace::Change> closing(std::size_t key, std::size_t step,
                                   const std::optional<trace::HeadAddress>& head,
                                   const trace::ModelSummary& model) {
    if (head)
        return {trace::BlockCell{.head = *head, .query = step, .key = key}};
    std::vector<trace::Change> changes;
    for (int layer = 0; layer < model.layers(AttentionKind::Cross); ++layer)
        for (int h = 0; h < model.heads(AttentionKind::Cross); ++h)
            for (std::size_t query = 0; query <= step; ++query)
                changes.push_back(
                    trace::BlockCell{.head = {{AttentionKind::Cross, layer}, h}, .query = query, .key = key});
    return changes;
}

/// Blocked by hand already, in a cell that would be closed.
bool isBlocked(const std::vector<trace::Change>& changes, const trace::BlockCell& cell) {
    return std::ranges::any_of(changes, [&](const trace::Change& change) {
        const auto* blocked = std::get_if<trace::BlockCell>(&change);
        return blocked && *blocked == cell;
    });
}

} // namespace

std::shared_ptr<const trace::CausalRow> causalRow(const OpenModel& model, const EncodedSource& source,
                                                  const trace::Run& run,
                                                  const std::vector<network::HeadOutput>& outputs,
                                                  std::size_t step, std::optional<trace::HeadAddress> head,
                                                  std::stop_token stop) {
    refuseMissingHead(*model.summary, head.value_or(trace::HeadAddress{{AttentionKind::Cross, 0}, 0}));
    if (step >= run.next.size())
        throw trace::Refusal({.what = "There is no such step",
                              .where = "the decoded target",
                              .expected = "a step from 0 to " + std::to_string(run.next.size() - 1),
                              .found = "step " + std::to_string(step),
                              .wayOut = "choose a step that was decoded"});
    std::vector<std::int64_t> fed; // later rows change nothing
    for (std::size_t t = 0; t <= step; ++t)
        fed.push_back(run.target[t].id);
    const ForcedPass pass(model, source, fed, stop);
    const auto changes = effective(run.request.interventions);
    const auto says = [&](const std::vector<trace::Change>& changed) {
        const network::Interventions interventions(changed, outputs, model.network->config());
        return pass.logProbabilities(interventions)[static_cast<std::int64_t>(step)][run.next[step].id]
            .item<double>();
    };
    auto row = std::make_shared<trace::CausalRow>();
    row->request = run.request;
    row->step = step;
    row->head = head;
    row->token = run.next[step];
    row->logProbability = says(changes);
    for (std::size_t key = 0; key < source.tokens.size(); ++key) {
        row->drops.push_back(std::numeric_limits<double>::quiet_NaN());
        auto closed = changes;
        const auto cells = closing(key, step, head, *model.summary);
        std::ranges::copy_if(cells, std::back_inserter(closed), [&](const trace::Change& cell) {
            return !isBlocked(changes, std::get<trace::BlockCell>(cell));
        });
        const bool isOpen = source.open[static_cast<std::int64_t>(key)].item<bool>();
        if (!isOpen || closed.size() == changes.size())
            continue; // nothing would change
        try {
            row->drops.back() = row->logProbability - says(closed);
        } catch (const trace::Refusal&) {
            // The last open key of a row cannot be closed: there is nothing to compare.
        }
    }
    return row;
}

} // namespace headscope::engine
