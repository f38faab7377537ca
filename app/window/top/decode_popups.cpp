#include "app/window/top/decode_popups.h"

#include "app/document/decoding_map.h"
#include "model/analysis/output/hesitation.h"
#include "widgets/controls/decoding_editor.h"
#include "widgets/controls/run_to_editor.h"
#include "widgets/drawing/spacing.h"
#include "widgets/words/hesitation_words.h"

#include <QAction>
#include <QFrame>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

constexpr int popupWidth = 360;

/// Returns a visible button of the action; null if there is none.
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
      options_(new widgets::DecodingEditor(window)), runTo_(new widgets::RunToEditor(window)) {
    frameFor(options_, ActionId::DecodingOptions);
    auto* runToFrame = frameFor(runTo_, ActionId::RunTo);
    connect(options_, &widgets::DecodingEditor::decodingChanged, controller,
            &DecodeController::chooseDecoding);
    connect(controller, &DecodeController::decodingChosen, this,
            [this](const trace::Decoding& decoding, int newTokens) {
                if (model_)
                    settings_->setDecoding(QString::fromStdString(model_->path),
                                           decoding == model_->decoding && newTokens == model_->newTokens
                                               ? QVariantMap()
                                               : toMap(decoding, newTokens));
            });
    connect(controller, &DecodeController::decodingChanged, this, &DecodePopups::followDecoding);
    connect(actions[ActionId::StepByStep], &QAction::toggled, this, &DecodePopups::followDecoding);
    runTo_->setUnsureBelow(settings_->unsureBelow());
    connect(runTo_, &widgets::RunToEditor::unsureBelowChanged, this, &DecodePopups::setUnsureBelow);
    connect(runTo_, &widgets::RunToEditor::runRequested, this, [this](const auto& condition) {
        isSeekingUnsure_ = false;
        controller_->runTo(condition);
    });
    connect(controller, &DecodeController::runToEnded, this, [this, runToFrame](std::optional<int> step) {
        if (std::exchange(isSeekingUnsure_, false))
            return sayUnsure(step);
        runTo_->setOutcome(step ? tr("Stopped at step %1.").arg(*step + 1)
                                : tr("No step after the current one matches."));
        if (step)
            runToFrame->hide();
    });
    followDecoding();
}

void DecodePopups::setUnsureBelow(double probability) {
    runTo_->setUnsureBelow(probability);
    settings_->setUnsureBelow(probability);
    Q_EMIT unsureBelowChanged(probability);
}

double DecodePopups::unsureBelow() const {
    return runTo_->unsureBelow();
}

/// Decodes on until there is one; in a finished run, wraps around after the last row.
void DecodePopups::toNextUnsure() {
    const analysis::BreakCondition condition{.text = {}, .below = unsureBelow()};
    const auto& run = controller_->run();
    if (!run)
        return;
    if (!controller_->isFinished()) {
        isSeekingUnsure_ = true;
        return controller_->runTo(condition);
    }
    auto row = analysis::nextBreak(*run, condition, controller_->step() + 1);
    if (!row)
        row = analysis::nextBreak(*run, condition, 0);
    if (row)
        controller_->goTo(*row);
    sayUnsure(row ? std::optional<int>(*row) : std::nullopt);
}

void DecodePopups::sayUnsure(std::optional<int> step) {
    const auto& run = controller_->run();
    if (!step || !run)
        return Q_EMIT said(
            tr("No token was chosen with a probability below %1.").arg(widgets::percentText(unsureBelow())));
    const std::size_t row = *step;
    Q_EMIT said(
        tr("Step %1: %2.")
            .arg(*step + 1)
            .arg(widgets::hesitationInWords(analysis::hesitationAbout(run->next.at(row), *run, row))));
}

QFrame* DecodePopups::frameFor(QWidget* content, ActionId id) {
    auto* frame = new QFrame(window_, Qt::Popup);
    frame->setFrameShape(QFrame::StyledPanel);
    frame->setAccessibleName(actions_[id]->text().remove('&'));
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(widgets::space::s, widgets::space::s, widgets::space::s, widgets::space::s);
    column->setSizeConstraint(QLayout::SetFixedSize); // follows the visible rows
    content->setFixedWidth(popupWidth);
    column->addWidget(content);
    connect(actions_[id], &QAction::triggered, this, [this, frame, id] { open(frame, id); });
    return frame;
}

/// Opens a popup below its button, within the screen.
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
    actions_[ActionId::DecodingOptions]->setIconText(
        model_ && !model_->saysDecoding ? tr("Decoding") : widgets::decodingTitle(decoding));
    QStringList notes;
    if (actions_[ActionId::StepByStep]->isChecked() && decoding.beam > 1)
        notes += tr("Step by Step takes the most probable token each time, because a beam search needs to "
                    "look ahead. To the End (End) runs the beam search from the current step.");
    if (model_ && decoding.renormalise)
        notes +=
            tr("Other settings come from the model's folder: suppressed tokens, and when the search ends.");
    if (model_ && !model_->unusedGeneration.empty())
        notes += tr("Settings in the folder that are not supported: %1")
                     .arg(QString::fromStdString(model_->unusedGeneration));
    options_->setNote(notes.join(QStringLiteral("\n")));
}

} // namespace headscope::app
