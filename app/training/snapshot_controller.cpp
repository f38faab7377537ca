#include "app/training/snapshot_controller.h"

#include "app/document/decode_controller.h"
#include "app/document/model_opener.h"
#include "model/analysis/runs_beside.h"
#include "widgets/controls/snapshot_bar.h"

#include <QAction>

#include <chrono>
#include <utility>

namespace headscope::app {

namespace {

using namespace std::chrono_literals;

constexpr auto playPace = 900ms; ///< long enough to see changes in a map

} // namespace

SnapshotController::SnapshotController(WorkQueue* queue, ModelOpener* opener, DecodeController* controller,
                                       widgets::SnapshotBar* bar, Actions* actions, QObject* parent)
    : QObject(parent), queue_(queue), opener_(opener), controller_(controller), bar_(bar), actions_(actions) {
    // Opening may also be cancelled. Queued, so that all other receivers are notified first.
    connect(
        queue_, &WorkQueue::busyChanged, this,
        [this] {
            if (!chosen_.isEmpty() && !queue_->isBusy(WorkQueue::JobKind::Model))
                stay();
        },
        Qt::QueuedConnection);
    connect(bar_, &widgets::SnapshotBar::snapshotChosen, this, &SnapshotController::open);
    connect((*actions_)[ActionId::EarlierSnapshot], &QAction::triggered, bar_,
            [this] { bar_->choose(bar_->shown() - 1); });
    connect((*actions_)[ActionId::LaterSnapshot], &QAction::triggered, bar_,
            [this] { bar_->choose(bar_->shown() + 1); });
    connect(controller_, &DecodeController::asked, this, [this](const trace::Request& request) {
        if (asked_ && (request.source != asked_->source || request.paths != asked_->paths))
            asked_.reset();
    });
    pace_.setSingleShot(true);
    pace_.setInterval(playPace);
    connect(&pace_, &QTimer::timeout, this, &SnapshotController::playOn);
    bar_->addButton((*actions_)[ActionId::PlaySnapshots]);
    connect((*actions_)[ActionId::PlaySnapshots], &QAction::triggered, this,
            [this] { isPlaying_ ? pause() : play(); });
    connect(controller_, &DecodeController::runChanged, this, [this](const auto& run) {
        if (isPlaying_ && run && run->complete && bar_->shown() + 1 == bar_->count())
            pause();
        else if (isPlaying_ && run && run->complete)
            pace_.start();
    });
    connect(controller_, &DecodeController::refused, this, &SnapshotController::pause);
    offer();
    followPlay();
}

/// Continues with the first snapshot if the last one is shown.
void SnapshotController::play() {
    isPlaying_ = true;
    followPlay();
    playOn();
}

void SnapshotController::pause() {
    pace_.stop();
    if (std::exchange(isPlaying_, false))
        followPlay();
}

void SnapshotController::playOn() {
    playsOn_ = true;
    bar_->choose((bar_->shown() + 1) % bar_->count());
    playsOn_ = false;
}

void SnapshotController::followPlay() {
    actions_->rename(ActionId::PlaySnapshots, isPlaying_ ? tr("Pause the Training") : QString(),
                     isPlaying_ ? tr("Stay at this snapshot") : QString());
}

std::optional<trace::Request> SnapshotController::follow() {
    series_ = opener_->series();
    show();
    if (opener_->openPath() != chosen_) { // not opened with the slider
        asked_.reset();
        pause();
    }
    return asked_;
}

QStringList SnapshotController::names(const QString& shown) const {
    QStringList names{shown};
    const auto at = series_ ? series_->at(opener_->openPath().toStdString()) : std::nullopt;
    if (!at)
        return names;
    const auto folder = [this](std::size_t index) {
        return QString::fromStdString(series_->snapshots[index].folder.filename().string());
    };
    for (std::size_t i = 0; i < series_->snapshots.size(); ++i)
        names += QString(shown).replace(folder(*at), folder(i));
    return names;
}

void SnapshotController::stay() {
    if (opener_->openPath() != chosen_)
        pause();
    chosen_.clear();
    show();
}

void SnapshotController::show() {
    const auto at = series_ ? series_->at(opener_->openPath().toStdString()) : std::nullopt;
    std::vector<std::int64_t> steps;
    if (at)
        for (const auto& snapshot : series_->snapshots)
            steps.push_back(snapshot.step);
    bar_->setSnapshots(std::move(steps), at.value_or(0));
    offer();
}

void SnapshotController::open(int index) {
    if (!playsOn_)
        pause();
    offer();
    asked_ = request();
    const auto& folder = series_->snapshots[index].folder;
    Q_EMIT chosen();
    chosen_ = QString::fromStdString(folder.string());
    opener_->open(chosen_);
}

void SnapshotController::offer() {
    const QString whyNot = bar_->count() > 1 ? tr("There is no further snapshot.")
                                             : tr("This model is not one of a series of snapshots.");
    actions_->setEnabled(ActionId::EarlierSnapshot, bar_->shown() > 0, whyNot);
    actions_->setEnabled(ActionId::PlaySnapshots, bar_->count() > 1, whyNot);
    actions_->setEnabled(ActionId::LaterSnapshot, bar_->shown() + 1 < bar_->count(), whyNot);
}

std::optional<trace::Request> SnapshotController::request() const {
    const auto& run = controller_->run();
    if (asked_ && bar_->keepsOutput() && (!run || !run->complete))
        return asked_; // the previous snapshot has no result yet
    if (controller_->isDecoding())
        return controller_->requestWith(controller_->interventions());
    if (!run)
        return std::nullopt;
    auto shown = controller_->shownRequest();
    if (bar_->keepsOutput())
        return analysis::readingRequest(std::move(shown), *run);
    shown.paths = {{.newTokens = controller_->newTokens()}};
    return shown;
}

} // namespace headscope::app
