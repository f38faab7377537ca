#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/document/kept_runs.h"
#include "app/work/work_queue.h"
#include "model/analysis/compare/run_comparison.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

/// The user's changes to the model, and the original run beside the changed one. Runs are cached, so that
/// going back to one is immediate.
///
/// For every changed run two more runs are computed: the same request without changes, and the changed
/// model forced to read the original output, for a comparison step by step. An encoder alone has no output to
/// be forced: its changed run reads the same source, and for a classifier no further run is needed.
class WhatIf : public QObject {
    Q_OBJECT

  public:
    using List = std::vector<trace::Intervention>;
    using Steps = std::vector<analysis::StepComparison>;

    /// Both must outlive this.
    WhatIf(WorkQueue* queue, DecodeController* controller, QObject* parent = nullptr);

    const List& interventions() const { return controller_->interventions(); }

    /// Null if nothing is changed, or until the runs are computed.
    const std::shared_ptr<const trace::Run>& original() const { return original_; }
    const std::shared_ptr<const trace::Run>& forced() const { return forced_; }
    /// Comparison of these two runs by step or mask; null until both are computed, and for other models.
    const std::shared_ptr<const Steps>& steps() const { return steps_; }

    bool isOff(const trace::HeadAddress& head) const;

    /// Restores an earlier run, from the cache if possible.
    void restore(const DecodeController::Restored& restored);

  public Q_SLOTS:
    void add(const headscope::trace::Change& change);
    /// Replaces the change at `index`.
    void replace(int index, const headscope::trace::Change& change);
    void setOn(int index, bool on);
    void remove(int index);
    void clear();
    /// Divides the scores of all heads by `temperature`, multiplied with that of an enabled change in the
    /// list.
    void divideScores(double temperature);
    /// Removes the change in the list that switches the head off, or adds one.
    void toggleHead(const headscope::trace::HeadAddress& head);

  Q_SIGNALS:
    void interventionsChanged();
    /// original(), forced() or steps() changed.
    void comparisonChanged();
    /// The comparison could not be computed.
    void comparisonRefused();
    /// The comparison failed, or a change cannot be applied: the list of changes is unchanged.
    void refused(const headscope::trace::RefusalText& text);

  private:
    /// False if the index is stale, because another model was opened since.
    bool isThere(int index) const;
    /// Shows the cached run of the wanted request with these changes, else decodes it.
    void apply(const List& list);
    void dropStale(const trace::Request& request);
    void follow(const std::shared_ptr<const trace::Run>& run);
    void take(WorkQueue::JobKind kind, const std::shared_ptr<const trace::Run>& run);
    void compare();
    void compareSteps();
    trace::Request compared(trace::Request request) const;
    /// Returns the cached run of a request; null after starting to compute it.
    std::shared_ptr<const trace::Run> runOf(WorkQueue::JobKind kind, const trace::Request& request);

    WorkQueue* queue_;
    DecodeController* controller_;
    KeptRuns kept_;
    std::shared_ptr<const trace::Run> original_;
    std::shared_ptr<const trace::Run> forced_;
    std::shared_ptr<const Steps> steps_;
};

} // namespace headscope::app
