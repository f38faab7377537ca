#include "app/window/head_tints.h"

#include "app/document/document.h"
#include "app/results/long_tiles.h"
#include "app/results/result_parts.h"
#include "app/results/results.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/words/statistic_words.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

#include <utility>

namespace headscope::app {

using analysis::Statistic;
using widgets::HeadGridView;

HeadTints::HeadTints(HeadGridView* grid, widgets::ImportanceView* importance, Document* document,
                     ResultParts* results, Actions* actions, QObject* parent)
    : QObject(parent), grid_(grid), document_(document), results_(results->answers()), actions_(actions),
      group_(new QActionGroup(this)) {
    results->longTiles()->serve(grid);
    fillMenu();
    connect(grid, &HeadGridView::headOpened, this, &HeadTints::headOpened);
    connect(grid, &HeadGridView::tintChanged, this, &HeadTints::followScores);
    connect((*actions)[ActionId::TintHeads], &QAction::toggled, grid, &HeadGridView::setTinted);
    connect((*actions)[ActionId::SortHeads], &QAction::toggled, grid, &HeadGridView::setSorted);
    connect((*actions)[ActionId::OneLayer], &QAction::toggled, grid, &HeadGridView::setLayerOnly);
    connect(importance, &widgets::ImportanceView::scoresChanged, this, [this, importance] {
        grid_->setImportance(importance->scores(), importance->caption());
        followScores();
    });
    connect(document, &Document::stateChanged, this, &HeadTints::want);
    connect(results_, &Results::changed, this, &HeadTints::show);
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
    want();
    if (statistic)
        (*actions_)[ActionId::TintHeads]->setChecked(true);
    const QString name = statistic ? widgets::statisticTitle(*statistic) : tr("Importance");
    (*actions_)[ActionId::TintHeads]->setText(tr("Bars of %1 under Heads").arg(name));
    (*actions_)[ActionId::SortHeads]->setText(tr("&Sort Heads by %1").arg(name));
}

void HeadTints::want() {
    results_->want(this, chosen_ ? widgets::statisticsQuestions(document_->state()) : Results::Questions());
    show();
}

void HeadTints::show() {
    const auto known =
        widgets::shownStatistics({.document = &document_->state(), .known = results_}, statistics_);
    if (std::exchange(statistics_, known) == known && std::exchange(shown_, chosen_) == chosen_)
        return;
    shown_ = chosen_;
    grid_->setStatistic(chosen_ ? std::optional(widgets::tintByStatistic(
                                      *chosen_, known ? *known : std::vector<analysis::HeadStatistics>()))
                                : std::nullopt);
}

void HeadTints::followScores() {
    for (const auto id : {ActionId::TintHeads, ActionId::SortHeads})
        actions_->setEnabled(id, grid_->hasTint(),
                             tr("Nothing was measured for this run yet: %1.")
                                 .arg((*actions_)[ActionId::MeasureHeads]->text().remove('&')));
}

} // namespace headscope::app
