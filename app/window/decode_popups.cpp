#include "app/window/decode_popups.h"

#include "app/window/decoding_map.h"
#include "widgets/decoding_options.h"
#include "widgets/run_to_editor.h"

#include <QAction>
#include <QFrame>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::app {

namespace {

constexpr int popupWidth = 360;

/// The button that stands for an action in the window, if one can be seen.
QWidget* buttonOf(const QAction* action) {
    for (QObject* object : action->associatedObjects())
        if (auto* button = qobject_cast<QToolButton*>(object); button && button->isVisible())
            return button;
    return nullptr;
}

} // namespace

DecodePopups::DecodePopups(QWidget* window, DecodeController* controller, Settings* settings,
                           const Actions& actions)
    : QObject(window), window_(window), controller_(controller), settings_(settings), actions_(actions),
      options_(new widgets::DecodingOptions(window)), runTo_(new widgets::RunToEditor(window)) {
    frameFor(options_, ActionId::DecodingOptions);
    auto* runToFrame = frameFor(runTo_, ActionId::RunTo);
    connect(options_, &widgets::DecodingOptions::decodingChanged, this,
            [this](const trace::Decoding& decoding, int newTokens) {
                controller_->setDecoding(decoding, newTokens);
                if (model_)
                    settings_->setDecoding(QString::fromStdString(model_->path),
                                           decoding == model_->decoding && newTokens == model_->newTokens
                                               ? QVariantMap()
                                               : toMap(decoding, newTokens));
            });
    connect(controller, &DecodeController::decodingChanged, this, &DecodePopups::followDecoding);
    connect(actions[ActionId::StepByStep], &QAction::toggled, this, &DecodePopups::followDecoding);
    connect(runTo_, &widgets::RunToEditor::runRequested, controller, &DecodeController::runTo);
    connect(controller, &DecodeController::runToEnded, this, [this, runToFrame](std::optional<int> step) {
        runTo_->setOutcome(step ? tr("Stopped at step %1.").arg(*step + 1)
                                : tr("Not met by any step after the current one."));
        if (step)
            runToFrame->hide();
    });
    followDecoding();
}

QFrame* DecodePopups::frameFor(QWidget* content, ActionId id) {
    auto* frame = new QFrame(window_, Qt::Popup);
    frame->setFrameShape(QFrame::StyledPanel);
    frame->setAccessibleName(actions_[id]->text().remove('&'));
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSizeConstraint(QLayout::SetFixedSize); // follows the rows that are shown
    content->setFixedWidth(popupWidth);
    column->addWidget(content);
    connect(actions_[id], &QAction::triggered, this, [this, frame, id] { open(frame, id); });
    return frame;
}

/// Below its button, within the screen.
void DecodePopups::open(QFrame* frame, ActionId id) {
    if (id == ActionId::RunTo)
        runTo_->setOutcome({});
    const QWidget* button = buttonOf(actions_[id]);
    frame->adjustSize();
    QPoint corner = button ? button->mapToGlobal(QPoint(button->width() - frame->width(), button->height()))
                           : window_->mapToGlobal(window_->rect().center() - frame->rect().center());
    const QRect screen = window_->screen()->availableGeometry();
    corner.setX(
        std::clamp(corner.x(), screen.left(), std::max(screen.left(), screen.right() - frame->width())));
    corner.setY(
        std::clamp(corner.y(), screen.top(), std::max(screen.top(), screen.bottom() - frame->height())));
    frame->move(corner);
    frame->show();
    if (id == ActionId::RunTo)
        runTo_->startTyping();
    else
        options_->setFocus(Qt::PopupFocusReason);
}

void DecodePopups::setModel(std::shared_ptr<const trace::ModelSummary> model) {
    model_ = std::move(model);
    options_->setDefaults(model_->decoding, model_->newTokens);
    const auto [decoding, newTokens] = fromMap(settings_->decoding(QString::fromStdString(model_->path)),
                                               model_->decoding, model_->newTokens);
    controller_->setDecoding(decoding, newTokens);
    followDecoding();
}

void DecodePopups::followDecoding() {
    const auto& decoding = controller_->decoding();
    options_->setDecoding(decoding, controller_->newTokens());
    actions_[ActionId::DecodingOptions]->setIconText(widgets::decodingTitle(decoding));
    QStringList notes;
    if (actions_[ActionId::StepByStep]->isChecked() && decoding.beam > 1)
        notes +=
            tr("Step by step, each token is the most probable one: a beam would have to look ahead. To the "
               "End (End) searches from where you are with the beam.");
    if (model_ && decoding.renormalise)
        notes +=
            tr("The rest is as the model's folder says: tokens that never come, and how its search ends.");
    if (model_ && !model_->unusedGeneration.empty())
        notes += tr("The folder also says, and this is not followed: %1")
                     .arg(QString::fromStdString(model_->unusedGeneration));
    options_->setNote(notes.join(QStringLiteral("\n")));
}

} // namespace headscope::app
