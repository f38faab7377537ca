#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/document/kept_runs.h"
#include "app/results/run_queue.h"
#include "model/analysis/compare/run_comparison.h"

#include <functional>
#include <memory>
#include <vector>

namespace headscope::app {

/// The changes a person made in the model, and the undisturbed run beside the changed one. Runs are kept, so
/// that going back to one shows it without computing it again.
///
/// Two more runs go with every run that is changed: the same request without changes, and the changed model
/// reading the undisturbed output, for a comparison step by step.
class WhatIf : public QObject {
    Q_OBJECT

  public:
    using List = std::vector<trace::Intervention>;
    using Steps = std::vector<analysis::StepComparison>;

    /// Both are there for as long as this is used.
    WhatIf(RunQueue* queue, DecodeController* controller, QObject* parent = nullptr);

    const List& interventions() const { return controller_->interventions(); }

    /// Null as long as nothing is changed, or it is not there yet.
    const std::shared_ptr<const trace::Run>& undisturbed() const { return undisturbed_; }
    const std::shared_ptr<const trace::Run>& forced() const { return forced_; }
    /// Of these two, step by step; null where they are not there yet, or of a model without a decoder.
    const std::shared_ptr<const Steps>& steps() const { return steps_; }

    bool isOff(const trace::HeadAddress& head) const;

    /// Shows what was shown before, of the kept run where there is one.
    void restore(const DecodeController::Restored& restored);

  public Q_SLOTS:
    void add(const headscope::trace::Change& change);
    /// In the place of another one.
    void replace(int index, const headscope::trace::Change& change);
    void setOn(int index, bool on);
    void remove(int index);
    void clear();
    /// In every head by a temperature, on top of the one that the list has already.
    void divideScores(double temperature);
    /// A head that is off by a change in the list is let work again; any other is switched off.
    void toggleHead(const headscope::trace::HeadAddress& head);

  Q_SIGNALS:
    void interventionsChanged();
    /// undisturbed() or forced() is another run, or their steps() are there.
    void comparisonChanged();
    /// The comparison that was asked for could not be made.
    void comparisonRefused();
    /// The comparison failed, or a change cannot be applied: the list of changes stays as it is.
    void refused(const headscope::trace::RefusalText& text);

  private:
    /// Not so where another model was opened since the list was looked at.
    bool isThere(int index) const;
    /// Shows the kept run of what is wanted with these changes, else decodes it.
    void apply(const List& list);
    void dropStale(const trace::Request& request);
    void follow(const std::shared_ptr<const trace::Run>& run);
    void take(RunQueue::Slot slot, const std::shared_ptr<const trace::Run>& run);
    void compare();
    void compareSteps();
    /// The kept run of a request; asks for it if there is none.
    std::shared_ptr<const trace::Run> runOf(RunQueue::Slot slot, const trace::Request& request);

    RunQueue* queue_;
    DecodeController* controller_;
    KeptRuns kept_;
    std::shared_ptr<const trace::Run> undisturbed_;
    std::shared_ptr<const trace::Run> forced_;
    std::shared_ptr<const Steps> steps_;
};

} // namespace headscope::app
