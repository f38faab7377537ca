#pragma once

#include <QColor>
#include <QPalette>

#include <array>

namespace headscope::widgets {

/// The colours of an appearance. Every text colour has a contrast of at least 4.5:1 on `background` and on
/// `panel`, every mark at least 3:1 (WCAG 2.1, 1.4.3 and 1.4.11).
struct Theme {
    bool dark = false;
    QColor background; ///< of pictures, pages and fields
    QColor panel;      ///< of bars around the pages, chips, headings, empty states
    QColor rail;       ///< of the row of workspaces
    QColor line;       ///< frames and grid lines without meaning
    QColor outline;    ///< of fields and buttons: 3:1 on `background` and `panel`
    QColor text;
    QColor faintText;   ///< captions, axis titles, special tokens
    QColor accent;      ///< the selection
    QColor onAccent;    ///< text on the accent
    QColor accentSoft;  ///< background of what is chosen, whose text is `accent` or `text`
    QColor focus;       ///< under the pointer, or pinned
    QColor stepMark;    ///< the current decoding step
    QColor mark;        ///< space marks; may be fainter than text because they only repeat it
    QColor hatch;       ///< lines over masked cells
    QColor good;        ///< text of a passed check
    QColor bad;         ///< text of a failed check
    QColor unsure;      ///< for marks, not text: the model was unsure
    QColor changed;     ///< text: the model was modified since it was opened
    QColor changedSoft; ///< background of text in `changed`
};

const Theme& lightTheme();
const Theme& darkTheme();
/// Chosen by the palette's lightness: Qt 6.4 has no API for the colour scheme.
const Theme& themeOf(const QPalette& palette);
/// For a user-selected light or dark appearance.
QPalette paletteOf(const Theme& theme);

/// Returns the contrast ratio of two opaque colours, 1 to 21 (WCAG 2.1, "contrast ratio").
double contrastRatio(const QColor& one, const QColor& other);
/// Returns black or white, whichever has more contrast; at least 4.5:1 on any background.
QColor readableOn(const QColor& background);

/// Eight colours that colour-blind people can distinguish, each 3:1 or more on the background. The first five
/// are after Okabe and Ito 2008; the others are as far as possible from these and from each other. Lines in
/// these colours also differ in their dashes.
const std::array<QColor, 8>& categoryColours(const Theme& theme);

} // namespace headscope::widgets
