#include "app/window/help_dialogs.h"

#include "app/models/resource_folders.h"
#include "app/version.h"
#include "widgets/words/counting_words.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

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

/// What the mouse does, and with what.
constexpr std::array mouse{
    std::pair(QT_TRANSLATE_NOOP("Help", "Hover"),
              QT_TRANSLATE_NOOP("Help", "Highlight a token or cell in all views")),
    std::pair(QT_TRANSLATE_NOOP("Help", "Click"),
              QT_TRANSLATE_NOOP("Help", "Pin a token or cell, or unpin it")),
    std::pair(QT_TRANSLATE_NOOP("Help", "Click"),
              QT_TRANSLATE_NOOP("Help", "Select the head of a small map or of a list")),
    std::pair(QT_TRANSLATE_NOOP("Help", "Double-click"),
              QT_TRANSLATE_NOOP("Help", "Open a small map in the heatmap")),
    std::pair(QT_TRANSLATE_NOOP("Help", "Double-click"),
              QT_TRANSLATE_NOOP("Help", "Switch a head of a list off or on")),
    std::pair(QT_TRANSLATE_NOOP("Help", "Wheel, drag"), QT_TRANSLATE_NOOP("Help", "Zoom and pan a map")),
    std::pair(QT_TRANSLATE_NOOP("Help", "Double-click"), QT_TRANSLATE_NOOP("Help", "Fit the map")),
    std::pair(QT_TRANSLATE_NOOP("Help", "Ctrl and wheel"),
              QT_TRANSLATE_NOOP("Help", "Zoom in a page that scrolls")),
    std::pair(QT_TRANSLATE_NOOP("Help", "Right-click"),
              QT_TRANSLATE_NOOP("Help", "Copy or export a view, change a head or cell")),
};

void addRow(QTreeWidget* list, const QStringList& texts) {
    new QTreeWidgetItem(list, texts);
}

QString readResource(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString();
}

} // namespace

void showKeys(const Actions& actions, QWidget* parent) {
    QDialog dialog(parent);
    dialog.setWindowTitle(HelpDialogsWords::tr("Keyboard Shortcuts"));
    auto* words = new QLineEdit(&dialog);
    words->setPlaceholderText(HelpDialogsWords::tr("Search keys and actions"));
    words->setAccessibleName(words->placeholderText());
    words->setClearButtonEnabled(true);
    auto* list = new QTreeWidget(&dialog);
    list->setAccessibleName(dialog.windowTitle());
    list->setHeaderLabels({HelpDialogsWords::tr("Action"), HelpDialogsWords::tr("Keys"),
                           HelpDialogsWords::tr("Previous version")});
    list->setRootIsDecorated(false);
    list->setAlternatingRowColors(true);
    for (const QAction* action : actions.all()) {
        const QStringList formerly = action->property(formerProperty).toStringList();
        if (const auto keys = action->shortcuts(); !keys.isEmpty())
            addRow(list, {action->text().remove('&').remove("..."),
                          QKeySequence::listToString(keys, QKeySequence::NativeText).replace("; ", ", "),
                          formerly.join(QStringLiteral(", "))});
    }
    for (const auto& [does, what] : mouse)
        addRow(list, {HelpDialogsWords::tr(what), HelpDialogsWords::tr(does), {}});
    for (const int column : {0, 1})
        list->resizeColumnToContents(column);
    QObject::connect(words, &QLineEdit::textChanged, list, [list](const QString& typed) {
        const QStringList all = typed.split(' ', Qt::SkipEmptyParts);
        for (int row = 0; row < list->topLevelItemCount(); ++row) {
            auto* item = list->topLevelItem(row);
            const QString text = item->text(0) + '\n' + item->text(1) + '\n' + item->text(2);
            item->setHidden(!std::ranges::all_of(
                all, [&](const QString& each) { return text.contains(each, Qt::CaseInsensitive); }));
        }
    });
    auto* notes =
        new QLabel(HelpDialogsWords::tr(
                       "Keys without Ctrl work while no field has the keyboard focus: Esc leaves it. In a "
                       "map the arrow keys move from cell to cell. %1")
                       .arg(widgets::countingInWords()),
                   &dialog);
    notes->setWordWrap(true);
    auto* column = new QVBoxLayout(&dialog);
    column->addWidget(words);
    column->addWidget(list);
    column->addWidget(notes);
    dialog.resize(720, 640);
    dialog.exec();
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
