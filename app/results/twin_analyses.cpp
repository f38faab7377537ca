#include "app/results/twin_analyses.h"

#include "model/analysis/runs_beside.h"

#include <utility>
#include <vector>

namespace headscope::app {

TwinAnalyses::TwinAnalyses(Results* answers, DecodeController* controller, Analyses* analyses,
                           RandomTwin* twin, QObject* parent)
    : QObject(parent), answers_(answers), controller_(controller), analyses_(analyses), twin_(twin) {
    connect(answers, &Results::changed, this, &TwinAnalyses::tell);
    connect(answers, &Results::refused, this,
            [this](const trace::Wanted& question, const trace::RefusalText& text) {
                const bool isLens = read_ && question == trace::Wanted(trace::Question{*read_, trace::LensWhat()});
                if (isLens || (measured_ && question == trace::Wanted(trace::Question{*measured_, trace::ImportanceWhat()})))
                    Q_EMIT refused(text);
            });
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
    return read_ ? answers_->refusalOf(trace::Question{*read_, trace::LensWhat()}) : std::nullopt;
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
    Results::Questions questions;
    if (measured_ && !isStopped_)
        questions.push_back(trace::Question{*measured_, trace::ImportanceWhat()});
    if (read_)
        questions.push_back(trace::Question{*read_, trace::LensWhat()});
    answers_->want(this, std::move(questions));
    tell();
}

bool TwinAnalyses::isMeasuring() const {
    return measured_ && answers_->isAwaited(trace::Question{*measured_, trace::ImportanceWhat()});
}

void TwinAnalyses::stopMeasuring() {
    if (!isMeasuring())
        return;
    isStopped_ = true;
    follow();
}

void TwinAnalyses::tell() {
    auto importance = measured_ ? answers_->of(*measured_, trace::ImportanceWhat()) : nullptr;
    if (importance && !importance->complete)
        importance.reset();
    auto lens = read_ ? answers_->of(*read_, trace::LensWhat()) : nullptr;
    const bool isOther = std::exchange(importance_, importance) != importance;
    if ((std::exchange(toldSeed_, seed()) != seed()) || isOther)
        Q_EMIT importanceChanged();
    if (std::exchange(lens_, lens) != lens)
        Q_EMIT lensChanged();
}

} // namespace headscope::app
