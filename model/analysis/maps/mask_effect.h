#pragma once

#include "model/trace/run.h"
#include "model/trace/task.h"

#include <cstddef>
#include <optional>

namespace headscope::analysis {

/// What the model puts in the place of a closed score before the softmax, as its summary says: -1e9, the
/// lowest float or minus infinity. Nothing where it does not say.
std::optional<float> maskFill(const trace::ModelSummary& model);

/// Closes the cells of `head` that are blocked by hand in `open`, whose first row is of the query `first`.
void closeBlocked(const trace::Run& run, const trace::HeadAddress& head, std::size_t first,
                  trace::MaskMatrix& open);

/// What the mask does to one head's scores. All [queries, keys].
struct MaskEffect {
    trace::Matrix before;   ///< scores as they were computed
    trace::MaskMatrix open; ///< as applied in this head, cells blocked by hand closed too
    trace::Matrix
        after; ///< the softmax's input: closed cells hold the model's fill, NaN if that is not known
    trace::Matrix weights;

    bool empty() const { return before.empty(); }
    /// Nothing is open to it.
    bool isRowClosed(std::size_t row) const;
    std::size_t openKeys(std::size_t row) const;
    /// Of the weights of open keys.
    double openSum(std::size_t row) const;
};

/// Empty where the run has no such head. Of maps that it left out they are computed again, which takes time:
/// throws trace::Cancelled.
MaskEffect maskEffect(const trace::Run& run, const trace::HeadAddress& head, const trace::Task& work = {});

/// The same of one row alone, [1, keys]: soon there, of a long map too.
MaskEffect maskEffectOfRow(const trace::Run& run, const trace::HeadAddress& head, std::size_t query);

} // namespace headscope::analysis
