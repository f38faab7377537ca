#pragma once

#include "model/trace/run.h"
#include "model/trace/task.h"

#include <cstddef>
#include <optional>

namespace headscope::analysis {

/// Returns the value that replaces masked scores before the softmax: -1e9, the lowest float or minus
/// infinity. Empty if the model's summary does not state it.
std::optional<float> maskFill(const trace::ModelSummary& model);

/// Masks the cells of `head` that an intervention blocks. The first row of `open` is that of query `first`.
void closeBlocked(const trace::Run& run, const trace::HeadAddress& head, std::size_t first,
                  trace::MaskMatrix& open);

/// The effect of the mask on one head's scores. All matrices are [queries, keys].
struct MaskEffect {
    trace::Matrix before;   ///< scores before masking
    trace::MaskMatrix open; ///< mask of this head, including cells blocked by interventions
    trace::Matrix after; ///< input of the softmax: masked cells have the model's fill value, NaN if not known
    trace::Matrix weights;

    bool empty() const { return before.empty(); }
    /// Whether all keys of the row are masked.
    bool isRowClosed(std::size_t row) const;
    std::size_t allowedKeys(std::size_t row) const;
    /// Sum of the weights of allowed keys.
    double openSum(std::size_t row) const;
};

/// Empty if the run has no such head. Maps that are not stored are recomputed, which takes time: throws
/// trace::Cancelled.
MaskEffect maskEffect(const trace::Run& run, const trace::HeadAddress& head, const trace::Task& work = {});

/// The same for a single row, [1, keys]; fast even for long maps.
MaskEffect maskEffectOfRow(const trace::Run& run, const trace::HeadAddress& head, std::size_t query);

} // namespace headscope::analysis
