#include "app/window/autosave_desk.h"

#include "app/window/restore_offer.h"

#include <QFileInfo>
#include <QLocale>

#include <utility>

namespace headscope::app {

using Slot = RunQueue::Slot;

AutosaveDesk::AutosaveDesk(const QString& folder, RunQueue* queue, SessionDesk* sessions, RestoreOffer* offer,
                           QObject* parent)
    : QObject(parent), queue_(queue), sessions_(sessions), offer_(offer), files_(folder) {
    timer_.setSingleShot(true);
    timer_.setInterval(delay);
    connect(&timer_, &QTimer::timeout, this, &AutosaveDesk::save);
    connect(sessions, &SessionDesk::shown, this, [this](bool restored) {
        restored_ = restored && left_;
        if (restored_)
            save();
    });
    connect(sessions, &SessionDesk::notShown, this, &AutosaveDesk::offerAgain);
    connect(offer, &RestoreOffer::restoreChosen, this, &AutosaveDesk::restore);
    connect(offer, &RestoreOffer::discardChosen, this, &AutosaveDesk::discard);
}

/// The first change decides when, so that who never pauses loses no more.
void AutosaveDesk::expect() {
    if (!timer_.isActive())
        timer_.start();
}

/// The state first: reading large weights for their hash takes a while.
void AutosaveDesk::save() {
    queue_->compute(Slot::Autosave, this,
                    [this, path = files_.path().toStdString(), state = sessions_->state(),
                     weights = sessions_->weights()](const std::stop_token& stop) mutable {
                        saveSession(state, path);
                        if (!weights.path.empty() && state.model.weights.empty()) {
                            state.model.weights = knownHash(weights, stop);
                            saveSession(state, path);
                        }
                        return [this, weights, hash = state.model.weights] {
                            sessions_->setWeightsHash(weights, hash);
                            if (std::exchange(restored_, false))
                                discard();
                        };
                    });
}

void AutosaveDesk::offerLeft() {
    left_ = files_.left();
    offerAgain();
}

void AutosaveDesk::offerAgain() {
    if (!left_)
        return;
    const auto when = QFileInfo(left_->path).lastModified();
    offer_->offer(QLocale().toString(when, QLocale::ShortFormat));
}

/// The file goes once this window has a state of its own, saved by then: should the program end again while
/// it is restored, it is still there.
void AutosaveDesk::restore() {
    if (left_)
        sessions_->restore(left_->path);
}

void AutosaveDesk::discard() {
    restored_ = false;
    if (auto left = std::exchange(left_, std::nullopt))
        left->remove();
    offerLeft();
}

} // namespace headscope::app
