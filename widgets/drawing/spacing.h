#pragma once

// Distances of the window, in pixels: a grid of four.
namespace headscope::widgets::space {

inline constexpr int xs = 4;
inline constexpr int s = 8;
inline constexpr int m = 12;
inline constexpr int l = 16;
inline constexpr int xl = 24;

inline constexpr int control = 28; ///< height of buttons and fields, with the desktop's usual font
inline constexpr int target = 24;  ///< least height and width of what can be clicked (WCAG 2.2, 2.5.8)

inline constexpr int controlRadius = 5;
inline constexpr int cardRadius = 8;

} // namespace headscope::widgets::space
