#include "widgets/views/head_grid/head_grid.h"

#include "widgets/controls/role_list.h"
#include "widgets/controls/view_choices.h"
#include "widgets/selection.h"
#include "widgets/tables/known_heads.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/places.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/statistic_words.h"

#include <QAction>
#include <QActionGroup>
#include <QFontMetrics>
#include <QMenu>
#include <QVBoxLayout>

#include <utility>

namespace headscope::widgets {

using analysis::Statistic;

HeadGrid::HeadGrid(Selection* selection, QWidget* parent)
    : TileView(selection, parent), view_(new HeadGridView(selection, this)), roles_(new RoleList(this)),
      menu_(new QMenu(tr("Bars and Order of Heads &by"), this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(view_, 1);
    column->addWidget(roles_);
    setFocusProxy(view_);
    setAccessibleName(view_->accessibleName());
    setGrid(view_);
    roles_->hide();
    roles_->setMinimumWidth(1); // narrower ones fold
    connect(roles_, &RoleList::headChosen, selection, &Selection::setHead);
    connect(roles_, &RoleList::roleChosen, this, [selection](const auto& role) {
        if (role && !role->heads.empty())
            selection->setHead(role->heads.front());
    });
    fillMenu();
}

void HeadGrid::fillMenu() {
    auto* group = new QActionGroup(menu_);
    const auto add = [&](const QString& title, const QString& tip, std::optional<Statistic> statistic) {
        QAction* action = group->addAction(menu_->addAction(title));
        action->setToolTip(tip);
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, statistic] {
            Q_EMIT intended(chooseWord("heads", "by", statistic ? static_cast<int>(*statistic) + 1 : 0));
            if (statistic) // so that the choice is visible
                Q_EMIT intended(intents::Choose{"heads", "tinted", true});
        });
    };
    menu_->setToolTipsVisible(true);
    add(tr("Importance"), tr("Head importance for the output"), std::nullopt);
    menu_->addSeparator();
    for (const auto statistic : analysis::allStatistics())
        add(statisticTitle(statistic), statisticTip(statistic), statistic);
    group->actions().front()->setChecked(true);
}

void HeadGrid::refresh() {
    const auto& document = *context().document;
    TileView::refresh();
    const auto statistic = chosenStatistic(document);
    if (std::exchange(shown_, statistic) != statistic)
        showStatistics(heads_);
    view_->setTinted(chosenFlag(document, "heads", "tinted"));
    view_->setSorted(chosenFlag(document, "heads", "sorted"));
    view_->setOneKind(chosenFlag(document, "heads", "one-kind"));
    fit();
    const auto* group = menu_->actions().front()->actionGroup();
    group->actions()[statistic ? static_cast<int>(*statistic) + 1 : 0]->setChecked(true);
    Q_EMIT actionsChanged();
}

void HeadGrid::fit() {
    constexpr int narrow = 15, low = 41, wide = 60; // in characters and lines
    const QFontMetrics text(font());
    const bool isStrip = width() < narrow * text.averageCharWidth();
    view_->setLayerOnly(isStrip || chosenFlag(*context().document, "heads", "layer"));
    view_->setCaptioned(width() > wide * text.averageCharWidth());
    // More room unfolds them than folds them, or at some heights they would come and go for ever.
    const int lines = roles_->isFolded() ? low + 4 : low;
    roles_->setFolded(height() < lines * text.height() || width() < roles_->leastWidth());
    roles_->setVisible(!isStrip && rolesOf_ != nullptr);
}

void HeadGrid::resizeEvent(QResizeEvent* event) {
    TileView::resizeEvent(event);
    if (context().document)
        fit();
}

std::optional<View::Lacking> HeadGrid::lacks() const {
    const auto& document = *context().document;
    const bool isTinted = chosenFlag(document, "heads", "tinted");
    return !chosenStatistic(document) && (isTinted || chosenFlag(document, "heads", "sorted"))
               ? lackingImportance(context(), isTinted ? "tinted" : "sorted")
               : std::nullopt;
}

QString HeadGrid::whyNot(const std::string& action) const {
    if (action == "layer")
        return {};
    if (!context().document->run)
        return tr("Nothing is decoded yet. %1").arg(hintForNoRun(*this));
    if (action == "export-layer")
        return {};
    if (chosenStatistic(*context().document))
        return shownStatistics(context(), nullptr)
                   ? QString()
                   : tr("The statistics of this run are still being computed.");
    return shownScores(context(), 0).areKnown()
               ? QString()
               : tr("Nothing has been measured for this run yet. Choose Measure Head Importance.");
}

QString HeadGrid::nameOf(const std::string& action) const {
    const auto statistic = chosenStatistic(*context().document);
    if (action == "tinted")
        return tr("Bars of %1 under Heads").arg(statistic ? statisticTitle(*statistic) : tr("&Importance"));
    if (action == "sorted")
        return tr("&Sort Heads by %1").arg(statistic ? statisticTitle(*statistic) : tr("Importance"));
    return {};
}

/// Exports the layer as the view shows it, which shows only that layer from then on.
void HeadGrid::act(const std::string&) {
    Q_EMIT intended(intents::Choose{"heads", "layer", true});
    Q_EMIT intended(intents::SavePicture());
}

void HeadGrid::showStatistics(const std::vector<analysis::HeadStatistics>& heads) {
    heads_ = heads;
    view_->setStatistic(shown_ ? std::optional(tintByStatistic(*shown_, heads_)) : std::nullopt);
    const auto& run = context().document->run;
    // Those of the run before stay until there are new ones: a list that comes and goes would resize all
    // maps.
    if (!run || run->model != rolesOf_)
        rolesOf_.reset();
    if (run && !heads.empty()) {
        rolesOf_ = run->model;
        roles_->setRoles(analysis::rolesAmong(heads), run.get());
    }
    fit();
}

void HeadGrid::showScores(const ShownScores& scores) {
    view_->setImportance(scores.ranked(), scores.caption(), scores.areNumbers());
}

View* views::makers::head_grid(Selection* selection, QWidget* parent) {
    return new HeadGrid(selection, parent);
}

} // namespace headscope::widgets
