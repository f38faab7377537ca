#include "app/document/model_opener.h"
#include "app/document/window_state.h"
#include "app/export/trace_desk.h"
#include "app/models/resource_folders.h"
#include "app/results/errands.h"
#include "app/training/train_dialog.h"
#include "app/window/command_palette.h"
#include "app/window/docks/arithmetic_dock.h"
#include "app/window/docks/branch_docks.h"
#include "app/window/docks/dock_tabs.h"
#include "app/window/docks/head_table_dock.h"
#include "app/window/docks/importance_dock.h"
#include "app/window/docks/lens_dock.h"
#include "app/window/docks/random_twin_dock.h"
#include "app/window/docks/what_if_dock.h"
#include "app/window/file_dialogs.h"
#include "app/window/help_dialogs.h"
#include "app/window/main_window.h"
#include "app/window/manual_window.h"
#include "app/window/message_panel.h"
#include "app/window/sentence_panel.h"
#include "app/window/target_language_box.h"
#include "app/window/zoom_keys.h"
#include "widgets/controls/self_check_badge.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/architecture/architecture_view.h"
#include "widgets/views/arithmetic/arithmetic_view.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/compared_heads/compared_heads.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/head_page/head_page.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/heatmap/heatmap_view.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/overview/overview_view.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/random_twin/random_twin_panel.h"
#include "widgets/views/source_share/source_share.h"
#include "widgets/views/training/training_curves.h"
#include "widgets/views/what_if/change_comparison.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabWidget>

#include <algorithm>
#include <array>
#include <iterator>

namespace headscope::app {

namespace {

constexpr std::array themes{std::pair(ActionId::ThemeSystem, "system"),
                            std::pair(ActionId::ThemeLight, "light"), std::pair(ActionId::ThemeDark, "dark")};

/// The name of a panel's action in the search.
constexpr QLatin1String showsPanel("shows-panel");

} // namespace

void MainWindow::connectActions() {
    const auto on = [this](ActionId id, auto&& what) {
        connect((*actions_)[id], &QAction::triggered, this, what);
    };
    for (const bool folder : {true, false})
        on(folder ? ActionId::OpenFolder : ActionId::OpenFile, [this, folder] {
            if (const QString path = chosenModel(folder); !path.isEmpty())
                openModel(path);
        });
    on(ActionId::AskAgain, [this] {
        state_->abandon();
        opener_->askAgain();
    });
    on(ActionId::SaveTrace, [this] { traces_->save(); });
    on(ActionId::Train, [this] { openTraining(); });
    on(ActionId::CopyTranslation, [this] {
        if (const auto& run = controller_->run())
            QApplication::clipboard()->setText(QString::fromStdString(run->output));
    });
    buildDesk();
    on(ActionId::CopyCell, [this] {
        if (!cellWords_.isEmpty())
            QApplication::clipboard()->setText(cellWords_);
    });
    on(ActionId::Quit, &QWidget::close);
    on(ActionId::EditSentence, [this] {
        sentence_->edit()->lineEdit()->setFocus(Qt::ShortcutFocusReason);
        sentence_->edit()->lineEdit()->selectAll();
    });
    on(ActionId::Unpin, [this] {
        selection_->clearPinned();
        selection_->setCursor({});
        setFocus(); // out of the sentence field: keys step again
    });
    on(ActionId::Decode, &MainWindow::decodeTyped);
    connect(sentence_->edit(), &widgets::SentenceEdit::submitted, this, [this] {
        decodeTyped();
        setFocus(); // keys step through what comes; Ctrl+L goes back
    });
    connect(sentence_->language(), &TargetLanguageBox::languageChosen, this, [this](const QString& language) {
        settings_.setTargetLanguage(opener_->openPath(), language);
        decodeSentence();
    });
    on(ActionId::RunOrStop,
       [this] { controller_->isDecoding() ? controller_->stop() : controller_->toEnd(); });
    const auto controls = [&](ActionId id, void (DecodeController::*slot)()) {
        connect((*actions_)[id], &QAction::triggered, controller_, slot);
    };
    controls(ActionId::ToStart, &DecodeController::toStart);
    controls(ActionId::Back, &DecodeController::back);
    controls(ActionId::Forward, &DecodeController::forward);
    controls(ActionId::ToEnd, &DecodeController::toEnd);
    controls(ActionId::Stop, &DecodeController::stop);
    on(ActionId::Stop, [this] {
        queue_->stop(RunQueue::Slot::Model);
        errands_->stop();
        traces_->stop();
    });
    connect((*actions_)[ActionId::StepByStep], &QAction::toggled, controller_,
            &DecodeController::setStepByStep);
    connectViewActions();
    connectHeads();
    connectMapActions();
    connectScale();
    connectCompare();
    connectHelpActions();
    {
        const QSignalBlocker quiet((*actions_)[ActionId::SpaceMarks]);
        (*actions_)[ActionId::SpaceMarks]->setChecked(!settings_.spaceMarks());
    }
    (*actions_)[ActionId::SpaceMarks]->setChecked(settings_.spaceMarks()); // every view is told
    qApp->installEventFilter(this);
}

void MainWindow::connectViewActions() {
    const auto on = [this](ActionId id, auto&& what) {
        connect((*actions_)[id], &QAction::triggered, this, what);
    };
    using trace::AttentionKind;
    on(ActionId::KindEncoder, [this] { chooseKind(AttentionKind::EncoderSelf); });
    on(ActionId::KindDecoder, [this] { chooseKind(AttentionKind::DecoderSelf); });
    on(ActionId::KindCross, [this] { chooseKind(AttentionKind::Cross); });
    on(ActionId::PreviousHead, [this] { changeHead(0, -1); });
    on(ActionId::NextHead, [this] { changeHead(0, 1); });
    on(ActionId::PreviousLayer, [this] { changeHead(-1, 0); });
    on(ActionId::NextLayer, [this] { changeHead(1, 0); });
    const auto zoom = [this](int key) { pressZoomKey(*tabs_->currentWidget(), key); };
    on(ActionId::FitMap, [this, zoom] {
        compared_->fit();
        zoom(Qt::Key_0);
    });
    on(ActionId::ZoomIn, [zoom] { zoom(Qt::Key_Plus); });
    on(ActionId::ZoomOut, [zoom] { zoom(Qt::Key_Minus); });
    on(ActionId::ViewHeatmap, [this] { showTab(compared_); });
    on(ActionId::ViewMasks, [this] { showTab(masks_); });
    on(ActionId::ViewPositions, [this] { showTab(positions_); });
    on(ActionId::ViewArchitecture, [this] { showTab(architecture_); });
    on(ActionId::ViewLines, [this] { showTab(lines_); });
    on(ActionId::ResetLayout, &MainWindow::resetLayout);
    connect((*actions_)[ActionId::SpaceMarks], &QAction::toggled, this, [this](bool shown) {
        settings_.setSpaceMarks(shown);
        sentence_->setSpaceMarksShown(shown);
        branches_->setSpaceMarksShown(shown);
        twinDock_->setSpaceMarksShown(shown);
        lens_->setSpaceMarksShown(shown);
        whatIfDock_->comparison()->setSpaceMarksShown(shown);
    });
    for (const auto& [id, name] : themes)
        on(id, [this, name = name] { chooseTheme(name); });
    chooseTheme(settings_.theme());
    connect(headTable_, &HeadTableDock::sentenceChosen, this, [this](const QString& sentence) {
        sentence_->edit()->setText(sentence);
        decodeSentence();
    });
    connect(headTable_, &HeadTableDock::refused, message_, &MessagePanel::showRefusal);
    connect(masks_, &widgets::MaskView::paddingChanged, controller_, &DecodeController::setPadding);
    connect(candidates_, &widgets::CandidatesView::candidateChosen, this, [this](int step, std::int64_t id) {
        controller_->choose(step, id);
        setFocus(); // keys step through what comes
    });
    for (QWidget* view : std::initializer_list<QWidget*>{
             overview_->view(), grid_, sentence_->sourceShare(), importance_->view(), headTable_->table(),
             headTable_->page(), twinDock_->map(), twinDock_->panel(), whatIfDock_->comparison()})
        offerPicture(view);
    for (const auto& views : {branches_->pictures(), lens_->pictures()})
        for (QWidget* view : views)
            offerPicture(view);
    for (QWidget* map : compared_->allMaps())
        offerPicture(map);
    connect(branches_, &BranchDocks::refused, message_, &MessagePanel::showRefusal);
}

void MainWindow::connectHelpActions() {
    const auto on = [this](ActionId id, auto&& what) {
        connect((*actions_)[id], &QAction::triggered, this, what);
    };
    goToHead_ = new QAction(this);
    connect(goToHead_, &QAction::triggered, this,
            [this] { selection_->setHead(goToHead_->data().value<trace::HeadAddress>()); });
    on(ActionId::CommandPalette, &MainWindow::search);
    on(ActionId::SelfCheck, [this] { badge_->click(); });
    on(ActionId::Manual, [this] {
        if (!manual_)
            manual_ = new ManualWindow(QString::fromStdString(manualFolder().string()), this);
        manual_->show();
        manual_->raise();
        manual_->activateWindow();
    });
    on(ActionId::Keys, [this] { showKeys(*actions_, this); });
    on(ActionId::About, [this] { showAbout(model_.get(), this); });
}

void MainWindow::search() {
    auto all = actions_->all();
    std::ranges::copy(foundBesides(), std::back_inserter(all));
    CommandPalette(
        std::move(all), [this](const QString& words) { return headAction(words); }, this)
        .exec();
}

std::vector<QAction*> MainWindow::foundBesides() {
    auto found = whatIfDock_->changes();
    for (auto* dock : findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
        auto* shows = dock->findChild<QAction*>(showsPanel, Qt::FindDirectChildrenOnly);
        if (!shows) {
            shows = new QAction(dock);
            shows->setObjectName(showsPanel);
            // Who searches for a panel wants to see it, also where it is open.
            connect(shows, &QAction::triggered, dock, [dock] {
                if (dock->isHidden())
                    return dock->toggleViewAction()->trigger();
                dock->raise();
                giveKeys(*dock);
            });
        }
        const auto* toggle = dock->toggleViewAction();
        shows->setText(tr("Panel: %1").arg(dock->windowTitle()));
        shows->setEnabled(toggle->isEnabled());
        shows->setToolTip(toggle->toolTip());
        if (dock->objectName() == QLatin1String("next-token"))
            shows->setProperty(synonymsProperty,
                               (*actions_)[ActionId::NextUnsure]->property(synonymsProperty));
        found.push_back(shows);
    }
    fillModels(); // others may have been opened since it was shown
    const auto inTable = actions_->all();
    for (QAction* model : modelButton_->menu()->actions())
        if (!model->isSeparator() && std::ranges::find(inTable, model) == inTable.end())
            found.push_back(model);
    return found;
}

QAction* MainWindow::headAction(const QString& words) {
    static const QRegularExpression numbers(QStringLiteral("^\\s*#\\s*(\\d{1,4})[.\\s](\\d{1,4})\\s*$"));
    const auto typed = numbers.match(words);
    if (!typed.hasMatch())
        return nullptr;
    trace::HeadAddress head = selection_->head();
    head.site.layer = typed.captured(1).toInt();
    head.head = typed.captured(2).toInt();
    const auto kind = head.site.kind;
    const bool isThere = model_ && head.site.layer < model_->layers(kind) && head.head < model_->heads(kind);
    const QString name = QString::fromStdString(trace::toString(head));
    goToHead_->setData(QVariant::fromValue(head));
    goToHead_->setText(tr("Go to Head %1").arg(name));
    goToHead_->setEnabled(isThere);
    const QString effect = tr("Select head %1, of the kind of attention shown").arg(name);
    const QString why = model_ ? tr("The model has %1 layers of %2 heads. Layers and heads count from 0.")
                                     .arg(model_->layers(kind))
                                     .arg(model_->heads(kind))
                               : tr("No model is open.");
    goToHead_->setToolTip(isThere ? effect : tr("%1\n%2").arg(effect, why));
    return goToHead_;
}

/// What is saved and copied is then this view.
void MainWindow::showTab(QWidget* view) {
    tabs_->setCurrentWidget(view);
    setFocus();
}

void MainWindow::chooseTheme(const QString& name) {
    for (const auto& [id, known] : themes)
        if (name == QLatin1String(known))
            (*actions_)[id]->setChecked(true);
    settings_.setTheme(name);
    applyTheme();
}

void MainWindow::applyTheme() {
    static const QPalette system = QApplication::palette();
    const QString theme = settings_.theme();
    const bool dark = theme == "dark" || (theme == "system" && widgets::themeOf(system).dark);
    QApplication::setPalette(widgets::paletteOf(dark ? widgets::darkTheme() : widgets::lightTheme()));
}

void MainWindow::openTraining() {
    if (!training_) {
        training_ = new TrainDialog(this);
        connect(training_, &TrainDialog::modelWanted, this, [this](const QString& model) {
            training_->hide(); // it would stand before what is to be seen
            openModel(model);
        });
        offerPicture(training_->curves());
    }
    training_->show();
    training_->raise();
    training_->activateWindow();
}

QString MainWindow::chosenModel(bool folder) {
    if (folder)
        return askFolder({.window = this, .title = tr("Open Model Folder")});
    return askFileToOpen(
        {.window = this,
         .title = tr("Open Weights File or Trace"),
         .filters = tr("Weights and traces (*.safetensors *.pt *.pth *.bin *.index.json);;All files (*)")});
}

} // namespace headscope::app
