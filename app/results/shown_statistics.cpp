#include "app/results/shown_statistics.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace headscope::app {

using JobKind = WorkQueue::JobKind;

namespace {

/// By address.
std::vector<const trace::AttentionRecord*> recordsOf(const trace::Run& run) {
    std::vector<const trace::AttentionRecord*> all;
    for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
        for (const auto& record : *records)
            all.push_back(&record);
    return all;
}

} // namespace

ShownStatistics::ShownStatistics(WorkQueue* queue, DecodeController* controller, RandomTwin* twin,
                                 QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller), twin_(twin) {
    connect(controller, &DecodeController::runChanged, this, &ShownStatistics::followRun);
    connect(twin, &RandomTwin::runChanged, this, &ShownStatistics::followTwin);
}

void ShownStatistics::setWanted(const QObject* by, bool wanted) {
    const bool before = !wantedBy_.empty();
    if (wanted)
        wantedBy_.insert(by);
    else
        wantedBy_.erase(by);
    if (before == !wantedBy_.empty())
        return;
    if (wantedBy_.empty() && queue_->isBusy(JobKind::Statistics)) {
        queue_->stop(JobKind::Statistics);
        of_.reset();
    }
    followRun();
    followTwin();
}

/// A run that still grows keeps the numbers of the one before, so that nothing blinks.
void ShownStatistics::followRun() {
    const auto& run = controller_->run();
    if (run && (wantedBy_.empty() || !run->complete || run == of_))
        return;
    of_ = run;
    compute(JobKind::Statistics, run, &ShownStatistics::heads_);
}

void ShownStatistics::followTwin() {
    if (!wantedBy_.empty())
        compute(JobKind::TwinStatistics, twin_->run(), &ShownStatistics::twinHeads_);
}

void ShownStatistics::compute(JobKind kind, const std::shared_ptr<const trace::Run>& run,
                              Heads ShownStatistics::*place) {
    if (!run) {
        queue_->stop(kind);
        (this->*place).clear();
        Q_EMIT changed();
        return;
    }
    if (std::ranges::any_of(recordsOf(*run), [](const auto* record) { return record->isRecomputed(); }))
        return computeNext(kind, run, place, {}, 0);
    queue_->compute(kind, this, [this, run, place](std::stop_token stop) -> std::function<void()> {
        return [this, place, heads = analysis::statisticsOfHeads(*run, std::move(stop))] {
            this->*place = heads;
            Q_EMIT changed();
        };
    });
}

void ShownStatistics::computeNext(JobKind kind, const std::shared_ptr<const trace::Run>& run,
                                  Heads ShownStatistics::*place, const Heads& known, std::size_t record) {
    const auto records = recordsOf(*run);
    if (record == records.size())
        return;
    queue_->compute(kind, this,
                    [=, this, of = records[record]](std::stop_token stop) -> std::function<void()> {
                        auto heads = known;
                        std::ranges::copy(analysis::statisticsOfSite(*run, *of, std::move(stop)),
                                          std::back_inserter(heads));
                        return [=, this] {
                            this->*place = heads;
                            Q_EMIT changed();
                            computeNext(kind, run, place, heads, record + 1);
                        };
                    });
}

} // namespace headscope::app
