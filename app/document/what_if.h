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

    /// Shows the cached run of the wanted request with these changes, else decodes it.
    void apply(const List& list);
    /// Restores an earlier run, from the cache if possible.
    void restore(const DecodeController::Restored& restored);

  public Q_SLOTS:
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
    void follow(const std::shared_ptr<const trace::Run>& run);

    DecodeController* controller_;
    KeptRuns kept_;
};

} // namespace headscope::app
