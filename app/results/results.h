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

/// All that is computed about what is shown, by question. Wanted questions without an answer are asked, those
/// of the model one at a time and none while it decodes; those that take long have lanes of their own, whose
/// turn comes last, and those of the second model one. One that nobody wants any more is stopped.
class Results : public QObject, public trace::KnownAnswers {
    Q_OBJECT

  public:
    using Questions = std::vector<trace::Wanted>;

    /// Runs that nobody wants take at most `mostBytesOfRuns`, but for the few that are compared with each
    /// other. Nothing is asked once the queue is destroyed.
    explicit Results(WorkQueue* queue, QObject* parent = nullptr,
                     std::size_t mostBytesOfRuns = std::size_t(512) << 20);

    WorkQueue* queue() const { return queue_.data(); }

    bool isAwaited(const trace::Wanted& question) const override;
    double shareOf(const trace::Wanted& question) const override;
    /// Something is under way that a person waits for, and may stop.
    bool isLong() const;

    /// Replaces what `by` wants, for as long as that exists; of equally urgent questions the first comes
    /// first.
    void want(const QObject* by, Questions questions);
    /// The run that is shown, and the second model. A complete run answers its request from now on, so that
    /// going back to it runs nothing again; what was counted from others is not kept unless somebody wants
    /// it.
    void setShown(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::ModelSummary> second);
    /// Lets a refused question be asked again if it is still wanted.
    void forgetRefusal(const trace::Wanted& question);

  public Q_SLOTS:
    /// Refuses what takes long and is under way or waits, as a person wants no more of it.
    void stop();

  Q_SIGNALS:
    /// An answer arrived, was refused, or was discarded with its model; or the share of one is another.
    void changed();

  private:
    struct Lane {
        WorkQueue::JobKind kind;
        bool isOfModel = false;                  ///< the shown one
        std::optional<trace::Wanted> asked = {}; ///< on its way
        double share = 0;
    };
    static bool isStoppable(const trace::Wanted& question);
    static WorkQueue::JobKind kindOf(const trace::Wanted& question);
    const Known* find(const trace::Wanted& question) const override;
    bool isWanted(const trace::Wanted& question) const;
    bool isMissing(const trace::Wanted& question) const;
    void askNext();
    void askNext(Lane& lane);
    void ask(Lane& lane);
    void keep(Known known);
    void take(Lane& lane, Known known);
    void drop(Lane& lane);
    void dropUnwanted();
    void followBusy();
    void forgetAll();

    QPointer<WorkQueue> queue_;
    std::array<Lane, 5> lanes_;
    std::vector<std::pair<const QObject*, Questions>> wanted_;
    std::vector<Known> known_; ///< the newest last
    std::shared_ptr<const trace::Run> shown_;
    std::size_t mostBytesOfRuns_;
    std::shared_ptr<const trace::ModelSummary> second_;
    bool wasDecoding_ = false;
};

} // namespace headscope::app
