#include "app/desktop/file_dialogs.h"

#include "app/desktop/picture_names.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileIconProvider>
#include <QMimeData>
#include <QPointer>
#include <QUrl>

#include <algorithm>

namespace headscope::app {

namespace {

struct FileDialogsWords {
    Q_DECLARE_TR_FUNCTIONS(FileDialogs)
};

class NamesAlone final : public QFileIconProvider {
  public:
    QIcon icon(const QFileInfo& file) const override { return file.isDir() ? folder_ : file_; }
    using QFileIconProvider::icon;
    QString type(const QFileInfo& file) const override {
        if (file.isDir())
            return FileDialogsWords::tr("Folder");
        const QString ending = file.suffix();
        return ending.isEmpty() ? FileDialogsWords::tr("File") : FileDialogsWords::tr("%1 file").arg(ending);
    }

  private:
    QIcon folder_ = QFileIconProvider::icon(Folder);
    QIcon file_ = QFileIconProvider::icon(File);
};

/// Returns ".csv" for "CSV (*.csv)"; empty if the filter accepts any name.
QString endingOfFilter(const QString& filter) {
    const QString first = filter.section(QStringLiteral("(*"), 1).section(')', 0, 0).section(' ', 0, 0);
    return first.startsWith('.') ? first : QString();
}

struct PathDialog {
    explicit PathDialog(const PathQuestion& question)
        : dialog(new QFileDialog(question.window, question.title, question.start, question.filters)) {
        dialog->setIconProvider(&names);
        // The files of a snapshot in Hugging Face's cache are links to files without neighbours.
        dialog->setOption(QFileDialog::DontResolveSymlinks);
    }
    ~PathDialog() { delete dialog; }
    PathDialog(const PathDialog&) = delete;
    PathDialog& operator=(const PathDialog&) = delete;
    QString answer() {
        const bool accepted =
            dialog->exec() == QDialog::Accepted && dialog && !dialog->selectedFiles().isEmpty();
        return accepted ? dialog->selectedFiles().front() : QString();
    }

    NamesAlone names;
    QPointer<QFileDialog> dialog; ///< null once its parent window is deleted
};

} // namespace

QString askFileToOpen(const PathQuestion& question) {
    PathDialog asking(question);
    asking.dialog->setFileMode(QFileDialog::ExistingFile);
    return asking.answer();
}

QString askFolder(const PathQuestion& question) {
    PathDialog asking(question);
    asking.dialog->setFileMode(QFileDialog::Directory);
    asking.dialog->setOption(QFileDialog::ShowDirsOnly);
    return asking.answer();
}

QString askFileToSave(const PathQuestion& question, Replacing replacing) {
    PathDialog asking(question);
    QFileDialog* dialog = asking.dialog;
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setOption(QFileDialog::DontConfirmOverwrite, replacing == Replacing::AskedLater);
    const QStringList filters = dialog->nameFilters();
    const auto fits = std::ranges::find_if(filters, [&](const QString& filter) {
        const QString ending = endingOfFilter(filter);
        return !ending.isEmpty() && question.start.endsWith(ending, Qt::CaseInsensitive);
    });
    if (fits != filters.end())
        dialog->selectNameFilter(*fits);
    const auto complete = [=](const QString& filter) { // set before the dialog asks
        dialog->setDefaultSuffix(endingOfFilter(filter).mid(1));
    };
    if (replacing == Replacing::AskedByDialog) {
        complete(dialog->selectedNameFilter());
        QObject::connect(dialog, &QFileDialog::filterSelected, dialog, complete);
    }
    const QString path = asking.answer();
    const bool isComplete = path.isEmpty() || !endingOf(path).isEmpty();
    return isComplete || replacing == Replacing::AskedByDialog
               ? path
               : path + endingOfFilter(dialog->selectedNameFilter());
}

QString draggedPath(const QMimeData& data) {
    const auto urls = data.urls();
    return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

} // namespace headscope::app
