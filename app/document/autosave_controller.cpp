#include "app/document/autosave_controller.h"

#include "app/document/restore_offer.h"
#include "app/sessions/session.h"
#include "model/trace/refusal.h"

#include <QFileInfo>
#include <QLocale>

#include <utility>

namespace headscope::app {

using JobKind = WorkQueue::JobKind;

AutosaveController::AutosaveController(const QString& folder, std::chrono::milliseconds delay,
                                       WorkQueue* queue, ModelHash* hash, SessionController* sessions,
                                       RestoreOffer* offer, QObject* parent)
    : QObject(parent), queue_(queue), hash_(hash), sessions_(sessions), offer_(offer), files_(folder) {
    timer_.setSingleShot(true);
    timer_.setInterval(delay);
    connect(&timer_, &QTimer::timeout, this, &AutosaveController::save);
    connect(sessions, &SessionController::shown, this, [this](bool restored) {
        restored_ = restored && left_;
        if (restored_)
            save();
    });
    connect(sessions, &SessionController::notShown, this, &AutosaveController::offerAgain);
    connect(offer, &RestoreOffer::restoreChosen, this, &AutosaveController::restore);
    connect(offer, &RestoreOffer::discardChosen, this, &AutosaveController::discard);
    connect(offer, &RestoreOffer::takeBackChosen, this, &AutosaveController::takeBackDiscard);
}

AutosaveController::~AutosaveController() {
    for (auto& left : discarded_)
        left.remove();
}

/// The first unsaved change starts the timer and later ones do not restart it, so continuous work is saved
/// too.
void AutosaveController::expect() {
    if (!timer_.isActive())
        timer_.start();
}

/// Saves the state at once, and schedules another save when the hash of the weights is known.
void AutosaveController::save() {
    queue_->compute(
        JobKind::Background, this,
        [this, path = files_.path().toStdString(), state = sessions_->state()](const trace::Task&) {
            saveSession(state, path);
            return [this, isWhole = state.model.path.empty() || !state.model.weights.empty()] {
                failed_ = false;
                if (!isWhole)
                    hash_->ask(this, [this](const std::string& hash) {
                        if (ModelHash::isHash(hash))
                            expect();
                    });
                if (!std::exchange(restored_, false))
                    return;
                if (auto left = std::exchange(left_, std::nullopt))
                    left->remove();
                offerLeft();
            };
        },
        {.refused = [this](const trace::RefusalText& why) {
            if (!std::exchange(failed_, true))
                Q_EMIT failed(why);
        }});
}

void AutosaveController::offerLeft() {
    left_ = files_.left();
    offerAgain();
}

void AutosaveController::offerAgain() {
    if (!left_)
        return;
    const auto when = QFileInfo(left_->path).lastModified();
    offer_->offer(QLocale().toString(when, QLocale::ShortFormat));
}

/// Keeps the file until this window's own state is saved, so that a crash while restoring loses nothing.
void AutosaveController::restore() {
    if (left_)
        sessions_->restore(left_->path);
}

/// The file is removed with this window; until then discarding can be undone.
void AutosaveController::discard() {
    if (auto left = std::exchange(left_, std::nullopt))
        discarded_.push_back(*std::move(left));
    offerLeft();
    if (!left_ && !discarded_.empty())
        offer_->offerToTakeBack();
}

void AutosaveController::takeBackDiscard() {
    if (discarded_.empty())
        return;
    left_ = std::move(discarded_.back());
    discarded_.pop_back();
    offerAgain();
}

void AutosaveController::saveForNextStart() {
    for (auto& left : discarded_)
        left.remove();
    discarded_.clear();
    files_.keep();
    if (!timer_.isActive() && !QFileInfo::exists(files_.path()))
        return; // nothing changed in this window
    try {
        saveSession(sessions_->state(), files_.path().toStdString());
    } catch (const trace::Refusal&) { // the state saved some seconds ago remains
    }
}

} // namespace headscope::app
