#include "app/window/top/model_button.h"

#include "app/desktop/file_dialogs.h"
#include "app/models/resource_folders.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QAction>
#include <QFile>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

/// "German" finds a model whose name contains "de".
QStringList synonymsOf(const QString& name) {
    QStringList words{ModelButton::tr("model")};
    for (const QString& part : name.section('/', -1).split('-'))
        if (const QString language = widgets::languageName(part.toStdString());
            part.size() == 2 && language != part)
            words += language;
    return words;
}

} // namespace

void fillModelMenu(QMenu* menu, const Settings& settings, const std::function<void(const QString&)>& open) {
    menu->clear();
    const auto add = [&](const QString& shown, const QString& pathOrName) {
        QAction* action = menu->addAction(QString(shown).replace('&', "&&"));
        action->setToolTip(pathOrName);
        QObject::connect(action, &QAction::triggered, menu, [open, pathOrName] { open(pathOrName); });
        action->setProperty(synonymsProperty, synonymsOf(shown));
        return action;
    };
    menu->setToolTipsVisible(true);
    menu->addSection(ModelButton::tr("Bundled"));
    QStringList bundledPaths;
    for (const auto& name : bundledModels()) {
        add(QString::fromStdString(name), QString::fromStdString(name));
        bundledPaths += QString::fromStdString(bundledModel(name).string());
    }
    bool any = false;
    for (const QString& path : settings.recentModels()) {
        if (bundledPaths.contains(path))
            continue;
        if (!std::exchange(any, true))
            menu->addSection(ModelButton::tr("Recent"));
        const bool there = QFile::exists(path);
        QAction* action = add(there ? path : ModelButton::tr("%1 (missing)").arg(path), path);
        action->setEnabled(there);
        action->setProperty(synonymsProperty, synonymsOf(path) + QStringList(ModelButton::tr("recent")));
    }
    menu->addSeparator();
}

QString chosenModel(QWidget* window, bool folder) {
    if (folder)
        return askFolder({.window = window, .title = ModelButton::tr("Open Model Folder")});
    return askFileToOpen({.window = window,
                          .title = ModelButton::tr("Open Weights File or Trace"),
                          .filters = ModelButton::tr("Weights and traces (*.safetensors *.pt *.pth *.bin "
                                                     "*.index.json);;All files (*)")});
}

ModelButton::ModelButton(const Settings& settings, const Actions& actions, QWidget* parent)
    : QPushButton(parent), settings_(settings), actions_(actions) {
    setText(tr("No model"));
    setAccessibleName(tr("Model"));
    setObjectName("model");
    setToolTip(tr("Open another model"));
    setMenu(new QMenu(tr("&Models"), this));
    connect(menu(), &QMenu::aboutToShow, this, &ModelButton::fill);
    fill();
}

void ModelButton::fill() {
    fillModelMenu(menu(), settings_, [this](const QString& pathOrName) { Q_EMIT chosen(pathOrName); });
    menu()->addAction(actions_[ActionId::OpenFolder]);
    menu()->addAction(actions_[ActionId::OpenFile]);
}

void ModelButton::setModel(const trace::ModelSummary& model) {
    const QString another = tr("Open another model");
    const QString why = widgets::whyNothingRuns(model);
    setToolTip(why.isEmpty()
                   ? another
                   : widgets::plainToolTip(widgets::modelTitle(model) + '\n' + why + '\n' + another));
    setAccessibleDescription(why);
}

void ModelButton::showName(const QString& name, const QStringList& others) {
    setMinimumWidth(0);
    int widest = 0;
    for (const QString& other : others) {
        setText(other);
        widest = std::max(widest, sizeHint().width());
    }
    setText(name);
    setMinimumWidth(widest);
}

} // namespace headscope::app
