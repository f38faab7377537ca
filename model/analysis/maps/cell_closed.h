#pragma once

#include "model/trace/run.h"

#include <cstddef>
#include <optional>

namespace headscope::analysis {

/// Why a query may not look at a key.
enum class CellClosed {
    LaterToken,    ///< the subsequent mask: it was not written yet
    PaddingKey,    ///< it only fills a batch
    LaterPadding,  ///< both of these
    PaddingQuery,  ///< the query does, and the model closes such rows
    BlockedByHand, ///< a change in this head
    Otherwise,     ///< the model has it closed, by neither mask
};

/// Nothing where the cell is open, or is not there. Whether it is closed is what the run says; why is read
/// off the tokens and the model's flags.
std::optional<CellClosed> whyClosed(const trace::Run& run, const trace::HeadAddress& head, std::size_t query,
                                    std::size_t key);

} // namespace headscope::analysis
