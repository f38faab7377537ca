// What is computed of A and B once both are there.
#include "app/results/compare_answers.h"
#include "model/analysis/runs_beside.h"

#include <utility>

namespace headscope::app {

using Slot = RunQueue::Slot;
using With = widgets::CompareBar::With;

namespace {

/// Of one job: others that need no engine are let through in between.
constexpr std::chrono::milliseconds compareSlice(100);

} // namespace

struct CompareAnswers::Work {
    widgets::ComparedPair pair;
    analysis::HeadChangeSteps steps;
};

void CompareAnswers::followNumbers() {
    if (std::exchange(numbering_, true))
        return;
    followMaps();
    followHeads();
    followSteps();
    numbering_ = false;
}

void CompareAnswers::followMaps() {
    auto question = view_->question();
    if (question == askedMaps_)
        return;
    queue_->stop(Slot::ComparedMaps); // which forgets what was asked
    askedMaps_ = std::move(question);
    if (!askedMaps_)
        return;
    queue_->compute(Slot::ComparedMaps, this, [this, question = *askedMaps_](const trace::LongWork& work) {
        return [this, answer = widgets::answerOf(question, work)] { view_->setAnswer(answer); };
    });
}

void CompareAnswers::followHeads() {
    auto pair = view_->wantedChanges();
    if (pair == askedHeads_)
        return;
    queue_->stop(Slot::ComparedHeads);
    askedHeads_ = std::move(pair);
    if (!askedHeads_)
        return;
    queue_->compute(Slot::ComparedHeads, this, [this, pair = *askedHeads_](std::stop_token stop) {
        auto work = std::make_shared<Work>(
            Work{pair,
                 {pair.first, pair.second,
                  std::make_shared<const analysis::RunAlignment>(widgets::alignmentOf(pair, stop))}});
        return [this, work] { goOn(work); };
    });
}

void CompareAnswers::goOn(const std::shared_ptr<Work>& work) {
    askedHeads_ = work->pair;
    queue_->compute(Slot::ComparedHeads, this,
                    [this, work](const trace::LongWork& told) -> std::function<void()> {
                        if (!work->steps.goOn(compareSlice, told))
                            return [this, work] {
                                view_->setProgress(static_cast<double>(work->steps.done()) /
                                                   static_cast<double>(work->steps.heads()));
                                goOn(work);
                            };
                        return [this, work] { view_->setChanges(work->steps.changes()); };
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
    queue_->stop(Slot::ComparedSteps);
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
        Slot::ComparedSteps, this,
        [this, reading, ofOther, ofOtherModel,
         pair = askedSteps_](engine::Engine& engine, const trace::LongWork& work) -> std::function<void()> {
            const auto first = engine.run(reading, ofOtherModel ? work : work.part(0, 2), {});
            if (!ofOtherModel)
                return [this,
                        steps = analysis::compareSteps(*first, *engine.run(ofOther, work.part(1, 2), {}))] {
                    view_->setSteps(steps);
                };
            return [this, first, ofOther, pair] {
                askedSteps_ = pair;
                queue_->ask(
                    Slot::Other, this,
                    [this, first, ofOther](engine::Engine& other, const trace::LongWork& ofB) {
                        return [this, steps = analysis::compareSteps(*first, *other.run(ofOther, ofB, {}))] {
                            view_->setSteps(steps);
                        };
                    });
            };
        });
}

} // namespace headscope::app
