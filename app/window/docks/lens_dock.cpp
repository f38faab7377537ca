#include "app/window/docks/lens_dock.h"

#include "app/desktop/dock_tabs.h"
#include "widgets/controls/contrast_field.h"
#include "widgets/controls/roomy_area.h"
#include "widgets/views/attribution/attribution_view.h"
#include "widgets/views/lens/lens_grid.h"
#include "widgets/views/lens/lens_view.h"
#include "widgets/words/hint_for_no_run.h"

#include <QAction>
#include <QComboBox>
#include <QMainWindow>
#include <QSplitter>
#include <QVBoxLayout>

#include <chrono>

namespace headscope::app {

namespace {

using namespace std::chrono_literals;

constexpr int enoughHeight = 320; ///< space for some layers
constexpr auto longestStale = 300ms;

} // namespace

using widgets::AttributionView;
using widgets::LensView;

LensDock::LensDock(Analyses* analyses, TwinAnalyses* twin, DecodeController* controller,
                   widgets::Selection* selection, Actions* actions, QMainWindow* window)
    : QDockWidget(tr("Logit lens"), window), analyses_(analyses), twin_(twin), controller_(controller),
      actions_(actions), of_(new QComboBox(this)), lens_(new LensView(selection, this)),
      attribution_(new AttributionView(selection, this)) {
    of_->addItems({tr("of the model"), tr("of the random twin")});
    of_->setObjectName("whose-layers");
    of_->setAccessibleName(tr("Whose layers"));
    of_->setToolTip(tr("The same network with random weights reads the same output: what is learned?"));
    of_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    of_->hide();
    auto* both = new QSplitter(this);
    both->setChildrenCollapsible(false);
    both->addWidget(lens_);
    both->addWidget(attribution_);
    both->setStretchFactor(0, 1);
    both->setSizes({640, 340});
    auto* whole = new QWidget(this);
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(of_);
    column->addWidget(both, 1);
    setWidget(new widgets::RoomyArea(whole, this));
    patience_.setSingleShot(true);
    patience_.setInterval(longestStale);
    connectViews();
    connect((*actions_)[ActionId::ShowLens], &QAction::triggered, this, [this] {
        if (closesByItsKey(*this))
            return;
        open();
        lens_->setFocus(Qt::ShortcutFocusReason);
    });
    followRun();
}

void LensDock::connectViews() {
    layOnOpenDocksFromMenu(this);
    connect(&patience_, &QTimer::timeout, this, [this] {
        if (inSight_)
            showNothing(whyNothing());
    });
    connect(this, &QDockWidget::visibilityChanged, this, &LensDock::followSight);
    connect(analyses_, &Analyses::lensChanged, this, &LensDock::followLens);
    connect(twin_, &TwinAnalyses::lensChanged, this, &LensDock::followLens);
    connect(twin_, &TwinAnalyses::importanceChanged, this, &LensDock::followTwin); // twin is on or off
    connect(of_, &QComboBox::currentIndexChanged, this, &LensDock::followTwin);
    connect(analyses_, &Analyses::lensRefused, this, &LensDock::showRefusal);
    connect(twin_, &TwinAnalyses::refused, this, [this] {
        if (of_->currentIndex() > 0 && !twin_->lens())
            showNothing(whyNothing());
    });
    connect(controller_, &DecodeController::ratherThanChanged, this,
            [this] { attribution_->contrast()->setContrast(controller_->ratherThan()); });
    connect(attribution_->contrast(), &widgets::ContrastField::contrastChosen, controller_,
            &DecodeController::setRatherThan);
    connect(controller_, &DecodeController::runChanged, this, &LensDock::followRun);
    connect(lens_, &LensView::cellDescribed, this, &LensDock::cellDescribed);
}

void LensDock::open() {
    openOnTop(this, isHidden(), enoughHeight);
}

void LensDock::followSight(bool inSight) {
    inSight_ = inSight;
    analyses_->readLens(inSight);
    followTwin();
    if (!inSight || chosenLens())
        return;
    if (lens_->grid()->table().run() == controller_->run())
        patience_.start();
    else
        showNothing(whyNothing());
}

void LensDock::followRun() {
    const auto& run = controller_->run();
    const bool decodes = !run || !run->model || run->model->decoderLayers > 0;
    actions_->setEnabled(ActionId::ShowLens, decodes, tr("Encoder-only model: no decoder layers to read."));
    if (!run || !decodes)
        showNothing(whyNothing());
    else if (chosenLens())
        showLens();
}

const std::shared_ptr<const trace::Lens>& LensDock::chosenLens() const {
    return of_->currentIndex() > 0 ? twin_->lens() : analyses_->lens();
}

void LensDock::followTwin() {
    of_->setVisible(twin_->seed().has_value());
    if (!twin_->seed())
        of_->setCurrentIndex(0);
    twin_->readLens(inSight_ && of_->currentIndex() > 0);
    followLens();
}

/// Keeps the previous lens for the short time that computing takes, to avoid flicker.
void LensDock::followLens() {
    if (chosenLens())
        showLens();
    else
        patience_.start();
}

/// Ignores incomplete runs, which the lens was not computed for.
void LensDock::showLens() {
    const auto& run = controller_->run();
    if (!run || !run->complete)
        return;
    patience_.stop();
    lens_->setLens(run, chosenLens());
    attribution_->setLens(run, chosenLens());
}

void LensDock::showRefusal(const trace::RefusalText& text) {
    showNothing(QString::fromStdString(trace::paragraph(text)));
    if (text.where == trace::contrastOption)
        attribution_->contrast()->showRefusal(text);
}

void LensDock::showNothing(const QString& wayThere) {
    patience_.stop();
    lens_->setWhyEmpty(wayThere);
    attribution_->setWhyEmpty(wayThere);
    lens_->setLens(nullptr, nullptr);
    attribution_->setLens(nullptr, nullptr);
}

QString LensDock::whyNothing() const {
    const auto& run = controller_->run();
    if (!run)
        return widgets::hintForNoRun(*this);
    if (run->model && run->model->decoderLayers == 0)
        return tr("Encoder-only model: no decoder layers to read.");
    if (const auto refusal = of_->currentIndex() > 0 ? twin_->whyNoLens() : analyses_->whyNoLens())
        return QString::fromStdString(trace::paragraph(*refusal));
    return run->complete ? tr("The layers are being read.") : tr("The sentence is still being decoded.");
}

void LensDock::setSpaceMarksShown(bool shown) {
    lens_->setSpaceMarksShown(shown);
}

std::vector<QWidget*> LensDock::pictures() const {
    return {lens_, attribution_};
}

} // namespace headscope::app
