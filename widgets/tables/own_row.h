#pragma once

namespace headscope::widgets {

/// Set on a list whose row is chosen for its own sake: that of others is the selected head or step, and
/// follows that.
inline constexpr const char* ownRowProperty = "choosesOwnRow";

} // namespace headscope::widgets
