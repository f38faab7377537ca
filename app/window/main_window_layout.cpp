#include "app/document/restore_offer.h"
#include "app/models/resource_folders.h"
#include "app/results/errands.h"
#include "app/results/head_comparisons.h"
#include "app/training/training_time.h"
#include "app/window/decode_popups.h"
#include "app/window/docks/arithmetic_dock.h"
#include "app/window/docks/branch_docks.h"
#include "app/window/docks/dock_tabs.h"
#include "app/window/docks/head_table_dock.h"
#include "app/window/docks/importance_dock.h"
#include "app/window/docks/lens_dock.h"
#include "app/window/docks/random_twin_dock.h"
#include "app/window/docks/what_if_dock.h"
#include "app/window/head_bar.h"
#include "app/window/main_window.h"
#include "app/window/message_panel.h"
#include "app/window/sentence_panel.h"
#include "widgets/controls/roomy_area.h"
#include "widgets/controls/self_check_badge.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/controls/tall_area.h"
#include "widgets/views/architecture/architecture_view.h"
#include "widgets/views/batch/batch_view.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/compared_heads/compared_heads.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/overview/overview_view.h"
#include "widgets/views/panels.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/training/snapshot_bar.h"
#include "widgets/words/counting_words.h"

#include <QAction>
#include <QDockWidget>
#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace headscope::app {

namespace {

/// A bar without room scrolls as far as the tab on top needs, wherever it stood before: a window that is
/// opened again, or in which something is undone, looks the same.
void scrollAnew(QTabBar* bar) {
    bar->setUsesScrollButtons(false); // which forgets where it stood
    bar->setUsesScrollButtons(true);
}

} // namespace

void MainWindow::buildLayout() {
    setMenuWidget(buildTop());
    message_ = new MessagePanel(this);
    restoreOffer_ = new RestoreOffer(this);
    overview_ = new widgets::Overview(selection_, this);
    compared_ = new widgets::ComparedHeads(selection_, this);
    heatmap_ = compared_->single();
    comparisons_ = new HeadComparisons(queue_, controller_, selection_, overview_, compared_, this);
    masks_ = new widgets::MaskView(selection_, this);
    positions_ = new widgets::PositionalEncodingView(selection_, this);
    architecture_ = new widgets::ArchitectureView(selection_, this);
    lines_ = new widgets::LinesView(selection_, this);
    connect(controller_, &DecodeController::decodingChanged, masks_->batch(),
            [this] { masks_->batch()->setDecoding(controller_->decoding(), controller_->newTokens()); });
    tabs_ = new QTabWidget(this);
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Views"));
    tabs_->addTab(overview_, tr("Overview"));
    tabs_->addTab(compared_, tr("Heatmap"));
    tabs_->addTab(masks_, tr("Masks"));
    tabs_->addTab(positions_, tr("Positions"));
    tabs_->addTab(lines_, tr("Lines"));
    tabs_->addTab(architecture_, tr("Architecture"));
    buildScale();
    buildCompare();
    nameTabs();
    tabs_->setCurrentWidget(compared_); // the best head, large
    connect(tabs_, &QTabWidget::currentChanged, this, [bar = tabs_->tabBar()] { scrollAnew(bar); });
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(restoreOffer_);
    column->addWidget(message_);
    column->addWidget(tabs_, 1);
    setCentralWidget(centre);
    for (int i = 0; i < tabs_->count(); ++i) // large text must not make the window higher than the screen
        tabs_->widget(i)->setMinimumHeight(8 * fontMetrics().height());
    buildDocks();
    for (auto* view : std::initializer_list<widgets::View*>{overview_, compared_, lines_, masks_, positions_,
                                                            architecture_, scale_, classifier_, compare_,
                                                            candidates_, arithmetic_->view()})
        addView(view);
    std::ranges::for_each(panelViews_, [this](auto* view) { addView(view); });
    popups_ = new DecodePopups(this, controller_, &settings_, *actions_);
    connect(popups_, &DecodePopups::said, this,
            [this](const QString& words) { statusBar()->showMessage(words, messageTime); });
    connect(popups_, &DecodePopups::unsureBelowChanged, sentence_, &SentencePanel::setUnsureBelow);
    sentence_->setUnsureBelow(popups_->unsureBelow());
    buildStatusBar();
    offerSamples();
    if (const auto samples = sampleSentences(); !samples.empty())
        sentence_->edit()->setText(QString::fromStdString(samples.front()));
}

/// Who has nothing more to say takes no words away that another one said since.
void MainWindow::sayCell(const QObject* by, const QString& words) {
    if (words.isEmpty() && by != speaker_)
        return;
    speaker_ = words.isEmpty() ? nullptr : by;
    cell_->setText(words);
    if (!words.isEmpty())
        cellWords_ = words;
}

/// Each tab says what it shows and which key goes there.
void MainWindow::nameTabs() {
    const std::vector<ActionId> openedBy{
        ActionId::ViewClassifier,   ActionId::ViewOverview,  ActionId::ViewHeatmap,
        ActionId::ViewMasks,        ActionId::ViewPositions, ActionId::ViewLines,
        ActionId::ViewArchitecture, ActionId::ViewScale,     ActionId::ViewCompare};
    for (int tab = 0; tab < tabs_->count(); ++tab)
        tabs_->setTabToolTip(tab, (*actions_)[openedBy.at(static_cast<std::size_t>(tab))]->toolTip());
}

/// Menus, model and head, sentence: the full width above the docks.
QWidget* MainWindow::buildTop() {
    auto* top = new QWidget(this);
    auto* menus = new QMenuBar(top);
    actions_->fill(menus);
    modelButton_ = new QPushButton(top);
    modelButton_->setText(tr("No model"));
    modelButton_->setAccessibleName(tr("Model"));
    modelButton_->setObjectName("model");
    modelButton_->setToolTip(tr("Open another model"));
    modelButton_->setMenu(new QMenu(tr("&Models"), modelButton_));
    connect(modelButton_->menu(), &QMenu::aboutToShow, this, &MainWindow::fillModels);
    fillModels();
    QMenu* file = actions_->menu("&File");
    file->insertMenu((*actions_)[ActionId::SavePicture], modelButton_->menu());
    languages_ = new QLabel(top);
    languages_->setTextFormat(Qt::PlainText);
    headBar_ = new HeadBar(selection_, *actions_, {modelButton_, languages_}, top);
    auto* palette = new QToolButton(top);
    palette->setDefaultAction((*actions_)[ActionId::CommandPalette]);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 0, 8, 0);
    bar->setSpacing(12);
    bar->addWidget(headBar_, 1);
    bar->addWidget(palette, 0, Qt::AlignTop);
    snapshots_ = new widgets::SnapshotBar(top);
    trainingTime_ = new TrainingTime(queue_, opener_, controller_, snapshots_, actions_, this);
    sentence_ = new SentencePanel(controller_, selection_, *actions_, top);
    auto* column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 4);
    column->setSpacing(4);
    column->setMenuBar(menus);
    column->addLayout(bar);
    column->addWidget(snapshots_);
    column->addWidget(sentence_);
    return top;
}

void MainWindow::fillModels() {
    QMenu* models = modelButton_->menu();
    fillModelMenu(models, [this](const QString& pathOrName) { openModel(pathOrName); });
    models->addAction((*actions_)[ActionId::OpenFolder]);
    models->addAction((*actions_)[ActionId::OpenFile]);
}

void MainWindow::fillModelMenu(QMenu* menu, const std::function<void(const QString&)>& open) {
    menu->clear();
    const auto add = [&](const QString& shown, const QString& pathOrName) {
        QAction* action = menu->addAction(QString(shown).replace('&', "&&"));
        action->setToolTip(pathOrName);
        connect(action, &QAction::triggered, this, [open, pathOrName] { open(pathOrName); });
        action->setProperty(synonymsProperty, QStringList{tr("model")});
        return action;
    };
    menu->setToolTipsVisible(true);
    menu->addSection(tr("Bundled"));
    QStringList bundledPaths;
    for (const auto& name : bundledModels()) {
        add(QString::fromStdString(name), QString::fromStdString(name));
        bundledPaths += QString::fromStdString(bundledModel(name).string());
    }
    bool any = false;
    for (const QString& path : settings_.recentModels()) {
        if (bundledPaths.contains(path))
            continue;
        if (!std::exchange(any, true))
            menu->addSection(tr("Recent"));
        const bool there = QFile::exists(path);
        QAction* action = add(there ? path : tr("%1 (missing)").arg(path), path);
        action->setEnabled(there);
        action->setProperty(synonymsProperty, QStringList{tr("recent"), tr("model")});
    }
    menu->addSeparator();
}

void MainWindow::buildDocks() {
    // What the next token may be stays in sight, whatever is opened below the maps.
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    grid_ = new widgets::HeadGridView(selection_, this);
    candidates_ = new widgets::CandidatesView(selection_, this);
    const auto add = [this](QDockWidget* dock, const char* name, Qt::DockWidgetArea area) {
        dock->setObjectName(name);
        addDockWidget(area, dock);
        QAction* toggle = dock->toggleViewAction();
        toggle->setToolTip(tr("Show or hide the panel \"%1\"").arg(dock->windowTitle()));
        actions_->menu("&Window")->addAction(toggle);
    };
    const auto dock = [&](const char* name, const QString& title, QWidget* view, Qt::DockWidgetArea area) {
        auto* dock = new QDockWidget(title, this);
        dock->setWidget(view);
        add(dock, name, area);
        return dock;
    };
    auto* heads = dock("heads", tr("Heads"), grid_, Qt::LeftDockWidgetArea);
    auto* next = dock("next-token", tr("Next token"), new widgets::TallArea(candidates_, this),
                      Qt::RightDockWidgetArea);
    connect(whatIf_, &WhatIf::refused, message_, &MessagePanel::showRefusal);
    whatIfDock_ = new WhatIfDock(whatIf_, controller_, selection_, actions_, this);
    add(whatIfDock_, "what-if", Qt::RightDockWidgetArea);
    resizeDocks({next, whatIfDock_}, {480, 320}, Qt::Vertical);
    importance_ = new ImportanceDock(analyses_, controller_, selection_, actions_, this);
    importance_->switchHeadsIn(whatIf_);
    importance_->showIn(grid_);
    importance_->showTwin(twinAnalyses_);
    add(importance_, "importance", Qt::RightDockWidgetArea);
    tabifyDockWidget(whatIfDock_, importance_);
    importance_->hide(); // until something is measured
    branches_ = new BranchDocks(this, controller_, selection_, *actions_);
    twinDock_ = new RandomTwinDock(queue_, twin_, selection_, *actions_, this);
    add(twinDock_, "random-twin", Qt::BottomDockWidgetArea);
    twinDock_->hide();
    lens_ = new LensDock(analyses_, twinAnalyses_, controller_, selection_, actions_, this);
    add(lens_, "logit-lens", Qt::BottomDockWidgetArea);
    lens_->hide();
    arithmetic_ = new ArithmeticDock(selection_, *actions_, this);
    add(arithmetic_, "arithmetic", Qt::BottomDockWidgetArea);
    arithmetic_->hide();
    headTable_ = new HeadTableDock(queue_, controller_, twin_, selection_, actions_, this);
    headTable_->showImportance(analyses_);
    headTable_->tintHeads(grid_, actions_->menu("&Analyse"));
    add(headTable_, "head-table", Qt::BottomDockWidgetArea);
    headTable_->hide();
    for (const auto& panel : widgets::panels()) {
        panelViews_.push_back(panel.make(selection_, this));
        auto* own = dock(panel.spec->key, QCoreApplication::translate("ViewSpec", panel.spec->title),
                         new widgets::RoomyArea(panelViews_.back(), this), Qt::BottomDockWidgetArea);
        own->hide();
        layOnOpenDocksFromMenu(own);
    }
    resizeDocks({heads, next}, {460, next->widget()->sizeHint().width()}, Qt::Horizontal);
    constexpr QSize frame(16, 48); // what the desktop adds to a window, about
    resize(QSize(1440, 900).boundedTo(screen()->availableSize() - frame));
}

void MainWindow::addView(widgets::View* view) {
    views_.push_back(view);
    errands_->serve(view);
    connect(view, &widgets::View::cellDescribed, this,
            [this, view](const QString& words) { sayCell(view, words); });
    connect((*actions_)[ActionId::SpaceMarks], &QAction::toggled, view, &widgets::View::setSpaceMarksShown);
    connect(mapChoices_, &MapChoices::optionsChanged, view, &widgets::View::setMapOptions);
    offerPicture(view);
}

void MainWindow::buildStatusBar() {
    badge_ = new widgets::SelfCheckBadge(this);
    device_ = new QLabel(this);
    working_ = new QLabel(this);
    cell_ = new QLabel(this);
    for (QLabel* label : {device_, working_, cell_})
        label->setTextFormat(Qt::PlainText);
    cell_->setAccessibleName(tr("Cell"));
    cell_->setToolTip(tr("What is pointed at or has the keyboard. %1").arg(widgets::countingInWords()));
    cell_->setAccessibleDescription(widgets::countingInWords());
    statusBar()->addWidget(badge_);
    statusBar()->addWidget(device_);
    statusBar()->addWidget(working_);
    statusBar()->addPermanentWidget(cell_);
    describe(overview_->view(), &widgets::OverviewView::headDescribed);
    describe(branches_, &BranchDocks::cellDescribed);
    describe(lens_, &LensDock::cellDescribed);
}

} // namespace headscope::app
