#pragma once

#include <QString>

class QMimeData;
class QWidget;

namespace headscope::app {

/// Parameters of a file dialog. With an empty `start` it opens in the last folder; the filter that fits
/// `start` is selected, else the first.
struct PathQuestion {
    QWidget* window = nullptr;
    QString title;
    QString start;
    QString filters; ///< "Sessions (*.headscope);;All files (*)"
};

/// Who asks before an existing file is replaced.
enum class Replacing { AskedByDialog, AskedLater };

/// All of them return an empty string if cancelled. They read file names only: Qt's own dialog would read the
/// beginning of every file in a folder, on the GUI thread, to find its type.
QString askFileToOpen(const PathQuestion& question);
QString askFolder(const PathQuestion& question);
/// A name without an extension gets that of the selected filter; with Replacing::AskedByDialog, only if it
/// has no dot at all.
QString askFileToSave(const PathQuestion& question, Replacing replacing);

/// The one local file or folder that is dragged; empty if it is something else.
QString draggedPath(const QMimeData& data);

} // namespace headscope::app
