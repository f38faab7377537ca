#include "app/results/head_comparisons.h"

#include "widgets/views/compared_heads/compared_heads.h"
#include "widgets/views/overview/overview.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace headscope::app {

using Slot = RunQueue::Slot;
using trace::AttentionKind;

namespace {

/// Of one job: others that need no engine are let through in between, and one that nobody wants any more ends
/// soon.
constexpr std::chrono::milliseconds divergenceSlice(100);

} // namespace

struct HeadComparisons::Work {
    Work(const std::shared_ptr<const trace::Run>& run, const std::stop_token& stop) {
        for (const auto kind : trace::attentionKinds)
            steps.emplace_back(run, kind, stop);
    }

    /// True once all is there.
    bool goOn() {
        while (current < steps.size()) {
            if (!steps[current].goOn(divergenceSlice))
                return false;
            ++current;
        }
        return true;
    }

    double progress() const {
        std::size_t done = 0;
        std::size_t all = 0;
        for (const auto& kind : steps) {
            done += kind.donePairs();
            all += kind.pairs();
        }
        return all == 0 ? 1 : static_cast<double>(done) / static_cast<double>(all);
    }

    std::vector<analysis::DivergenceSteps> steps;
    std::size_t current = 0;
};

HeadComparisons::HeadComparisons(RunQueue* queue, DecodeController* controller, widgets::Selection* selection,
                                 widgets::Overview* overview, widgets::ComparedHeads* compared,
                                 QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller), selection_(selection), overview_(overview),
      compared_(compared) {
    connect(controller, &DecodeController::runChanged, this, &HeadComparisons::followRun);
    if (overview)
        connect(overview, &widgets::Overview::groupingChanged, this, &HeadComparisons::followGroups);
    if (compared)
        connect(compared, &widgets::ComparedHeads::headsChanged, this, &HeadComparisons::comparePinned);
}

HeadComparisons::~HeadComparisons() = default;

void HeadComparisons::setOverviewShown(bool shown) {
    overviewShown_ = shown;
    followGroups();
}

void HeadComparisons::followRun() {
    followGroups();
    comparePinned();
}

/// A run that still grows keeps the groups of the one before, so that nothing blinks.
void HeadComparisons::followGroups() {
    if (!overview_)
        return;
    const auto& run = controller_->run();
    if (!run) {
        queue_->stop(Slot::Similarity);
        of_.reset();
        divergences_.reset();
        overview_->setComparing(std::nullopt);
        overview_->setGrouping(std::nullopt);
        return;
    }
    if (!overviewShown_ || !overview_->wantsGroups() || !run->complete)
        return;
    if (run == of_)
        return group();
    of_ = run;
    divergences_.reset();
    queue_->compute(Slot::Similarity, this, [this, run](std::stop_token stop) -> std::function<void()> {
        return [this, work = std::make_shared<Work>(run, stop)] { goOn(work); };
    });
}

void HeadComparisons::goOn(const std::shared_ptr<Work>& work) {
    queue_->compute(Slot::Similarity, this, [this, work]() -> std::function<void()> {
        if (!work->goOn())
            return [this, work] {
                overview_->setComparing(work->progress());
                goOn(work);
            };
        auto all = std::make_shared<Divergences>();
        for (std::size_t i = 0; i < trace::attentionKinds.size(); ++i)
            all->emplace(trace::attentionKinds[i], work->steps[i].divergences());
        return [this, all] {
            divergences_ = all;
            group();
        };
    });
}

void HeadComparisons::group() {
    if (!divergences_)
        return; // will be, once they are there
    queue_->compute(Slot::Similarity, this,
                    [this, divergences = divergences_, threshold = overview_->threshold()] {
                        widgets::HeadGrouping grouping{.threshold = threshold};
                        for (const auto& [kind, values] : *divergences)
                            if (!values.heads.empty()) {
                                grouping.kinds.emplace(kind, analysis::groupedHeads(values, threshold));
                                grouping.everyRow = std::max(grouping.everyRow, values.everyRow);
                            }
                        return [this, grouping] {
                            overview_->setComparing(std::nullopt);
                            overview_->setGrouping(grouping);
                        };
                    });
}

/// Not of a run that still grows: what is known of it is not true of the next one.
void HeadComparisons::comparePinned() {
    if (!compared_)
        return;
    const auto& run = controller_->run();
    queue_->stop(Slot::PinnedHeads);
    const auto heads = compared_->heads();
    if (!run || !run->complete || heads.size() < 2)
        return;
    queue_->compute(Slot::PinnedHeads, this, [this, run, heads, selected = selection_->head()] {
        widgets::ComparedHeads::Divergences divergences;
        for (const auto& head : heads)
            if (const auto reference = widgets::referenceHead(heads, selected, head.site.kind);
                reference && *reference != head)
                divergences[head] = analysis::divergenceOfHeads(*run, *reference, head);
        return [this, divergences] { compared_->setDivergences(divergences); };
    });
}

} // namespace headscope::app
