#pragma once

#include <QColor>
#include <QPalette>

#include <array>

namespace headscope::widgets {

/// The colours of one appearance. Every text colour has a contrast of at least 4.5:1 on `background` and on
/// `panel`, every mark at least 3:1 (WCAG 2.1, 1.4.3 and 1.4.11).
struct Theme {
    bool dark = false;
    QColor background; ///< behind pictures
    QColor panel;      ///< behind chips, headings, empty states
    QColor line;       ///< frames and grid lines that carry no meaning
    QColor outline;    ///< of fields and buttons: 3:1 on `panel`
    QColor text;
    QColor faintText;   ///< captions, axis titles, what is special
    QColor accent;      ///< what is selected
    QColor onAccent;    ///< text on the accent
    QColor focus;       ///< what is under the pointer or pinned
    QColor stepMark;    ///< the current decoding step
    QColor mark;        ///< space marks, which only repeat what the text says; fainter than text may be
    QColor hatch;       ///< lines over what the mask closes
    QColor good;        ///< text of a check that holds
    QColor bad;         ///< text of a check that does not
    QColor unsure;      ///< a mark, no text: the model was not sure
    QColor changed;     ///< the model is not as it was opened
    QColor changedSoft; ///< behind text in that colour
};

const Theme& lightTheme();
const Theme& darkTheme();
/// Chosen from the palette's lightness: Qt 6.4 has no colour scheme to ask for.
const Theme& themeOf(const QPalette& palette);
/// For a person who forces light or dark.
QPalette paletteOf(const Theme& theme);

/// Contrast ratio of two opaque colours, 1 to 21 (WCAG 2.1, "contrast ratio").
double contrastRatio(const QColor& one, const QColor& other);
/// Black or white, whichever reads better: one of the two always has 4.5:1.
QColor readableOn(const QColor& background);

/// Eight colours that colour-blind people can tell apart (the first five after Okabe and Ito 2008, the others
/// as far from them and each other as can be), each 3:1 or more on the background. Lines drawn in them also
/// differ in their dashes.
const std::array<QColor, 8>& categoryColours(const Theme& theme);

} // namespace headscope::widgets
