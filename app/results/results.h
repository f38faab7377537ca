#pragma once

#include <QObject>
#include <QPointer>

#include "app/work/work_queue.h"
#include "model/trace/known_answers.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::app {

/// Computed results by question. Wanted questions without an answer are asked: one at a time per worker, and
/// none of the open model while it decodes. Long computations and the second model have separate workers. A
/// question that is no longer wanted is stopped.
class Results : public QObject, public trace::KnownAnswers {
    Q_OBJECT

  public:
    using Questions = std::vector<trace::Wanted>;

    /// Unwanted runs take at most `mostBytesOfRuns`, except for the newest few. Nothing is asked once the
    /// queue is destroyed.
    explicit Results(WorkQueue* queue, QObject* parent = nullptr,
                     std::size_t mostBytesOfRuns = std::size_t(512) << 20);

    WorkQueue* queue() const { return queue_.data(); }

    bool isAwaited(const trace::Wanted& question) const override;
    double shareOf(const trace::Wanted& question) const override;
    bool isWantedBy(const QObject* by, const trace::Wanted& question) const;
    /// True if a question that the user can stop is being answered.
    bool isLong() const;

    /// Replaces the questions of `by`, until it is destroyed. Equally urgent questions are asked in order.
    void want(const QObject* by, Questions questions);
    /// Sets the shown run and the second model. A complete run is kept as the answer to its request, so that
    /// it is not computed again. Unwanted results computed from other runs are dropped.
    void setShown(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::ModelSummary> second);
    /// Lets a refused question be asked again if it is still wanted.
    void forgetRefusal(const trace::Wanted& question);

  public Q_SLOTS:
    /// Stops long computations at the user's request; their pending questions are refused.
    void stop();

  Q_SIGNALS:
    /// An answer arrived, was refused or was discarded with its model.
    void changed();
    /// shareOf() the question grew.
    void progressed(const trace::Wanted& question);

  private:
    struct Kept : Known {
        /// Of an answer that is wanted no more; to count a run takes long. Empty: not counted yet.
        std::optional<std::optional<std::size_t>> size = {};
    };
    /// Answers the questions of one kind of job, one at a time.
    struct Worker {
        WorkQueue::JobKind kind;
        bool isOfModel = false;                  ///< uses the engine of the open model
        std::optional<trace::Wanted> asked = {}; ///< the question being answered
        double share = 0;
    };
    static bool isStoppable(const trace::Wanted& question);
    static WorkQueue::JobKind kindOf(const trace::Wanted& question);
    const Known* find(const trace::Wanted& question) const override;
    bool isWanted(const trace::Wanted& question) const;
    bool isMissing(const trace::Wanted& question) const;
    void askNext();
    void askNext(Worker& worker);
    void ask(Worker& worker);
    void keep(Known known);
    void take(Worker& worker, Known known);
    void drop(Worker& worker);
    void dropUnwanted();
    void followBusy();
    void forgetAll();

    QPointer<WorkQueue> queue_;
    std::array<Worker, 5> workers_;
    std::vector<std::pair<const QObject*, Questions>> wanted_;
    std::vector<Kept> known_; ///< the newest last
    std::shared_ptr<const trace::Run> shown_;
    std::size_t mostBytesOfRuns_;
    std::shared_ptr<const trace::ModelSummary> second_;
    bool wasDecoding_ = false;
};

} // namespace headscope::app
