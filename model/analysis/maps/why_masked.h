#pragma once

#include "model/trace/run.h"

#include <cstddef>
#include <optional>

namespace headscope::analysis {

/// Why a query must not attend to a key.
enum class WhyMasked {
    LaterToken,    ///< causal mask: the key is a later token
    OutsideWindow, ///< the key is earlier than the window that the layer attends to
    PaddingKey,    ///< padding mask: the key is padding
    LaterPadding,  ///< both of these
    PaddingQuery,  ///< the query is padding, and the model masks such rows
    BlockedByHand, ///< masked in this head by an intervention
    Otherwise,     ///< masked by the model for another reason
};

/// Empty if the cell is allowed or does not exist. Whether the cell is masked comes from the run; the reason
/// is derived from the tokens and the model's settings.
std::optional<WhyMasked> whyClosed(const trace::Run& run, const trace::HeadAddress& head, std::size_t query,
                                   std::size_t key);

} // namespace headscope::analysis
