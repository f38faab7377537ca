#pragma once

#include <QString>

class QWidget;

namespace headscope::widgets {

/// Escapes text for tooltips and other places where Qt detects rich text: a token `<b>` stays three
/// characters. Keeps line breaks.
QString plainToolTip(const QString& text);

/// The tooltip of a widget, which screen readers describe it by as it stands here.
void setPlainToolTip(QWidget* widget, const QString& text);

/// Inserts invisible break opportunities into words that are too long for a line, which Qt would cut off.
QString breakable(const QString& text);
/// Removes the break opportunities again.
QString withoutBreaks(QString text);

/// Sets the accessible description of a widget that paints itself, and notifies screen readers at once.
void describeForReaders(QWidget* widget, const QString& words);

} // namespace headscope::widgets
