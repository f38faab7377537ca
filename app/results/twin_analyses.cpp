#include "app/results/twin_analyses.h"

#include "model/analysis/runs_beside.h"

#include <utility>

namespace headscope::app {

using Slot = RunQueue::Slot;

TwinAnalyses::TwinAnalyses(RunQueue* queue, DecodeController* controller, Analyses* analyses,
                           RandomTwin* twin, QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller), analyses_(analyses), twin_(twin) {
    connect(queue, &RunQueue::importanceMeasured, this, &TwinAnalyses::take);
    connect(analyses, &Analyses::importanceChanged, this, &TwinAnalyses::measure);
    connect(twin, &RandomTwin::switched, this, &TwinAnalyses::measure);
    connect(analyses, &Analyses::lensChanged, this, &TwinAnalyses::followLens);
    connect(twin, &RandomTwin::switched, this, &TwinAnalyses::followLens);
    connect(queue, &RunQueue::lensRead, this, [this](auto lens) {
        if (!lens->request.randomTwin)
            return;
        lens_ = std::move(lens);
        Q_EMIT lensChanged();
    });
    connect(controller, &DecodeController::asked, this, [this] {
        if (isMeasuring())
            stopMeasuring(); // what is asked for must not wait for all heads
    });
}

std::optional<std::uint64_t> TwinAnalyses::seed() const {
    const auto& run = controller_->run();
    const bool isTrace = run && run->model->recorded; // which may hold the twin's run, and none of this
    return twin_->isOn() && !isTrace ? std::optional(twin_->seed()) : std::nullopt;
}

/// After the model's own: what is there to compare comes first.
void TwinAnalyses::measure() {
    const auto& known = analyses_->importance();
    const auto& run = controller_->run();
    std::optional<trace::Request> wanted;
    if (seed() && known && known->complete && run && run->complete)
        wanted = analysis::twinReadingRequest(known->request, *run, *seed());
    const bool otherSeed = std::exchange(toldSeed_, seed()) != seed();
    if (wanted != measured_) {
        queue_->stop(Slot::TwinImportance);
        measured_ = wanted;
        if (std::exchange(importance_, nullptr) || otherSeed)
            Q_EMIT importanceChanged();
        if (wanted)
            queue_->measureImportance(*wanted);
    } else if (otherSeed) {
        Q_EMIT importanceChanged();
    }
}

void TwinAnalyses::readLens(bool on) {
    readLens_ = on;
    followLens();
}

void TwinAnalyses::followLens() {
    const auto& known = analyses_->lens();
    const auto& run = controller_->run();
    std::optional<trace::Request> wanted;
    if (readLens_ && seed() && known && run && run->complete)
        wanted = analysis::twinReadingRequest(known->request, *run, *seed());
    if (wanted == read_)
        return;
    queue_->stop(Slot::TwinLens);
    read_ = wanted;
    if (std::exchange(lens_, nullptr))
        Q_EMIT lensChanged();
    if (wanted)
        queue_->readLens(*wanted);
}

void TwinAnalyses::take(std::shared_ptr<const trace::HeadImportance> importance) {
    if (!importance->request.randomTwin || !importance->complete)
        return;
    importance_ = std::move(importance);
    Q_EMIT importanceChanged();
}

void TwinAnalyses::stopMeasuring() {
    queue_->stop(Slot::TwinImportance);
    measured_.reset();
}

} // namespace headscope::app
