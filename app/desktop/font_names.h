#pragma once

#include <QFont>
#include <QString>

namespace headscope::app {

/// True if text can be drawn in this family: it is installed, under any of its names, or is a generic family
/// such as "Sans Serif".
bool isInstalled(const QString& family);
/// Returns a message with the expected families, those with the closest names, and the one found.
QString whyNotInstalled(const QString& family);
/// Returns the family by which a font can be requested again: its own, or the substitute if that is not
/// installed.
QString installedFamily(const QFont& font);

} // namespace headscope::app
