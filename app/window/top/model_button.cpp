#include "app/window/top/model_button.h"

#include "app/desktop/file_dialogs.h"
#include "app/models/bundled_models.h"
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

std::vector<OfferedModel> offeredModels(const Settings& settings) {
    std::vector<OfferedModel> models;
    QStringList bundledPaths;
    for (const auto& name : bundledModels()) {
        models.push_back({.shown = QString::fromStdString(name), .pathOrName = QString::fromStdString(name)});
        bundledPaths += QString::fromStdString(bundledModel(name).string());
    }
    for (const QString& path : settings.recentModels())
        if (const bool exists = QFile::exists(path); !bundledPaths.contains(path))
            models.push_back({.shown = exists ? path : ModelButton::tr("%1 (missing)").arg(path),
                              .pathOrName = path,
                              .isRecent = true,
                              .exists = exists});
    return models;
}

void fillModelMenu(QMenu* menu, const Settings& settings, const std::function<void(const QString&)>& open) {
    menu->clear();
    menu->setToolTipsVisible(true);
    menu->addSection(ModelButton::tr("Bundled"));
    bool any = false;
    for (const auto& model : offeredModels(settings)) {
        if (model.isRecent && !std::exchange(any, true))
            menu->addSection(ModelButton::tr("Recent"));
        QAction* action = menu->addAction(QString(model.shown).replace('&', "&&"));
        action->setToolTip(model.pathOrName);
        action->setEnabled(model.exists);
        auto synonyms = synonymsOf(model.pathOrName);
        if (model.isRecent)
            synonyms += ModelButton::tr("recent");
        action->setProperty(synonymsProperty, synonyms);
        QObject::connect(action, &QAction::triggered, menu, [open, path = model.pathOrName] { open(path); });
    }
    menu->addSeparator();
}

QString chosenModel(QWidget* window, bool folder) {
    if (folder)
        return askFolder({.window = window, .title = ModelButton::tr("Open Model Folder")});
    return askFileToOpen({.window = window,
                          .title = ModelButton::tr("Open Weights File or Recording"),
                          .filters = ModelButton::tr("Weights and recordings (*.safetensors *.pt *.pth *.bin "
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
    fillModelMenu(menu(), settings_, [this](const QString& pathOrName) {
        Q_EMIT chosen(QString::fromStdString(openingOf(pathOrName.toStdString())));
    });
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
