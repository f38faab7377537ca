#include "app/document/decode_controller.h"

#include "model/analysis/runs_beside.h"
#include "model/analysis/self_check.h"
#include "model/trace/run_path.h"
#include "widgets/controls/view_choices.h"
#include "widgets/words/typed_source.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace headscope::app {

namespace {

constexpr int lastStep = std::numeric_limits<int>::max();

} // namespace

DecodeController::DecodeController(WorkQueue* queue, widgets::Selection* selection, QObject* parent)
    : QObject(parent), queue_(queue), selection_(selection) {
    connect(queue, &WorkQueue::runDelivered, this, &DecodeController::take);
}

void DecodeController::clear(const trace::ModelSummary& model) {
    queue_->stop(WorkQueue::JobKind::Main);
    padding_ = {};
    interventions_.clear();
    asked_.reset();
    decoding_ = model.decoding;
    newTokens_ = model.newTokens;
    break_.reset();
    run_.reset();
    Q_EMIT decodingChanged();
    Q_EMIT runChanged(run_);
    Q_EMIT interventionsChanged();
}

void DecodeController::take(WorkQueue::JobKind kind, std::shared_ptr<const trace::Run> run) {
    if (kind != WorkQueue::JobKind::Main)
        return;
    turning_ = false;
    run_ = std::move(run);
    selection_->setStep(std::clamp(wantedStep_.value_or(selection_->step()), 0, std::max(0, steps() - 1)));
    if (run_->complete)
        wantedStep_.reset();
    stopAtBreak();
    Q_EMIT runChanged(run_);
    showWanted();
    if (break_ && run_->complete && !isDecoding())
        toEnd(); // requested while only another path was being shown
}

void DecodeController::ask(trace::Request request, int step) {
    request = completed(std::move(request), interventions_);
    wantedPath_.clear();
    wantedStep_ = step;
    turning_ = false;
    asked_ = request;
    Q_EMIT asked(request);
    queue_->run(WorkQueue::JobKind::Main, std::move(request), this,
                {.refused = [this](const trace::RefusalText& text) { Q_EMIT refused(text); }});
}

trace::Request DecodeController::completed(trace::Request request,
                                           const std::vector<trace::Intervention>& interventions) const {
    request.padding = padding_;
    request.decoding = decoding_;
    request.interventions = interventions;
    // Whole distributions are large; only the comparison with the original model needs them.
    request.recording.logProbabilities = !effective(interventions).empty();
    return request;
}

std::optional<trace::Request>
DecodeController::requestWith(const std::vector<trace::Intervention>& interventions) const {
    if (isDecoding() && !turning_ && asked_)
        return completed(*asked_, interventions);
    return run_ ? std::optional(completed(shownRequest(), interventions)) : std::nullopt;
}

void DecodeController::setInterventions(std::vector<trace::Intervention> interventions) {
    if (interventions == interventions_)
        return;
    if (run_ && run_->model->recorded) {
        Q_EMIT refused(
            {.what = tr("A trace holds one run but no model, so changes cannot be applied").toStdString(),
             .where = run_->model->path,
             .wayOut = tr("open the model that it was recorded from").toStdString()});
        return;
    }
    interventions_ = std::move(interventions);
    auto request = requestWith(interventions_);
    if (auto run = request ? knownRun(*request) : nullptr) {
        halt();
        take(WorkQueue::JobKind::Main, std::move(run));
    } else if (request) {
        ask(std::move(*request), wantedStep_.value_or(selection_->step()));
    }
    Q_EMIT interventionsChanged();
}

std::shared_ptr<const trace::Run> DecodeController::knownRun(const trace::Request& request) const {
    auto run = known_->of(request, trace::RunWhat());
    return run && run->complete ? run : nullptr;
}

trace::Request DecodeController::shownRequest() const {
    if (run_->complete)
        return analysis::shownRequest(*run_);
    trace::Request request = run_->request;
    auto ids = analysis::decodedIds(*run_);
    if (ids.size() > 1)
        ids.pop_back(); // the last token is decoded again
    request.paths.back() = {.forced = trace::TargetIds{std::move(ids)}, .newTokens = 1, .mayContinue = true};
    return request;
}

trace::DecodePath DecodeController::onFrom(std::vector<std::int64_t> forced, bool oneToken) const {
    const int left = tokensLeft(forced.size());
    return {.forced = trace::TargetIds{std::move(forced)},
            .newTokens = oneToken ? 1 : left,
            .mayContinue = oneToken && left > 1};
}

void DecodeController::decode(const trace::Source& source, const std::optional<std::string>& second) {
    break_.reset();
    ask({.source = source,
         .second = second,
         .paths = {{.newTokens = stepByStep_ ? 1 : newTokens_,
                    .mayContinue = stepByStep_ && newTokens_ > 1}}},
        0);
}

void DecodeController::addChoices(widgets::ViewChoices& choices) {
    choices.addText(
        "window", "rather-than", [this] { return QString::fromStdString(ratherThan_.value_or("")); },
        [this](const QString& token) { setRatherThan(token); });
}

void DecodeController::setRatherThan(const QString& token) {
    const QString trimmed = token.trimmed();
    auto contrast = trimmed.isEmpty() ? std::nullopt : std::optional(trimmed.toStdString());
    if (std::exchange(ratherThan_, contrast) != contrast)
        Q_EMIT ratherThanChanged();
}

void DecodeController::setDecoding(const trace::Decoding& decoding, int newTokens) {
    if (decoding == decoding_ && newTokens == newTokens_)
        return;
    decoding_ = decoding;
    const int more = newTokens - std::exchange(newTokens_, newTokens);
    if (run_) {
        auto request = shownRequest();
        for (auto& path : request.paths) // paths that were limited by the maximum length
            if (path.newTokens > 1)
                path.newTokens = std::max(1, path.newTokens + more);
        // Decoding options affect decoded paths only, so a decoded path is shown and references stay beside
        // it.
        std::ranges::stable_partition(request.paths, [](const auto& path) { return path.newTokens == 0; });
        ask(std::move(request), selection_->step());
    }
    Q_EMIT decodingChanged();
}

void DecodeController::chooseDecoding(const trace::Decoding& decoding, int newTokens) {
    setDecoding(decoding, newTokens);
    Q_EMIT decodingChosen(decoding, newTokens);
}

void DecodeController::setPadding(int source, int target) {
    padding_ = {.source = source, .target = target};
    if (run_)
        ask(shownRequest(), selection_->step());
}

int DecodeController::tokensLeft(std::size_t forced) const {
    return std::max(1, newTokens_ + 1 - static_cast<int>(forced)); // the start token is not generated
}

bool DecodeController::isFinished() const {
    if (!run_ || run_->path.empty())
        return true;
    const auto ids = analysis::decodedIds(*run_);
    return (ids.size() > 1 && run_->model->special.isEnd(ids.back())) || std::ssize(ids) > newTokens_;
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
    // A path that grows replaces itself, instead of adding a branch.
    auto request = shownRequest();
    request.paths.back() = onFrom(analysis::decodedIds(*run_), true);
    ask(std::move(request), lastStep);
}

void DecodeController::toEnd() {
    if (!run_ || isFinished() || isDecoding()) {
        goTo(steps() - 1);
        return;
    }
    auto request = shownRequest();
    request.paths.back() = onFrom(analysis::decodedIds(*run_), false);
    ask(std::move(request), lastStep);
}

/// Decodes one token again to complete the stopped run, as some results exist for complete runs only.
void DecodeController::stop() {
    halt();
    if (run_ && !run_->complete)
        ask(shownRequest(), selection_->step());
}

void DecodeController::halt() {
    queue_->stop(WorkQueue::JobKind::Main);
    wantedStep_.reset();
    wantedPath_.clear();
    break_.reset();
}

void DecodeController::goTo(int step) {
    wantedStep_.reset();
    if (steps() > 0)
        selection_->setStep(std::clamp(step, 0, steps() - 1));
}

void DecodeController::choose(int step, std::int64_t id) {
    if (!run_ || step < 0 || step >= std::ssize(run_->target))
        return;
    std::vector<std::int64_t> ids;
    for (int t = 0; t <= step; ++t)
        ids.push_back(run_->target[t].id);
    ids.push_back(id);
    // Another token starts a branch beside the existing paths.
    auto request = run_->complete ? run_->request : shownRequest();
    request.paths.push_back(onFrom(std::move(ids), stepByStep_));
    ask(std::move(request), step);
}

void DecodeController::runTo(const analysis::BreakCondition& condition) {
    if (!run_)
        return;
    const std::size_t next = selection_->step() + 1;
    break_ = {condition, next};
    stopAtBreak();
    if (break_ && !isDecoding())
        toEnd();
}

void DecodeController::stopAtBreak() {
    if (!break_)
        return;
    const auto row = analysis::nextBreak(*run_, break_->condition, break_->from);
    if (!row && (isDecoding() || !isFinished()))
        return; // a later row may still meet the condition
    break_.reset();
    if (row)
        goTo(*row);
    Q_EMIT runToEnded(row ? std::optional<int>(*row) : std::nullopt);
}

void DecodeController::showLeaf(trace::DecodeTree::NodeId leaf, int step) {
    wantedStep_ = step;
    turning_ = true;
    queue_->compute(WorkQueue::JobKind::Main, this, [this, run = run_, leaf] {
        const auto other = trace::atPath(*run, leaf);
        other->selfCheck = analysis::selfCheck(*other, std::nullopt);
        return [this, other] { take(WorkQueue::JobKind::Main, other); };
    });
}

/// False while other work is pending, which showing another path would discard.
bool DecodeController::canTurn() const {
    return run_ && run_->complete && (!isDecoding() || turning_);
}

bool DecodeController::refuses(trace::DecodeTree::NodeId node) {
    if (!run_->model->recorded || std::ranges::find(run_->path, node) != run_->path.end())
        return false;
    Q_EMIT refused(
        {.what = tr("A trace contains the maps of one path only, and this is another path").toStdString(),
         .where = run_->model->path,
         .wayOut = tr("open the model that it was recorded from").toStdString()});
    return true;
}

void DecodeController::showPath(std::size_t path, std::optional<int> step) {
    if (!canTurn() || path >= run_->paths.size())
        return;
    const int wanted = step.value_or(selection_->step());
    if (!turning_ && trace::shownPath(*run_) == path) {
        goTo(wanted);
        return;
    }
    if (refuses(run_->paths[path].leaf))
        return;
    if (trace::canShowEveryPath(*run_)) {
        showLeaf(run_->paths[path].leaf, wanted);
        return;
    }
    auto request = run_->request;
    const auto chosen = request.paths.begin() + static_cast<std::ptrdiff_t>(path);
    std::rotate(chosen, chosen + 1, request.paths.end());
    ask(std::move(request), wanted);
}

void DecodeController::showNode(trace::DecodeTree::NodeId node) {
    if (!canTurn() || refuses(node) || !run_->tree.node(node).parent)
        return;
    const int step = std::ssize(run_->tree.path(node)) - 2;
    if (trace::canShowEveryPath(*run_))
        showLeaf(node, step);
    else if (std::ranges::find(run_->path, node) != run_->path.end())
        goTo(step); // the node is on the shown path, whose rows exist
}

void DecodeController::restore(const Restored& restored) {
    halt();
    padding_ = restored.request.padding;
    interventions_ = restored.request.interventions;
    decoding_ = restored.request.decoding;
    newTokens_ = restored.newTokens;
    Q_EMIT decodingChanged();
    if (auto run = knownRun(completed(restored.request, interventions_))) {
        wantedPath_ = restored.shown;
        wantedStep_ = restored.step;
        take(WorkQueue::JobKind::Main, std::move(run));
    } else {
        ask(restored.request, restored.step);
        wantedPath_ = restored.shown;
    }
    Q_EMIT interventionsChanged();
}

void DecodeController::showWanted() {
    if (wantedPath_.empty() || !run_->complete)
        return;
    const auto ids = std::exchange(wantedPath_, {});
    trace::DecodeTree::NodeId node = 0;
    for (std::size_t i = 1; i < ids.size(); ++i) {
        const auto next = run_->tree.child(node, ids[i]);
        if (!next)
            return; // another model decodes something else
        node = *next;
    }
    if (trace::canShowEveryPath(*run_) && run_->tree.node(node).parent)
        showLeaf(node, wantedStep_.value_or(selection_->step()));
}

void DecodeController::removePath(std::size_t path) {
    if (!run_ || !run_->complete || path >= run_->request.paths.size() || run_->request.paths.size() < 2)
        return;
    auto request = run_->request;
    request.paths.erase(request.paths.begin() + static_cast<std::ptrdiff_t>(path));
    if (const auto shown = trace::shownPath(*run_); shown && *shown != path) {
        const auto kept =
            request.paths.begin() + static_cast<std::ptrdiff_t>(*shown - (*shown > path ? 1 : 0));
        std::rotate(kept, kept + 1, request.paths.end());
    }
    ask(std::move(request), selection_->step());
}

void DecodeController::force(const trace::TargetPrefix& target) {
    if (!run_)
        return;
    auto request = run_->complete ? run_->request : shownRequest();
    request.paths.push_back({.forced = target, .newTokens = 0});
    ask(std::move(request), 0);
}

void DecodeController::forceTyped(const QString& typed) {
    if (!run_)
        return;
    const auto source = widgets::typedSource(typed, *run_->model);
    if (!source) {
        Q_EMIT refused({.what = tr("This model has no tokenizer").toStdString(),
                        .expected = tr("ids, such as 5 6 7").toStdString(),
                        .wayOut = tr("type the ids of the translation instead of a sentence").toStdString()});
        return;
    }
    if (const auto* sentence = std::get_if<std::string>(&*source))
        return force(*sentence);
    trace::TargetIds ids = {std::get<trace::SourceIds>(*source).ids};
    if (const auto start = run_->model->special.start)
        ids.ids.insert(ids.ids.begin(), *start);
    force(ids);
}

} // namespace headscope::app
