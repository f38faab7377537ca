#include "app/window/top/top_bar.h"

#include "app/training/snapshot_controller.h"
#include "app/window/frame/window_width.h"
#include "app/window/top/head_bar.h"
#include "app/window/top/model_button.h"
#include "app/window/top/sentence_panel.h"
#include "app/window/top/state_pills.h"
#include "widgets/controls/readable_controls.h"
#include "widgets/controls/snapshot_bar.h"
#include "widgets/words/captions.h"
#include "widgets/words/trace_words.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::app {

namespace {

QString languagesOf(const trace::ModelSummary& model) {
    if (model.sourceLanguage.empty() || model.targetLanguage.empty())
        return model.sourceLanguage.empty() ? QString() : widgets::languageName(model.sourceLanguage);
    return TopBar::tr("%1 > %2").arg(widgets::languageName(model.sourceLanguage),
                                     widgets::languageName(model.targetLanguage));
}

} // namespace

TopBar::TopBar(Document* document, const Settings& settings, Actions* actions, QWidget* parent)
    : QWidget(parent) {
    widgets::installControlAccessibility(); // before the first control is named
    auto* menus = new QMenuBar(this);
    models_ = new ModelButton(settings, *actions, this);
    actions->fill(menus, models_->menu());
    languages_ = new QLabel(this);
    languages_->setTextFormat(Qt::PlainText);
    headBar_ = new HeadBar(*actions, this);
    sentence_ = new SentencePanel(document->controller(), document->selection(), *actions, this);
    auto* palette = new QToolButton(this);
    palette->setDefaultAction((*actions)[ActionId::CommandPalette]);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 0, 8, 0);
    bar->setSpacing(12);
    bar->addWidget(models_, 0, Qt::AlignTop);
    bar->addWidget(languages_, 0, Qt::AlignTop);
    bar->addWidget(sentence_->line(), 1);
    snapshots_ = new widgets::SnapshotBar(this);
    pills_ = new StatePills(document, snapshots_, this);
    bar->addWidget(pills_, 0, Qt::AlignTop);
    bar->addWidget(palette, 0, Qt::AlignTop);
    trainingTime_ = new SnapshotController(document->queue(), document->opener(), document->controller(),
                                           snapshots_, actions, this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 4);
    column->setSpacing(4);
    column->setMenuBar(menus);
    column->addLayout(bar);
    column->addWidget(snapshots_);
    connect(document, &Document::modelChanged, this, &TopBar::showModel);
}

void TopBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    languages_->setVisible(widthOfWindow(this) != WindowWidth::Narrow);
}

void TopBar::showModel(const std::shared_ptr<const trace::ModelSummary>& model) {
    const QString title = widgets::modelTitle(*model);
    models_->setModel(*model);
    models_->showName(title, trainingTime_->names(title));
    languages_->setText(languagesOf(*model));
}

} // namespace headscope::app
