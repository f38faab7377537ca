#pragma once

#include <QWidget>

namespace headscope::app {

/// Steps of the width of the window: with less room, its parts are narrower or leave something out.
enum class WindowWidth { Narrow, Middle, Wide };

/// The step of the window that contains the part.
inline WindowWidth widthOfWindow(const QWidget* part) {
    constexpr int narrow = 1000, middle = 1360; // the largest, in pixels
    const int width = part->window()->width();
    return width <= narrow ? WindowWidth::Narrow : width <= middle ? WindowWidth::Middle : WindowWidth::Wide;
}

} // namespace headscope::app
