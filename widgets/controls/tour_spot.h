#pragma once

namespace headscope::widgets {

/// Dynamic property of widgets that the tour points at: one of the names below.
inline constexpr const char* tourSpot = "tourSpot";
inline constexpr const char* spotOfCandidates = "candidates of a step";
inline constexpr const char* spotOfHeadSwitch = "switch of the head";

} // namespace headscope::widgets
