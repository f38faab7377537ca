#include "app/results/compare_answers.h"

#include "app/models/resource_folders.h"
#include "app/results/results.h"
#include "model/analysis/runs_beside.h"
#include "model/trace/run_path.h"
#include "widgets/controls/view_choices.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace headscope::app {

using JobKind = WorkQueue::JobKind;
using With = widgets::CompareBar::With;

namespace {

constexpr std::array ownJobs{JobKind::Compared, JobKind::ComparedSteps, JobKind::OtherModel, JobKind::Other};

} // namespace

CompareAnswers::CompareAnswers(WorkQueue* queue, DecodeController* controller, Results* results,
                               AnswersOf answersOf, widgets::Selection* selection, widgets::CompareView* view,
                               Names branchNames, QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller), results_(results),
      answersOf_(std::move(answersOf)), selection_(selection), view_(view),
      branchNames_(std::move(branchNames)) {
    connect(controller, &DecodeController::runChanged, this, &CompareAnswers::follow);
    connect(results, &Results::changed, this, [this] {
        if (view_->bar()->with() == With::Unchanged)
            follow();
    });
    connect(selection, &widgets::Selection::stepChanged, this, &CompareAnswers::follow);
    connect(view->bar(), &widgets::CompareBar::chosen, this, [this] {
        wanted_.reset(); // once more, where it was stopped or refused
        shownWhy_ = {};
        follow();
    });
    connect(view, &widgets::View::questionsChanged, this, [this] {
        follow();
        followSteps();
    });
    connect(queue, &WorkQueue::busyChanged, this, [this] {
        // What is not under way was answered or dropped, as all work is when a model is opened.
        if (!queue_->isBusy(JobKind::ComparedSteps) && !queue_->isBusy(JobKind::Other))
            askedSteps_.reset();
        if (!queue_->isBusy(JobKind::Compared) && !queue_->isBusy(JobKind::Other) &&
            !queue_->isBusy(JobKind::OtherModel) && !askedSteps_)
            setBusy({});
        else
            setBusy(busy_); // and not the share of what has ended
    });
    connect(queue, &WorkQueue::progressed, this, &CompareAnswers::showShare);
    follow();
}

CompareAnswers::~CompareAnswers() = default;

bool CompareAnswers::isBusy() const {
    return std::ranges::any_of(ownJobs, [this](JobKind kind) { return queue_->isBusy(kind); });
}

void CompareAnswers::stop() {
    if (!isBusy())
        return;
    const bool making = queue_->isBusy(JobKind::Compared) || queue_->isBusy(JobKind::Other) ||
                        queue_->isBusy(JobKind::OtherModel);
    for (const JobKind kind : ownJobs)
        queue_->stop(kind);
    if (making && !other_)
        showNone({.fact = tr("Stopped."), .wayOut = tr("Choose B again.")});
}

void CompareAnswers::follow() {
    if (following_)
        return;
    following_ = true;
    fillBar();
    const auto& run = controller_->run();
    if (view_->bar()->with() != With::Unchanged || !view_->isVisible())
        results_->want(this, {});
    if (!run) {
        wanted_.reset();
        showNone({.fact = tr("Nothing is decoded yet."), .wayOut = widgets::hintForNoRun(*view_)});
    } else if (run->complete && view_->isVisible()) {
        switch (view_->bar()->with()) {
        case With::Sentence:
            followSentence();
            break;
        case With::Model:
            followModel();
            break;
        case With::Branch:
            followBranch();
            break;
        case With::Step:
            followStep();
            break;
        case With::Unchanged:
            followUnchanged();
            break;
        }
    }
    following_ = false;
    followSteps();
}

void CompareAnswers::fillBar() {
    const auto& run = controller_->run();
    auto* bar = view_->bar();
    bar->setModelName(otherModel_ ? QString::fromStdString(otherModel_->name) : QString());
    if (!run || !run->complete)
        return;
    bar->setBranches(branchNames_(*run), trace::shownPath(*run).value_or(0));
    bar->setShownStep(selection_->step());
    if (std::exchange(named_, run) == run)
        return;
    QStringList steps;
    for (std::size_t t = 0; t < run->target.size(); ++t)
        steps += tr("%1: %2").arg(t + 1).arg(widgets::queryInWords(*run, trace::AttentionKind::Cross, t));
    bar->setSteps(steps, selection_->step());
}

/// Of one request B is made once, whatever becomes of A.
void CompareAnswers::make(Wanted wanted, const widgets::PairNames& names, const QString& busy) {
    if (wanted_ == wanted)
        return;
    const bool isSame = wanted_ && other_ && wanted.request && wanted_->request == wanted.request &&
                        wanted_->model == wanted.model && wanted_->run->model == wanted.run->model;
    wanted_ = wanted;
    if (isSame)
        return take(other_, names);
    other_.reset();
    queue_->stop(JobKind::Compared);
    queue_->stop(JobKind::Other);
    if (view_->pair() && view_->pair().first != wanted.run)
        showNone({.fact = busy}); // of a sentence that is left
    else if (!view_->pair())
        showNone({.fact = busy});
    setBusy(busy);
    if (!wanted.request) {
        queue_->compute(
            JobKind::Compared, this,
            [this, run = wanted.run, names,
             leaf = wanted.run->paths[wanted.branch].leaf](const trace::Task&) {
                return [this, names, other = std::shared_ptr<const trace::Run>(trace::atPath(*run, leaf))] {
                    take(other, names);
                };
            },
            heardOfOther());
        return;
    }
    queue_->ask(
        wanted.model ? JobKind::Other : JobKind::Compared, this,
        [this, names, request = *wanted.request](engine::Engine& engine, const trace::Task& work) {
            return [this, names, other = engine.of(request, trace::RunWhat(), work)] { take(other, names); };
        },
        heardOfOther());
}

void CompareAnswers::take(const std::shared_ptr<const trace::Run>& other, const widgets::PairNames& names) {
    if (!wanted_)
        return;
    other_ = other;
    setBusy({});
    show({.first = wanted_->run, .second = other}, names);
}

void CompareAnswers::show(const widgets::ComparedPair& pair, const widgets::PairNames& names) {
    showPair(pair, names, {});
}

void CompareAnswers::showNone(const WhyNone& why) {
    other_.reset();
    showPair({}, {}, why);
}

void CompareAnswers::showPair(const widgets::ComparedPair& pair, const widgets::PairNames& names,
                              const WhyNone& why) {
    if (pair == view_->pair() && why == shownWhy_)
        return;
    shownWhy_ = why;
    view_->setPair(pair, names, why.words());
}

void CompareAnswers::setBusy(const QString& words) {
    busy_ = words;
    view_->bar()->setBusy(words);
}

/// Short work ends before it has told anything.
void CompareAnswers::showShare(JobKind kind, double share) {
    const auto say = [&](const QString& words) {
        view_->bar()->setBusy(
            tr("%1 %2", "what is done, its share").arg(words, widgets::shareInWords(share)));
    };
    if (kind == JobKind::ComparedSteps || (kind == JobKind::Other && askedSteps_))
        say(tr("Comparing the outputs..."));
    else if (kind == JobKind::Compared || kind == JobKind::Other)
        say(busy_);
}

WorkQueue::Heard CompareAnswers::heardOfOther() {
    return {.refused = [this](const trace::RefusalText& text) {
        showNone({.fact = QString::fromStdString(trace::paragraph(text))});
    }};
}

WorkQueue::Heard CompareAnswers::heardOfSteps() {
    return {.refused = [this](const trace::RefusalText&) { view_->setSteps({}); }};
}

QString CompareAnswers::nameOf(const QString& path) {
    return path.isEmpty() ? path : QString::fromStdString(nameOfModel(path.toStdString()).string());
}

QString CompareAnswers::pathOf(const QString& pathOrName) {
    const auto named = resolveModel(pathOrName.toStdString());
    std::error_code error; // the folder that the program was started in may be gone
    const auto absolute = std::filesystem::absolute(named, error);
    return QString::fromStdString((error ? named : absolute).lexically_normal().string());
}

void CompareAnswers::openOther(const QString& pathOrName) {
    const std::filesystem::path path = pathOf(pathOrName).toStdString();
    const QString name = QString::fromStdString(path.filename().string());
    if (std::exchange(otherModel_, nullptr))
        Q_EMIT otherModelChanged();
    otherPath_ = QString::fromStdString(path.string());
    wanted_.reset();
    queue_->stop(JobKind::Other);
    showNone({.fact = tr("Opening %1...").arg(name)});
    setBusy(tr("Opening %1...").arg(name));
    const auto answers = answersOf_(QString::fromStdString(path.string()));
    queue_->ask(
        JobKind::OtherModel, this,
        [this, path, answers](engine::Engine& engine, const trace::Task& work) {
            const auto& stop = work.stop();
            engine::ModelSource source{.path = path, .toDecode = true};
            std::shared_ptr<const trace::ModelSummary> model;
            try {
                model = engine.open(source, stop);
            } catch (const trace::MissingSettings& missing) {
                for (const auto& setting :
                     missing.settings()) // as the person said when it was opened in the window
                    if (const auto answer = answers.find(setting.key); answer != answers.end())
                        source.settings.push_back({answer->first, answer->second});
                if (source.settings.empty())
                    throw;
                model = engine.open(source, stop);
            }
            return [this, model] {
                otherModel_ = model;
                Q_EMIT otherModelChanged();
                shownWhy_ = {};
                follow();
            };
        },
        heardOfOther());
    view_->bar()->setWith(With::Model);
}

void CompareAnswers::closeOther() {
    if (std::exchange(otherModel_, nullptr))
        Q_EMIT otherModelChanged();
    otherPath_.clear();
    wanted_.reset();
    queue_->closeOther();
    showNone({.fact = tr("The second model is closed."), .wayOut = tr("Choose another model.")});
    follow();
}

void CompareAnswers::addChoices(widgets::ViewChoices& choices) {
    choices.addText(
        "compare", "model", [this] { return otherName(); },
        [this](const QString& path) {
            if (path.isEmpty())
                closeOther();
            else if (nameOf(pathOf(path)) != otherName())
                openOther(path);
        });
}

/// B reading what A said; nothing where its distributions cannot be held against A's.
std::optional<trace::Request> CompareAnswers::readingOfOther(const trace::Request& reading) const {
    const auto& pair = view_->pair();
    trace::Request request = reading;
    switch (view_->bar()->with()) {
    case With::Sentence:
        request.source = pair.second->request.source;
        return request;
    case With::Unchanged:
        request.interventions.clear();
        return request;
    case With::Model: {
        if (analysis::alignedBy(*pair.first, *pair.second) != analysis::AlignBy::Pieces)
            return std::nullopt;
        trace::Request ofOther = pair.second->request;
        ofOther.paths = reading.paths;
        ofOther.recording = reading.recording;
        return ofOther;
    }
    case With::Branch:
    case With::Step:
        break; // of one model and one prefix there is one distribution
    }
    return std::nullopt;
}

void CompareAnswers::followSteps() {
    auto pair = view_->wantedSteps();
    if (pair == askedSteps_)
        return;
    queue_->stop(JobKind::ComparedSteps);
    askedSteps_.reset();
    const auto& run = controller_->run();
    if (!pair || pair->first != run)
        return;
    auto reading = analysis::readingRequest(controller_->shownRequest(), *run);
    reading.recording = {.logProbabilities = true};
    const auto ofOther = run->path.empty() ? std::nullopt : readingOfOther(reading);
    if (!ofOther)
        return view_->setSteps({});
    askedSteps_ = std::move(pair);
    compareSteps(reading, *ofOther);
}

void CompareAnswers::compareSteps(const trace::Request& reading, const trace::Request& ofOther) {
    const bool ofOtherModel = view_->bar()->with() == With::Model;
    queue_->ask(
        JobKind::ComparedSteps, this,
        [this, reading, ofOther, ofOtherModel,
         pair = askedSteps_](engine::Engine& engine, const trace::Task& work) -> std::function<void()> {
            const auto first = engine.of(reading, trace::RunWhat(), ofOtherModel ? work : work.part(0, 2));
            if (!ofOtherModel)
                return [this, steps = analysis::compareSteps(
                                  *first, *engine.of(ofOther, trace::RunWhat(), work.part(1, 2)))] {
                    view_->setSteps(steps);
                };
            return [this, first, ofOther, pair] {
                askedSteps_ = pair;
                queue_->ask(
                    JobKind::Other, this,
                    [this, first, ofOther](engine::Engine& other, const trace::Task& ofB) {
                        return [this, steps = analysis::compareSteps(
                                          *first, *other.of(ofOther, trace::RunWhat(), ofB))] {
                            view_->setSteps(steps);
                        };
                    },
                    heardOfSteps());
            };
        },
        heardOfSteps());
}

} // namespace headscope::app
