#pragma once

#include <QObject>
#include <QPointer>

#include "app/work/work_queue.h"
#include "model/trace/question.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::app {

/// The model's answers by their questions. Wanted questions without an answer are asked one at a time; those
/// that take long have a lane of their own, whose turn comes last. One that nobody wants any more is stopped.
class KnownAnswers : public QObject {
    Q_OBJECT

  public:
    /// Nothing is asked once the queue is destroyed.
    explicit KnownAnswers(WorkQueue* queue, QObject* parent = nullptr);

    WorkQueue* queue() const { return queue_.data(); }

    /// Null if unknown or refused. While importance is being measured, its answer may be incomplete.
    template <class What>
    std::shared_ptr<const typename What::Value> of(const trace::Request& request, const What& what) const {
        const Known* known = find({.request = request, .what = what});
        return known && !known->refused ? std::get<std::shared_ptr<const typename What::Value>>(known->answer)
                                        : nullptr;
    }
    /// Empty unless the question was refused.
    std::optional<trace::RefusalText> refusalOf(const trace::Question& question) const;
    /// Wanted by somebody, and neither answered completely nor refused.
    bool isAwaited(const trace::Question& question) const;

    /// Replaces what `by` wants, for as long as that exists; of equally urgent questions the first comes
    /// first.
    void want(const QObject* by, std::vector<trace::Question> questions);
    /// Lets a refused question be asked again if it is still wanted.
    void forgetRefusal(const trace::Question& question);

  Q_SIGNALS:
    /// An answer arrived, was refused, or was discarded with its model.
    void changed();
    void refused(const headscope::trace::Question& question, const headscope::trace::RefusalText& text);

  private:
    struct Known {
        trace::Question question;
        trace::Answer answer;
        std::optional<trace::RefusalText> refused;
        bool isComplete = true;
    };
    struct Lane {
        WorkQueue::JobKind kind;
        std::optional<trace::Question> asked = {}; ///< on its way
    };
    const Known* find(const trace::Question& question) const;
    bool isWanted(const trace::Question& question) const;
    bool isMissing(const trace::Question& question) const;
    void askNext();
    void askNext(Lane& lane);
    void ask(Lane& lane);
    void take(Lane& lane, Known known);
    void drop(Lane& lane);
    void dropUnwanted();
    void followBusy();
    void forgetAll();

    QPointer<WorkQueue> queue_;
    std::array<Lane, 2> lanes_; ///< of what takes a moment, and of what takes long
    std::vector<std::pair<const QObject*, std::vector<trace::Question>>> wanted_;
    std::vector<Known> known_; ///< the newest last
};

} // namespace headscope::app
