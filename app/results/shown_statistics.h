#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/results/random_twin.h"
#include "app/work/work_queue.h"
#include "model/analysis/heads/statistics_of_heads.h"

#include <memory>
#include <set>
#include <vector>

namespace headscope::app {

/// What every head of the shown run does, and of its random twin where there is one, computed off the
/// window's thread. As long as nobody wants it, nothing is computed.
class ShownStatistics : public QObject {
    Q_OBJECT

  public:
    using Heads = std::vector<analysis::HeadStatistics>;

    /// All of them are there for as long as this is used.
    ShownStatistics(WorkQueue* queue, DecodeController* controller, RandomTwin* twin,
                    QObject* parent = nullptr);

    /// By address; empty where they are not known (yet).
    const Heads& heads() const { return heads_; }
    const Heads& twinHeads() const { return twinHeads_; }

  public Q_SLOTS:
    /// Whoever wants them says so, and says when it does not any more.
    void setWanted(const QObject* by, bool wanted);

  Q_SIGNALS:
    void changed();

  private:
    void followRun();
    void followTwin();
    void compute(WorkQueue::JobKind kind, const std::shared_ptr<const trace::Run>& run,
                 Heads ShownStatistics::*place);

    /// One layer's heads after the other's, each shown when it is there: of long maps all together take long.
    void computeNext(WorkQueue::JobKind kind, const std::shared_ptr<const trace::Run>& run,
                     Heads ShownStatistics::*place, const Heads& known, std::size_t record);

    WorkQueue* queue_;
    DecodeController* controller_;
    RandomTwin* twin_;
    Heads heads_;
    Heads twinHeads_;
    std::shared_ptr<const trace::Run> of_; ///< whose heads_ are, or are about to be
    std::set<const QObject*> wantedBy_;
};

} // namespace headscope::app
