#include "app/document/autosave_desk.h"

#include "app/document/restore_offer.h"
#include "app/sessions/session.h"
#include "model/trace/refusal.h"

#include <QFileInfo>
#include <QLocale>

#include <utility>

namespace headscope::app {

using Slot = RunQueue::Slot;

AutosaveDesk::AutosaveDesk(const QString& folder, std::chrono::milliseconds delay, RunQueue* queue,
                           ModelHash* hash, SessionDesk* sessions, RestoreOffer* offer, QObject* parent)
    : QObject(parent), queue_(queue), hash_(hash), sessions_(sessions), offer_(offer), files_(folder) {
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
    connect(offer, &RestoreOffer::takeBackChosen, this, &AutosaveDesk::takeBackDiscard);
}

AutosaveDesk::~AutosaveDesk() {
    for (auto& left : discarded_)
        left.remove();
}

/// The first change decides when, so that who never pauses loses no more.
void AutosaveDesk::expect() {
    if (!timer_.isActive())
        timer_.start();
}

/// The state first, and once more when the hash of the weights is read.
void AutosaveDesk::save() {
    queue_->compute(
        Slot::Autosave, this,
        [this, path = files_.path().toStdString(), state = sessions_->state()](const trace::LongWork&) {
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

/// The file goes with this window: until then it can be had back.
void AutosaveDesk::discard() {
    if (auto left = std::exchange(left_, std::nullopt))
        discarded_.push_back(*std::move(left));
    offerLeft();
    if (!left_ && !discarded_.empty())
        offer_->offerToTakeBack();
}

void AutosaveDesk::takeBackDiscard() {
    if (discarded_.empty())
        return;
    left_ = std::move(discarded_.back());
    discarded_.pop_back();
    offerAgain();
}

void AutosaveDesk::saveForNextStart() {
    for (auto& left : discarded_)
        left.remove();
    discarded_.clear();
    files_.keep();
    if (!timer_.isActive() && !QFileInfo::exists(files_.path()))
        return; // nothing was done
    try {
        saveSession(sessions_->state(), files_.path().toStdString());
    } catch (const trace::Refusal&) { // what was saved seconds ago is there
    }
}

} // namespace headscope::app
