#include "app/window/help_dialogs.h"

#include "app/models/resource_folders.h"
#include "app/version.h"
#include "widgets/words/counting_words.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <algorithm>

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
    int firstColumn = 0; // width of the first column in lines with a tab
    for (const QString& line : text.split('\n'))
        if (const auto tab = line.indexOf('\t'); tab >= 0)
            firstColumn = std::max(firstColumn, view->fontMetrics().horizontalAdvance(line.left(tab)));
    if (firstColumn > 0)
        view->setTabStopDistance(firstColumn + 2 * view->fontMetrics().averageCharWidth());
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

void showKeys(const Actions& actions, QWidget* parent) {
    QString text =
        HelpDialogsWords::tr(
            "Mouse\nHover a token or a cell to highlight it in all views.\nClick: pin it. Click again or "
            "Esc: unpin it.\nClick a small map: select the head. Double-click: open it in the "
            "heatmap.\nClick a head in a list: select it. Double-click: switch it off or on.\nWheel and drag "
            "on a map: zoom and pan. Double-click: fit the map.\nIn a scrolling page the wheel scrolls; Ctrl "
            "and wheel zoom.\nRight-click a view: copy or export it.\n\nKeys\nThe arrow keys move from cell "
            "to cell in a map. + and - zoom around the cell, 0 fits the map; they apply to the focused map, "
            "otherwise to the visible one. Tab reaches every control. Keys without Ctrl step and select "
            "heads while no control has the focus (Esc).\n\nCounting\n%1\n\n")
            .arg(widgets::countingInWords());
    for (const QAction* action : actions.all())
        if (const auto keys = action->shortcut(); !keys.isEmpty())
            text +=
                QStringLiteral("%1\t%2\n")
                    .arg(keys.toString(QKeySequence::NativeText), action->text().remove('&').remove("..."));
    showText(HelpDialogsWords::tr("Keys and Mouse"), text, parent);
}

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
