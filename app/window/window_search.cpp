#include "app/window/window_search.h"

#include "app/window/command_palette.h"
#include "app/window/frame/workbench.h"
#include "app/window/top/model_button.h"
#include "widgets/view.h"
#include "widgets/views/places.h"

#include <QAction>
#include <QCoreApplication>
#include <QMainWindow>
#include <QMenu>
#include <QRegularExpression>

#include <algorithm>
#include <iterator>

namespace headscope::app {

WindowSearch::WindowSearch(QMainWindow* window, Document* document, ModelButton* models, Workbench* workbench,
                           const Actions& actions)
    : QObject(window), window_(window), document_(document), models_(models), workbench_(workbench),
      actions_(actions), goToHead_(new QAction(this)) {
    connect(actions[ActionId::CommandPalette], &QAction::triggered, this, &WindowSearch::open);
    connect(goToHead_, &QAction::triggered, this,
            [this] { document_->selection()->setHead(goToHead_->data().value<trace::HeadAddress>()); });
}

void WindowSearch::open() {
    auto all = actions_.all();
    for (const auto& others : {offers(), views(), models()})
        std::ranges::copy(others, std::back_inserter(all));
    CommandPalette(
        std::move(all), [this](const QString& words) { return headAction(words); }, window_)
        .exec();
}

std::vector<QAction*> WindowSearch::offers() const {
    std::vector<QAction*> found;
    for (const auto* view : workbench_->views())
        if (auto* menu = view->menu()) {
            Q_EMIT menu->aboutToShow();
            std::ranges::copy(menu->actions(), std::back_inserter(found));
        }
    return found;
}

/// Views that no action of the menus opens.
std::vector<QAction*> WindowSearch::views() {
    std::vector<QAction*> found;
    const auto& document = document_->state();
    for (const auto* view : workbench_->views()) {
        const auto key = workbench_->keyOf(view);
        const auto& spec = *widgets::viewSpec(key);
        auto*& shows = shows_[key];
        if (!shows) {
            shows = new QAction(this);
            connect(shows, &QAction::triggered, this, [this, key] { workbench_->open(key); });
        }
        const char* title = document.model && spec.titleOf ? spec.titleOf(*document.model) : spec.title;
        shows->setText(tr("Show: %1").arg(QCoreApplication::translate("ViewSpec", title)));
        const auto lack = widgets::lackOf(spec, document);
        shows->setEnabled(!lack);
        shows->setToolTip(QCoreApplication::translate("ViewSpec", lack ? lack->why : title));
        if (*spec.synonyms)
            shows->setProperty(
                synonymsProperty,
                QCoreApplication::translate("Actions", spec.synonyms).split(QStringLiteral(", ")));
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
