#pragma once

#include <QString>

namespace headscope::widgets {

/// Removes the marks that isolated() inserts, which only a screen needs, from text that leaves the program.
/// Other direction marks belong to the user's text or to a token, and stay.
QString withoutIsolation(const QString& words);

/// Returns the text with a capital first letter; empty text stays empty.
QString capitalised(QString text);

} // namespace headscope::widgets
