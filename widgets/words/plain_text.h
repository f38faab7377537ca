#pragma once

#include <QString>

class QWidget;

namespace headscope::widgets {

/// Text that Qt shows as it is wherever it would guess rich text, as in tooltips: a token `<b>` stays three
/// characters. Line breaks stay.
QString plainToolTip(const QString& text);

/// The same text with invisible places to break within words that are too long for a line: Qt would cut them.
QString breakable(const QString& text);
/// The reverse.
QString withoutBreaks(QString text);

/// Sets what a screen reader says about a widget that paints itself, and tells it at once.
void describeForReaders(QWidget* widget, const QString& words);

} // namespace headscope::widgets
