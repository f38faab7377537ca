#include "app/window/top/top_bar.h"

#include "app/training/snapshot_controller.h"
#include "app/window/frame/window_width.h"
#include "app/window/top/head_bar.h"
#include "app/window/top/model_button.h"
#include "app/window/top/sentence_panel.h"
#include "app/window/top/state_pills.h"
#include "widgets/controls/readable_controls.h"
#include "widgets/controls/snapshot_bar.h"
#include "widgets/drawing/icons.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/words/trace_words.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::app {

TopBar::TopBar(Document* document, const Settings& settings, Actions* actions, QWidget* parent)
    : QWidget(parent) {
    widgets::installControlAccessibility(); // before the first control is named
    auto* menus = new QMenuBar(this);
    models_ = new ModelButton(settings, *actions, this);
    actions->fill(menus, models_->menu());
    headBar_ = new HeadBar(*actions, this);
    sentence_ = new SentencePanel(document->controller(), document->selection(), *actions, this);
    auto* palette = new QToolButton(this);
    (*actions)[ActionId::CommandPalette]->setIcon(widgets::icon("search"));
    (*actions)[ActionId::CommandPalette]->setIconVisibleInMenu(false);
    palette->setDefaultAction((*actions)[ActionId::CommandPalette]);
    palette->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar_ = new QHBoxLayout;
    auto* bar = bar_;
    bar->setSpacing(widgets::space::m);
    bar->addWidget(models_, 0, Qt::AlignVCenter);
    bar->addWidget(sentence_->line(), 1);
    snapshots_ = new widgets::SnapshotBar(this);
    pills_ = new StatePills(document, snapshots_, this);
    bar->addWidget(pills_, 0, Qt::AlignVCenter);
    bar->addWidget(palette, 0, Qt::AlignVCenter);
    trainingTime_ = new SnapshotController(document->queue(), document->opener(), document->controller(),
                                           snapshots_, actions, this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->setMenuBar(menus);
    column->addLayout(bar);
    column->addWidget(snapshots_);
    connect(document, &Document::modelChanged, this, &TopBar::showModel);
}

void TopBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool isNarrow = widthOfWindow(this) == WindowWidth::Narrow;
    models_->setBrief(isNarrow);
    const int above = isNarrow ? 0 : widgets::space::xs;
    bar_->setContentsMargins(widgets::space::m, above, widgets::space::m, above);
}

/// A line below.
void TopBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(QRect(0, height() - 1, width(), 1), widgets::themeOf(QWidget::palette()).line);
}

void TopBar::showModel(const std::shared_ptr<const trace::ModelSummary>& model) {
    const QString title = widgets::modelTitle(*model);
    models_->setModel(*model);
    models_->showName(title, trainingTime_->names(title));
}

} // namespace headscope::app
