#pragma once

#include <QtGlobal>

#include <array>

namespace headscope::app {

inline constexpr double pixelsAMillimetre = 96 / 25.4;

/// Common picture sizes; 0: follows from the view's aspect ratio.
struct FigurePreset {
    const char* name;
    double width = 0; ///< in 1/96 inch
    double height = 0;
    int dpi = 192;
    bool isMetric = false;   ///< shows the sides in millimetres
    bool isEnlarged = false; ///< text is scaled too, to be read from a distance
    bool isOfPaper = false;  ///< without notes and marks, which the text of the paper replaces
};
inline constexpr std::array figurePresets{
    FigurePreset{.name = QT_TRANSLATE_NOOP("FigureDialog", "Default size")},
    FigurePreset{.name = QT_TRANSLATE_NOOP("FigureDialog", "Paper column, 85 mm"),
                 .width = 85 * pixelsAMillimetre,
                 .dpi = 600,
                 .isMetric = true,
                 .isOfPaper = true},
    FigurePreset{.name = QT_TRANSLATE_NOOP("FigureDialog", "Paper page, 170 mm"),
                 .width = 170 * pixelsAMillimetre,
                 .dpi = 600,
                 .isMetric = true,
                 .isOfPaper = true},
    FigurePreset{.name = QT_TRANSLATE_NOOP("FigureDialog", "Slide, 1920 x 1080 pixels"),
                 .width = 960,
                 .height = 540,
                 .isEnlarged = true},
    FigurePreset{.name = QT_TRANSLATE_NOOP("FigureDialog", "Poster, 841 x 594 mm (A1)"),
                 .width = 841 * pixelsAMillimetre,
                 .height = 594 * pixelsAMillimetre,
                 .dpi = 150,
                 .isMetric = true,
                 .isEnlarged = true},
    FigurePreset{.name = QT_TRANSLATE_NOOP("FigureDialog", "Own size")}};
inline constexpr int ownSize = figurePresets.size() - 1;

} // namespace headscope::app
