#pragma once

namespace headscope::widgets {

/// Property of lists whose current row is independent. The current row of other lists follows the selected
/// head or step.
inline constexpr const char* ownRowProperty = "choosesOwnRow";

} // namespace headscope::widgets
