#include "app/window/window_search.h"

#include "app/desktop/dock_tabs.h"
#include "app/window/command_palette.h"
#include "app/window/docks/panels.h"
#include "app/window/top/model_button.h"
#include "widgets/view.h"
#include "widgets/views/places.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QRegularExpression>

#include <algorithm>
#include <iterator>

namespace headscope::app {

namespace {

/// Object name of a panel's search action.
constexpr QLatin1String showsPanel("shows-panel");

/// Creates an action that shows a panel; one that is already open is raised and focused.
QAction* newAction(QDockWidget* dock) {
    auto* shows = new QAction(dock);
    shows->setObjectName(showsPanel);
    QObject::connect(shows, &QAction::triggered, dock, [dock] {
        if (dock->isHidden())
            return dock->toggleViewAction()->trigger();
        dock->raise();
        giveKeys(*dock);
    });
    return shows;
}

} // namespace

WindowSearch::WindowSearch(QMainWindow* window, Document* document, ModelButton* models, Panels* panels,
                           const Actions& actions)
    : QObject(window), window_(window), document_(document), models_(models), panels_(panels),
      actions_(actions), goToHead_(new QAction(this)) {
    connect(actions[ActionId::CommandPalette], &QAction::triggered, this, &WindowSearch::open);
    connect(goToHead_, &QAction::triggered, this,
            [this] { document_->selection()->setHead(goToHead_->data().value<trace::HeadAddress>()); });
}

void WindowSearch::open() {
    auto all = actions_.all();
    for (const auto& others : {offers(), panels(), models()})
        std::ranges::copy(others, std::back_inserter(all));
    CommandPalette(
        std::move(all), [this](const QString& words) { return headAction(words); }, window_)
        .exec();
}

std::vector<QAction*> WindowSearch::offers() const {
    std::vector<QAction*> found;
    for (const auto* view : panels_->views())
        if (auto* menu = view->menu()) {
            Q_EMIT menu->aboutToShow();
            std::ranges::copy(menu->actions(), std::back_inserter(found));
        }
    return found;
}

std::vector<QAction*> WindowSearch::panels() const {
    std::vector<QAction*> found;
    for (auto* dock : window_->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
        auto* shows = dock->findChild<QAction*>(showsPanel, Qt::FindDirectChildrenOnly);
        if (!shows)
            shows = newAction(dock);
        const auto* toggle = dock->toggleViewAction();
        shows->setText(tr("Panel: %1").arg(dock->windowTitle()));
        shows->setEnabled(toggle->isEnabled());
        shows->setToolTip(toggle->toolTip());
        const auto place =
            std::ranges::find(widgets::places(), dock->objectName().toStdString(), &widgets::Place::panel);
        if (place != widgets::places().end() && *place->spec->synonyms)
            shows->setProperty(
                synonymsProperty,
                QCoreApplication::translate("Actions", place->spec->synonyms).split(QStringLiteral(", ")));
        found.push_back(shows);
    }
    return found;
}

std::vector<QAction*> WindowSearch::models() const {
    models_->fill();
    std::vector<QAction*> found;
    const auto inTable = actions_.all();
    for (QAction* model : models_->menu()->actions())
        if (!model->isSeparator() && std::ranges::find(inTable, model) == inTable.end())
            found.push_back(model);
    return found;
}

QAction* WindowSearch::headAction(const QString& words) {
    static const QRegularExpression numbers(QStringLiteral("^\\s*#\\s*(\\d{1,4})[.\\s](\\d{1,4})\\s*$"));
    const auto typed = numbers.match(words);
    if (!typed.hasMatch())
        return nullptr;
    const auto& model = document_->model();
    trace::HeadAddress head = document_->selection()->head();
    head.site.layer = typed.captured(1).toInt();
    head.head = typed.captured(2).toInt();
    const auto kind = head.site.kind;
    const bool isThere = model && head.site.layer < model->layers(kind) && head.head < model->heads(kind);
    const QString name = QString::fromStdString(trace::toString(head));
    goToHead_->setData(QVariant::fromValue(head));
    goToHead_->setText(tr("Go to Head %1").arg(name));
    goToHead_->setEnabled(isThere);
    const QString effect = tr("Select head %1, of the kind of attention shown").arg(name);
    const QString why = model ? tr("The model has %1 layers of %2 heads. Layers and heads count from 0.")
                                    .arg(model->layers(kind))
                                    .arg(model->heads(kind))
                              : tr("No model is open.");
    goToHead_->setToolTip(isThere ? effect : QStringLiteral("%1\n%2").arg(effect, why));
    return goToHead_;
}

} // namespace headscope::app
