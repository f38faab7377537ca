#include "app/window/head_tints.h"

#include "app/results/long_tiles.h"
#include "app/results/result_parts.h"
#include "app/results/shown_statistics.h"
#include "app/window/docks/importance_dock.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/words/statistic_words.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

namespace headscope::app {

using analysis::Statistic;
using widgets::HeadGridView;

HeadTints::HeadTints(HeadGridView* grid, ImportanceDock* importance, ResultParts* results, Actions* actions,
                     QObject* parent)
    : QObject(parent), grid_(grid), statistics_(results->statistics()), actions_(actions),
      group_(new QActionGroup(this)) {
    results->longTiles()->serve(grid);
    fillMenu();
    connect(grid, &HeadGridView::headOpened, this, &HeadTints::headOpened);
    connect(grid, &HeadGridView::tintChanged, this, &HeadTints::followScores);
    connect((*actions)[ActionId::TintHeads], &QAction::toggled, grid, &HeadGridView::setTinted);
    connect((*actions)[ActionId::SortHeads], &QAction::toggled, grid, &HeadGridView::setSorted);
    connect((*actions)[ActionId::OneLayer], &QAction::toggled, grid, &HeadGridView::setLayerOnly);
    connect(importance, &ImportanceDock::scoresChanged, this, [this, importance] {
        grid_->setImportance(importance->scores(), importance->caption());
        followScores();
    });
    connect(statistics_, &ShownStatistics::changed, this, &HeadTints::show);
    followScores();
}

void HeadTints::fillMenu() {
    auto* menu = actions_->menu("&Analyse")->addMenu(tr("Bars and Order of Heads &by"));
    const auto add = [&](const QString& title, const QString& tip, std::optional<Statistic> statistic) {
        QAction* action = menu->addAction(title);
        action->setToolTip(tip);
        action->setCheckable(true);
        action->setChecked(!statistic);
        group_->addAction(action);
        connect(action, &QAction::triggered, this, [this, statistic] { choose(statistic); });
    };
    menu->setToolTipsVisible(true);
    add(tr("Importance"), tr("Head importance for the output"), std::nullopt);
    menu->addSeparator();
    for (const auto statistic : analysis::allStatistics())
        add(widgets::statisticTitle(statistic), widgets::statisticTip(statistic), statistic);
}

void HeadTints::setRun(const std::shared_ptr<const trace::Run>& run) {
    grid_->setRun(run);
}

/// Also switches the tint on, so that the choice is visible.
void HeadTints::choose(std::optional<Statistic> statistic) {
    chosen_ = statistic;
    group_->actions()[statistic ? static_cast<int>(*statistic) + 1 : 0]->setChecked(true);
    statistics_->setWanted(this, statistic.has_value());
    show();
    if (statistic)
        (*actions_)[ActionId::TintHeads]->setChecked(true);
    const QString name = statistic ? widgets::statisticTitle(*statistic) : tr("Importance");
    (*actions_)[ActionId::TintHeads]->setText(tr("Bars of %1 under Heads").arg(name));
    (*actions_)[ActionId::SortHeads]->setText(tr("&Sort Heads by %1").arg(name));
}

void HeadTints::show() {
    grid_->setStatistic(chosen_ ? std::optional(widgets::tintByStatistic(*chosen_, statistics_->heads()))
                                : std::nullopt);
}

void HeadTints::followScores() {
    for (const auto id : {ActionId::TintHeads, ActionId::SortHeads})
        actions_->setEnabled(id, grid_->hasTint(),
                             tr("Nothing was measured for this run yet: %1.")
                                 .arg((*actions_)[ActionId::MeasureHeads]->text().remove('&')));
}

} // namespace headscope::app
