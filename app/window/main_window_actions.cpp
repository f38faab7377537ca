#include "app/plain/command_line_text.h"
#include "app/plain/resource_folders.h"
#include "app/plain/version.h"
#include "app/window/branch_docks.h"
#include "app/window/command_palette.h"
#include "app/window/head_table_dock.h"
#include "app/window/help_dialogs.h"
#include "app/window/importance_dock.h"
#include "app/window/main_window.h"
#include "app/window/message_panel.h"
#include "app/window/model_opener.h"
#include "app/window/random_twin_dock.h"
#include "app/window/sentence_panel.h"
#include "app/window/target_language_box.h"
#include "app/window/what_if_dock.h"
#include "model/files/atomic_file.h"
#include "widgets/candidates_view.h"
#include "widgets/figure_export.h"
#include "widgets/head_grid_view.h"
#include "widgets/head_table.h"
#include "widgets/heatmap_view.h"
#include "widgets/importance_view.h"
#include "widgets/mask_view.h"
#include "widgets/positional_encoding_view.h"
#include "widgets/self_check_badge.h"
#include "widgets/sentence_edit.h"
#include "widgets/theme.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QStyle>
#include <QTabWidget>

#include <array>

namespace headscope::app {

namespace {

constexpr int pictureDpi = 192;

std::optional<widgets::FigureFormat> formatOf(const QString& path) {
    const QString ending = path.section('.', -1).toLower();
    if (ending == "png")
        return widgets::FigureFormat::Png;
    if (ending == "svg")
        return widgets::FigureFormat::Svg;
    if (ending == "pdf")
        return widgets::FigureFormat::Pdf;
    return std::nullopt;
}

} // namespace

void MainWindow::connectActions() {
    const auto on = [this](ActionId id, auto&& what) {
        connect((*actions_)[id], &QAction::triggered, this, what);
    };
    on(ActionId::OpenFolder, [this] { chooseModel(true); });
    on(ActionId::OpenFile, [this] { chooseModel(false); });
    on(ActionId::AskAgain, [this] { opener_->askAgain(); });
    on(ActionId::SavePicture, [this] { savePicture(figureOnTop()); });
    on(ActionId::CopyPicture, [this] { copyPicture(figureOnTop()); });
    on(ActionId::CopyTranslation, [this] {
        if (const auto& run = controller_->run())
            QApplication::clipboard()->setText(QString::fromStdString(run->output));
    });
    on(ActionId::CopyCommand, &MainWindow::copyCommand);
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
        selection_->setHover({});
        setFocus(); // out of the sentence field: keys step again
    });
    on(ActionId::Decode, &MainWindow::decodeSentence);
    connect(sentence_->edit(), &widgets::SentenceEdit::submitted, this, [this] {
        decodeSentence();
        setFocus(); // keys step through what comes
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
    on(ActionId::Stop, [this] { queue_->stop(RunQueue::Slot::Model); });
    connect((*actions_)[ActionId::StepByStep], &QAction::toggled, controller_,
            &DecodeController::setStepByStep);
    connectViewActions();
    connectHelpActions();
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
    on(ActionId::ShowWeights, [this] { heatmap_->setQuantity(widgets::Quantity::Weights); });
    on(ActionId::ShowScores, [this] { heatmap_->setQuantity(widgets::Quantity::Scores); });
    on(ActionId::ScaleLinear, [this] { heatmap_->setMapping(widgets::ColourMapping::Linear); });
    on(ActionId::ScaleLogarithmic, [this] { heatmap_->setMapping(widgets::ColourMapping::Logarithmic); });
    on(ActionId::FitMap, [this] { heatmap_->fit(); });
    on(ActionId::ViewHeatmap, [this] { showTab(heatmap_); });
    on(ActionId::ViewMasks, [this] { showTab(masks_); });
    on(ActionId::ViewPositions, [this] { showTab(positions_); });
    on(ActionId::ResetLayout, &MainWindow::resetLayout);
    (*actions_)[ActionId::ShowWeights]->setChecked(true);
    (*actions_)[ActionId::ScaleLinear]->setChecked(true);
    connect((*actions_)[ActionId::SpaceMarks], &QAction::toggled, this, [this](bool shown) {
        settings_.setSpaceMarks(shown);
        sentence_->setSpaceMarksShown(shown);
        heatmap_->setSpaceMarksShown(shown);
        masks_->setSpaceMarksShown(shown);
        candidates_->setSpaceMarksShown(shown);
        branches_->setSpaceMarksShown(shown);
        twinDock_->setSpaceMarksShown(shown);
    });
    (*actions_)[ActionId::SpaceMarks]->setChecked(settings_.spaceMarks());
    const std::array themes{std::pair(ActionId::ThemeSystem, "system"),
                            std::pair(ActionId::ThemeLight, "light"), std::pair(ActionId::ThemeDark, "dark")};
    for (const auto& [id, name] : themes) {
        (*actions_)[id]->setChecked(settings_.theme() == name);
        on(id, [this, name = name] {
            settings_.setTheme(name);
            applyTheme();
        });
    }
    applyTheme();
    connect(grid_, &widgets::HeadGridView::headOpened, this, [this] { tabs_->setCurrentWidget(heatmap_); });
    connect(importance_->view(), &widgets::ImportanceView::headOpened, this,
            [this] { tabs_->setCurrentWidget(heatmap_); });
    connect(headTable_->table(), &widgets::HeadTable::headOpened, this,
            [this] { tabs_->setCurrentWidget(heatmap_); });
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
    for (QWidget* view :
         std::initializer_list<QWidget*>{heatmap_, masks_, positions_, grid_, candidates_,
                                         importance_->view(), headTable_->table(), twinDock_->map()})
        offerPicture(view);
    for (QWidget* view : branches_->pictures())
        offerPicture(view);
    connect(branches_, &BranchDocks::refused, message_, &MessagePanel::showRefusal);
}

void MainWindow::connectHelpActions() {
    const auto on = [this](ActionId id, auto&& what) {
        connect((*actions_)[id], &QAction::triggered, this, what);
    };
    on(ActionId::CommandPalette, [this] { CommandPalette(actions_->all(), this).exec(); });
    on(ActionId::SelfCheck, [this] { badge_->click(); });
    on(ActionId::Keys, [this] { showKeys(*actions_, this); });
    on(ActionId::About, [this] { showAbout(model_.get(), this); });
}

/// What is saved and copied is then this view.
void MainWindow::showTab(QWidget* view) {
    tabs_->setCurrentWidget(view);
    setFocus();
}

/// A view's own menu saves and copies that view, whichever is on top.
void MainWindow::offerPicture(QWidget* view) {
    view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(view, &QWidget::customContextMenuRequested, this, [this, view](QPoint position) {
        const auto* figure = dynamic_cast<widgets::FigureSource*>(view);
        QMenu menu;
        menu.addAction(tr("Copy Picture"), this, [this, figure] { copyPicture(figure); });
        menu.addAction(tr("Save Picture..."), this, [this, figure] { savePicture(figure); });
        if (view == heatmap_) {
            menu.addAction((*actions_)[ActionId::CopyCell]);
            headTable_->addCell(menu, heatmap_->head().site.kind, heatmap_->cellAt(position));
            whatIfDock_->addChangesOfCell(menu, heatmap_->head(), heatmap_->cellAt(position));
        }
        const auto head = view == grid_                 ? grid_->headAt(position)
                          : view == importance_->view() ? importance_->view()->headAt(position)
                          : view == headTable_->table() ? headTable_->table()->headAt(position)
                                                        : std::nullopt;
        if (head)
            whatIfDock_->addChangesOfHead(menu, *head);
        menu.exec(view->mapToGlobal(position));
    });
}

/// The panel that has the focus, else the tab on top.
widgets::FigureSource* MainWindow::figureOnTop() const {
    const QWidget* focus = focusWidget();
    auto panels = branches_->pictures();
    panels.insert(panels.end(),
                  {grid_, candidates_, importance_->view(), headTable_->table(), twinDock_->map()});
    for (QWidget* panel : panels)
        if (focus && (panel == focus || panel->isAncestorOf(focus)))
            return dynamic_cast<widgets::FigureSource*>(panel);
    return dynamic_cast<widgets::FigureSource*>(tabs_->currentWidget());
}

void MainWindow::savePicture(const widgets::FigureSource* figure) {
    if (!figure || !figure->hasFigure()) {
        message_->showRefusal({.what = tr("There is no picture to save yet").toStdString(),
                               .wayOut = tr("type a sentence and press Enter first").toStdString()});
        return;
    }
    const QString suggested = QDir(settings_.pictureFolder()).filePath(figure->figureText().title + ".png");
    QString filter;
    QString path = QFileDialog::getSaveFileName(
        this, tr("Save Picture"), suggested, tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)"),
        &filter);
    if (path.isEmpty())
        return;
    if (!formatOf(path)) // no ending, or none of these: that of the kind that was chosen
        path += filter.section("(*", 1).section(')', 0, 0);
    settings_.setPictureFolder(QFileInfo(path).path());
    const auto format = formatOf(path);
    if (!format) {
        message_->showRefusal({.what = tr("A picture cannot be written in this format").toStdString(),
                               .where = path.toStdString(),
                               .expected = tr("a name that ends in .png, .svg or .pdf").toStdString()});
        return;
    }
    const auto file = widgets::figureBytes(*format, figure->figureSize(), pictureDpi, *figure);
    try {
        if (!file.error.isEmpty())
            throw trace::Refusal({.what = file.error.toStdString(), .where = path.toStdString()});
        files::saveAtomically(
            path.toStdString(),
            std::string_view(file.bytes.constData(), static_cast<std::size_t>(file.bytes.size())));
    } catch (const trace::Refusal& refusal) {
        message_->showRefusal(refusal.text());
    }
}

void MainWindow::copyPicture(const widgets::FigureSource* figure) {
    if (!figure || !figure->hasFigure())
        return;
    const QSize size = figure->figureSize();
    QImage image(size * 2, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(2);
    image.fill(Qt::white);
    QPainter painter(&image);
    figure->drawFigure(painter, size);
    painter.end();
    QApplication::clipboard()->setImage(image);
}

void MainWindow::copyCommand() {
    const auto& run = controller_->run();
    if (!run)
        return;
    engine::ModelSource model = opener_->source();
    for (const auto& name : bundledModels())
        if (resolveModel(name) == model.path)
            model.path = name;
    const auto request = run->complete ? controller_->shownRequest() : run->request;
    if (const auto command = commandLineText(model, request, run->model->decoding))
        QApplication::clipboard()->setText(QString::fromStdString(*command));
}

void MainWindow::applyTheme() {
    static const QPalette system = QApplication::palette();
    const QString theme = settings_.theme();
    const bool dark = theme == "dark" || (theme == "system" && widgets::themeOf(system).dark);
    QApplication::setPalette(widgets::paletteOf(dark ? widgets::darkTheme() : widgets::lightTheme()));
}

void MainWindow::chooseModel(bool folder) {
    const QString path =
        folder ? QFileDialog::getExistingDirectory(this, tr("Open Model Folder"))
               : QFileDialog::getOpenFileName(
                     this, tr("Open Weights File"), {},
                     tr("Weights (*.safetensors *.pt *.pth *.bin *.index.json);;All files (*)"));
    if (!path.isEmpty())
        openModel(path);
}

} // namespace headscope::app
