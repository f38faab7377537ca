#pragma once

#include <QString>

namespace headscope::app {

/// What a name ends in, without its dot, in small letters. A number is none: a head is named cross.1.5.
QString endingOf(const QString& path);

/// An absolute path to propose for a picture or for data: of the title what every file system takes in a
/// name, without commas. Without a folder, or one that is gone, it is where programs keep a person's
/// pictures.
QString proposedFile(const QString& folder, const QString& title, const QString& ending);

} // namespace headscope::app
