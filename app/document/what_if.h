#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/document/kept_runs.h"

#include <memory>
#include <vector>

namespace headscope::app {

/// The user's changes to the model. Complete runs are cached, so that going back to one is immediate.
class WhatIf : public QObject {
    Q_OBJECT

  public:
    using List = std::vector<trace::Intervention>;

    /// `controller` must outlive this.
    explicit WhatIf(DecodeController* controller, QObject* parent = nullptr);

    const List& interventions() const { return controller_->interventions(); }

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
    /// A change cannot be applied: the list of changes is unchanged.
    void refused(const headscope::trace::RefusalText& text);

  private:
    /// False if the index is stale, because another model was opened since.
    bool isThere(int index) const;
    /// Shows the cached run of the wanted request with these changes, else decodes it.
    void apply(const List& list);
    void follow(const std::shared_ptr<const trace::Run>& run);

    DecodeController* controller_;
    KeptRuns kept_;
};

} // namespace headscope::app
