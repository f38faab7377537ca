#pragma once

#include <QFont>
#include <QString>

namespace headscope::app {

/// Whether letters can be drawn in this family: it is there, by any of its names, or stands for what a person
/// chose for such ones, as "Sans Serif" does.
bool isInstalled(const QString& family);
/// What is expected and found in its place, with those that are called most like it.
QString whyNotInstalled(const QString& family);
/// By which a font's letters can be asked for again: its family, or where that is not there, the one that is
/// taken in its place.
QString installedFamily(const QFont& font);

} // namespace headscope::app
