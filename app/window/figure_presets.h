#pragma once

#include <QtGlobal>

#include <array>

namespace headscope::app {

inline constexpr double pixelsAMillimetre = 96 / 25.4;

/// Sizes that pictures are often needed in; 0: whatever keeps the view's shape.
struct FigurePreset {
    const char* name;
    double width = 0; ///< in 1/96 inch
    double height = 0;
    int dpi = 192;
};
inline constexpr std::array figurePresets{
    FigurePreset{QT_TRANSLATE_NOOP("FigureDialog", "As the view suggests")},
    FigurePreset{QT_TRANSLATE_NOOP("FigureDialog", "Paper column, 85 mm"), 85 * pixelsAMillimetre, 0, 600},
    FigurePreset{QT_TRANSLATE_NOOP("FigureDialog", "Paper page, 170 mm"), 170 * pixelsAMillimetre, 0, 600},
    FigurePreset{QT_TRANSLATE_NOOP("FigureDialog", "Slide, 1920 x 1080 pixels"), 960, 540, 192},
    FigurePreset{QT_TRANSLATE_NOOP("FigureDialog", "Poster, 841 x 594 mm (A1)"), 841 * pixelsAMillimetre,
                 594 * pixelsAMillimetre, 150},
    FigurePreset{QT_TRANSLATE_NOOP("FigureDialog", "Own size")}};
inline constexpr int ownSize = static_cast<int>(figurePresets.size()) - 1;

} // namespace headscope::app
