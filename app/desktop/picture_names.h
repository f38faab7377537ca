#pragma once

#include <QString>

namespace headscope::app {

/// Returns the extension in lower case, without its dot. Numbers do not count, as in the head cross.1.5.
QString endingOf(const QString& path);

/// Returns an absolute path to propose for a picture or data file. Of `title` keeps characters that all file
/// systems accept, without commas. If `folder` is empty or does not exist, uses the user's folder for
/// pictures.
QString proposedFile(const QString& folder, const QString& title, const QString& ending);

} // namespace headscope::app
