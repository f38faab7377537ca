#include "app/results/twin_analyses.h"

#include "model/analysis/runs_beside.h"

#include <utility>
#include <vector>

namespace headscope::app {

using JobKind = WorkQueue::JobKind;

namespace {

constexpr std::size_t keptOfTwin = 1;

} // namespace

TwinAnalyses::TwinAnalyses(WorkQueue* queue, DecodeController* controller, Analyses* analyses,
                           RandomTwin* twin, QObject* parent)
    : QObject(parent), controller_(controller), analyses_(analyses), twin_(twin),
      lenses_(queue, JobKind::TwinLens, keptOfTwin),
      importances_(queue, JobKind::TwinImportance, keptOfTwin) {
    connect(&lenses_, &KnownAnswers::changed, this, &TwinAnalyses::tell);
    connect(&importances_, &KnownAnswers::changed, this, &TwinAnalyses::tell);
    for (auto* answers : {&lenses_, &importances_})
        connect(answers, &KnownAnswers::refused, this, &TwinAnalyses::refused);
    connect(analyses, &Analyses::importanceChanged, this, &TwinAnalyses::follow);
    connect(analyses, &Analyses::lensChanged, this, &TwinAnalyses::follow);
    connect(twin, &RandomTwin::switched, this, &TwinAnalyses::follow);
    connect(controller, &DecodeController::asked, this, &TwinAnalyses::stopMeasuring); // it must not wait
}

std::optional<std::uint64_t> TwinAnalyses::seed() const {
    const auto& run = controller_->run();
    const bool isTrace = run && run->model->recorded; // which may hold the twin's run, and none of this
    return twin_->isOn() && !isTrace ? std::optional(twin_->seed()) : std::nullopt;
}

std::optional<trace::Request> TwinAnalyses::reading(const trace::Request& known) const {
    const auto& run = controller_->run();
    if (!seed() || !run || !run->complete)
        return std::nullopt;
    return analysis::twinReadingRequest(known, *run, *seed());
}

std::optional<trace::RefusalText> TwinAnalyses::whyNoLens() const {
    return read_ ? lenses_.refusalOf({.request = *read_, .what = trace::LensWhat()}) : std::nullopt;
}

void TwinAnalyses::readLens(bool on) {
    readLens_ = on;
    follow();
}

/// After the model's own: what is there to compare comes first.
void TwinAnalyses::follow() {
    const auto& importance = analyses_->importance();
    const auto& lens = analyses_->lens();
    const auto measured = importance && importance->complete ? reading(importance->request) : std::nullopt;
    isStopped_ = isStopped_ && measured == measured_;
    measured_ = measured;
    read_ = readLens_ && lens ? reading(lens->request) : std::nullopt;
    using Questions = std::vector<trace::Question>;
    importances_.want(measured_ && !isStopped_
                          ? Questions{{.request = *measured_, .what = trace::ImportanceWhat()}}
                          : Questions());
    lenses_.want(read_ ? Questions{{.request = *read_, .what = trace::LensWhat()}} : Questions());
    tell();
}

void TwinAnalyses::stopMeasuring() {
    if (!isMeasuring())
        return;
    isStopped_ = true;
    follow();
}

void TwinAnalyses::tell() {
    auto importance = measured_ ? importances_.of(*measured_, trace::ImportanceWhat()) : nullptr;
    if (importance && !importance->complete)
        importance.reset();
    auto lens = read_ ? lenses_.of(*read_, trace::LensWhat()) : nullptr;
    const bool isOther = std::exchange(importance_, importance) != importance;
    if ((std::exchange(toldSeed_, seed()) != seed()) || isOther)
        Q_EMIT importanceChanged();
    if (std::exchange(lens_, lens) != lens)
        Q_EMIT lensChanged();
}

} // namespace headscope::app
