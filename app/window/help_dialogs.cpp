#include "app/window/help_dialogs.h"

#include "app/models/resource_folders.h"
#include "app/version.h"
#include "widgets/words/counting_words.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace headscope::app {

namespace {

struct HelpDialogsWords {
    Q_DECLARE_TR_FUNCTIONS(Help)
};

void showText(const QString& title, const QString& text, QWidget* parent) {
    QDialog dialog(parent);
    dialog.setWindowTitle(title);
    auto* view = new QPlainTextEdit(text, &dialog);
    view->setReadOnly(true);
    view->setAccessibleName(title);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* column = new QVBoxLayout(&dialog);
    column->addWidget(view);
    column->addWidget(buttons);
    dialog.resize(640, 520);
    dialog.exec();
}

QString readResource(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString();
}

} // namespace

void showAbout(const trace::ModelSummary* model, QWidget* parent) {
    QString text =
        HelpDialogsWords::tr(
            "Headscope %1\nLook inside a trained transformer.\n\n"
            "Free software under the GNU General Public License, version 3 or later.\n"
            "Built with Qt %2, LibTorch, QCustomPlot, SentencePiece, libzip, zlib, OpenSSL, nlohmann-json "
            "and CLI11.\n")
            .arg(QString::fromLatin1(version()), QString::fromLatin1(qVersion()));
    for (const auto& name : bundledModels())
        if (const QString words = readResource(resolveModel(name) / "ATTRIBUTION.txt"); !words.isEmpty())
            text += HelpDialogsWords::tr("\nBundled model %1\n%2\n").arg(QString::fromStdString(name), words);
    if (model && !model->attribution.empty())
        text += HelpDialogsWords::tr("\nOpen model %1\n%2\n")
                    .arg(QString::fromStdString(model->name), QString::fromStdString(model->attribution));
    showText(HelpDialogsWords::tr("About Headscope"), text, parent);
}

} // namespace headscope::app
