#pragma once

#include <QFont>

class QWidget;

namespace headscope::widgets {

/// What a text is for. Its size is relative to the desktop's font.
enum class TextRole {
    Display, ///< the program's name
    Number,  ///< the one value that a card is about
    Title,   ///< of a canvas or a dialog
    Section, ///< headings of cards and groups
    Body,    ///< controls, tables, tokens
    Caption, ///< a line under a picture, axis titles, hints
};

/// Returns the font of a role beside text in `body`. Captions have at least 8 points.
QFont fontOf(TextRole role, const QFont& body);

/// Gives a widget the font of a role, now and whenever setTextSize() is called.
void setTextRole(QWidget* widget, TextRole role);

/// Sets the size of all texts of the application, in per cent of the desktop's font.
void setTextSize(int percent);

} // namespace headscope::widgets
