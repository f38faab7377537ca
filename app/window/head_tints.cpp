#include "app/window/head_tints.h"

#include "app/document/document.h"
#include "app/document/intents.h"
#include "app/results/results.h"
#include "widgets/controls/view_choices.h"
#include "widgets/tables/known_heads.h"
#include "widgets/words/statistic_words.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

#include <utility>

namespace headscope::app {

using analysis::Statistic;

HeadTints::HeadTints(Document* document, Results* results, Actions* actions, QObject* parent)
    : QObject(parent), document_(document), results_(results), actions_(actions),
      group_(new QActionGroup(this)) {
    fillMenu();
    connect(document, &Document::stateChanged, this, &HeadTints::follow);
    connect(results, &Results::changed, this, &HeadTints::follow);
    follow();
}

void HeadTints::fillMenu() {
    auto* menu = actions_->menu("&Analyse")->addMenu(tr("Bars and Order of Heads &by"));
    const auto add = [&](const QString& title, const QString& tip, std::optional<Statistic> statistic) {
        QAction* action = menu->addAction(title);
        action->setToolTip(tip);
        action->setCheckable(true);
        group_->addAction(action);
        connect(action, &QAction::triggered, this, [this, statistic] { choose(statistic); });
    };
    menu->setToolTipsVisible(true);
    add(tr("Importance"), tr("Head importance for the output"), std::nullopt);
    menu->addSeparator();
    for (const auto statistic : analysis::allStatistics())
        add(widgets::statisticTitle(statistic), widgets::statisticTip(statistic), statistic);
}

/// Also switches the bars on, so that the choice is visible.
void HeadTints::choose(std::optional<Statistic> statistic) {
    carryOut(document_, widgets::chooseWord("heads", "by", statistic ? static_cast<int>(*statistic) + 1 : 0));
    if (statistic)
        document_->choose("heads", "tinted", true);
}

void HeadTints::follow() {
    const auto& document = document_->state();
    const auto statistic = widgets::chosenStatistic(document);
    group_->actions()[statistic ? static_cast<int>(*statistic) + 1 : 0]->setChecked(true);
    const QString name = statistic ? widgets::statisticTitle(*statistic) : tr("Importance");
    (*actions_)["contact-sheet/tinted"]->setText(
        tr("Bars of %1 under Heads").arg(statistic ? name : tr("&Importance")));
    (*actions_)["contact-sheet/sorted"]->setText(tr("&Sort Heads by %1").arg(name));
    const widgets::ViewContext context{
        .selection = document_->selection(), .document = &document, .known = results_};
    const bool areKnown = statistic ? widgets::shownStatistics(context, nullptr) != nullptr
                                    : widgets::shownScores(context, 0).areKnown();
    for (const char* id : {"contact-sheet/tinted", "contact-sheet/sorted"})
        actions_->setEnabled(id, areKnown,
                             tr("Nothing was measured for this run yet: %1.")
                                 .arg((*actions_)["importance"]->text().remove('&')));
}

} // namespace headscope::app
