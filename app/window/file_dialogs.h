#pragma once

#include <QString>

class QWidget;

namespace headscope::app {

/// What a person is asked a path with. An empty `start` is the folder that was looked at last; the filter
/// that is chosen first is the one that fits `start`, or else the first.
struct PathQuestion {
    QWidget* window = nullptr;
    QString title;
    QString start;
    QString filters; ///< "Sessions (*.headscope);;All files (*)"
};

/// Who asks about a file that is there already.
enum class Replacing { AskedByDialog, AskedLater };

/// All of them are empty where the person decides otherwise. They look at names alone: Qt's own dialog would
/// read the beginning of every file of a folder, in the window's thread, to say of what type it is.
QString askFileToOpen(const PathQuestion& question);
QString askFolder(const PathQuestion& question);
/// A name without an ending gets that of the chosen filter; one that is asked about by the dialog only where
/// it has no dot at all.
QString askFileToSave(const PathQuestion& question, Replacing replacing);

} // namespace headscope::app
