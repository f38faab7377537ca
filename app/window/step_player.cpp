#include "app/window/step_player.h"

#include <QAction>

namespace headscope::app {

StepPlayer::StepPlayer(Document* document, const Actions& actions, QObject* parent)
    : QObject(parent), document_(document) {
    constexpr int interval = 500;
    timer_.setInterval(interval);
    connect(&timer_, &QTimer::timeout, this, &StepPlayer::advance);
    connect(actions[ActionId::Play], &QAction::triggered, this, &StepPlayer::toggle);
    connect(document->controller(), &DecodeController::runChanged, &timer_, &QTimer::stop);
    connect(document->selection(), &widgets::Selection::stepChanged, this, [this](trace::TokenIndex step) {
        if (step != step_)
            timer_.stop();
    });
}

void StepPlayer::toggle() {
    auto* controller = document_->controller();
    if (timer_.isActive())
        return timer_.stop();
    if (controller->isDecoding())
        return controller->stop();
    const auto& run = document_->run();
    if (!run || !run->complete)
        return controller->toEnd();
    step_ = document_->selection()->step();
    const bool isAtEnd = step_ + 1 >= controller->steps();
    step_ = isAtEnd ? 0 : step_ + 1;
    controller->goTo(step_);
    timer_.start();
}

void StepPlayer::advance() {
    if (step_ + 1 >= document_->controller()->steps())
        return timer_.stop();
    document_->controller()->goTo(++step_);
}

} // namespace headscope::app
