#include "app/window/decode_controller.h"

#include <algorithm>
#include <limits>

namespace headscope::app {

namespace {

constexpr int maximumLength = 60; // generated tokens, as the command line's default
constexpr int lastStep = std::numeric_limits<int>::max();

} // namespace

DecodeController::DecodeController(RunQueue* queue, widgets::Selection* selection, QObject* parent)
    : QObject(parent), queue_(queue), selection_(selection) {
    connect(queue, &RunQueue::runDelivered, this, &DecodeController::take);
}

void DecodeController::clear() {
    queue_->stop(RunQueue::Slot::Main);
    padding_ = {};
    interventions_.clear();
    asked_.reset();
    run_.reset();
    Q_EMIT runChanged(run_);
}

void DecodeController::take(RunQueue::Slot slot, std::shared_ptr<const trace::Run> run) {
    if (slot != RunQueue::Slot::Main)
        return;
    run_ = std::move(run);
    selection_->setStep(std::clamp(wantedStep_.value_or(selection_->step()), 0, std::max(0, steps() - 1)));
    if (run_->complete)
        wantedStep_.reset();
    Q_EMIT runChanged(run_);
}

void DecodeController::ask(trace::Request request, int step) {
    request = completed(std::move(request), interventions_);
    wantedStep_ = step;
    asked_ = request;
    Q_EMIT asked(request);
    queue_->run(RunQueue::Slot::Main, std::move(request));
}

trace::Request DecodeController::completed(trace::Request request,
                                           const std::vector<trace::Intervention>& interventions) const {
    request.padding = padding_;
    request.interventions = interventions;
    // Whole distributions are large; only what is compared with the undisturbed model needs them.
    request.recording.logProbabilities = !effective(interventions).empty();
    return request;
}

std::optional<trace::Request>
DecodeController::requestWith(const std::vector<trace::Intervention>& interventions) const {
    if (isDecoding() && asked_)
        return completed(*asked_, interventions);
    return run_ ? std::optional(completed(shownRequest(), interventions)) : std::nullopt;
}

void DecodeController::setInterventions(std::vector<trace::Intervention> interventions) {
    interventions_ = std::move(interventions);
    if (auto request = requestWith(interventions_))
        ask(std::move(*request), wantedStep_.value_or(selection_->step()));
}

void DecodeController::show(std::shared_ptr<const trace::Run> run) {
    stop();
    interventions_ = run->request.interventions;
    take(RunQueue::Slot::Main, std::move(run));
}

trace::Request DecodeController::shownRequest() const {
    trace::Request request = run_->request;
    if (!run_->complete) {
        auto ids = decodedIds();
        if (ids.size() > 1)
            ids.pop_back(); // the last one is chosen again
        request.paths.back() = {.forced = trace::TargetIds{std::move(ids)}, .newTokens = 1};
    }
    return request;
}

void DecodeController::decode(const trace::Source& source) {
    ask({.source = source, .paths = {{.newTokens = stepByStep_ ? 1 : maximumLength}}}, 0);
}

void DecodeController::setPadding(int source, int target) {
    padding_ = {.source = source, .target = target};
    if (run_)
        ask(shownRequest(), selection_->step());
}

std::vector<std::int64_t> DecodeController::decodedIds() const {
    std::vector<std::int64_t> ids;
    for (std::size_t t = 0; t < run_->path.size(); ++t) {
        const auto& token = run_->tree.node(run_->path[t]).token;
        if (t == 0 || token.role != trace::TokenRole::Padding)
            ids.push_back(token.id);
    }
    return ids;
}

int DecodeController::tokensLeft(std::size_t forced) const {
    return std::max(1, maximumLength + 1 - static_cast<int>(forced)); // the start token is not generated
}

bool DecodeController::isFinished() const {
    if (!run_ || run_->path.empty())
        return true;
    const auto ids = decodedIds();
    return (ids.size() > 1 && ids.back() == run_->model->special.end) ||
           static_cast<int>(ids.size()) > maximumLength;
}

void DecodeController::toStart() {
    goTo(0);
}

void DecodeController::back() {
    goTo(selection_->step() - 1);
}

void DecodeController::forward() {
    if (selection_->step() + 1 < steps() || !run_ || isFinished() || isDecoding()) {
        goTo(selection_->step() + 1);
        return;
    }
    // A path that only grows replaces itself.
    auto request = shownRequest();
    request.paths.back() = {.forced = trace::TargetIds{decodedIds()}, .newTokens = 1};
    ask(std::move(request), lastStep);
}

void DecodeController::toEnd() {
    if (!run_ || isFinished() || isDecoding()) {
        goTo(steps() - 1);
        return;
    }
    auto ids = decodedIds();
    const int left = tokensLeft(ids.size());
    auto request = shownRequest();
    request.paths.back() = {.forced = trace::TargetIds{std::move(ids)}, .newTokens = left};
    ask(std::move(request), lastStep);
}

void DecodeController::stop() {
    queue_->stop(RunQueue::Slot::Main);
    wantedStep_.reset();
}

void DecodeController::goTo(int step) {
    wantedStep_.reset();
    if (steps() > 0)
        selection_->setStep(std::clamp(step, 0, steps() - 1));
}

void DecodeController::choose(int step, std::int64_t id) {
    if (!run_ || step < 0 || step >= steps())
        return;
    std::vector<std::int64_t> ids;
    for (int t = 0; t <= step; ++t)
        ids.push_back(run_->target[static_cast<std::size_t>(t)].id);
    ids.push_back(id);
    const int left = stepByStep_ ? 1 : tokensLeft(ids.size());
    // Another choice is a branch beside the paths there are.
    auto request = shownRequest();
    request.paths.push_back({.forced = trace::TargetIds{std::move(ids)}, .newTokens = left});
    ask(std::move(request), step);
}

} // namespace headscope::app
