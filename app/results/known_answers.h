#pragma once

#include <QObject>

#include "app/work/work_queue.h"
#include "model/trace/question.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::app {

/// Caches a model's answers by their questions. Wanted questions without an answer are asked one at a time;
/// one that is no longer wanted is stopped.
class KnownAnswers : public QObject {
    Q_OBJECT

  public:
    /// In a kind of its own of a queue that outlives this. Of those that nobody wants any more `mostKept`
    /// stay.
    KnownAnswers(WorkQueue* queue, WorkQueue::JobKind kind, std::size_t mostKept, QObject* parent = nullptr);

    /// Null if unknown or refused. While importance is being measured, its answer may be incomplete.
    template <class What>
    std::shared_ptr<const typename What::Value> of(const trace::Request& request, const What& what) const {
        const Known* known = find({.request = request, .what = what});
        return known && !known->refused ? std::get<std::shared_ptr<const typename What::Value>>(known->answer)
                                        : nullptr;
    }
    /// Empty unless the question was refused.
    std::optional<trace::RefusalText> refusalOf(const trace::Question& question) const;
    bool isAsking() const { return asked_.has_value(); }

    /// Replaces the wanted questions; the most urgent comes first.
    void want(std::vector<trace::Question> questions);
    /// Lets a refused question be asked again if it is still wanted.
    void forgetRefusal(const trace::Question& question);
    void forgetAll();

  Q_SIGNALS:
    /// An answer arrived, was refused, or was discarded with its model.
    void changed();
    /// The pending question was refused.
    void refused(const headscope::trace::RefusalText& text);

  private:
    struct Known {
        trace::Question question;
        trace::Answer answer;
        std::optional<trace::RefusalText> refused;
        bool isComplete = true;
    };
    const Known* find(const trace::Question& question) const;
    void askNext();
    void ask();
    void take(Known known);
    void drop();
    void dropOldest();

    WorkQueue* queue_;
    WorkQueue::JobKind kind_;
    std::size_t mostKept_;
    std::vector<trace::Question> wanted_;
    std::optional<trace::Question> asked_; ///< on its way
    std::vector<Known> known_;             ///< the newest last
};

} // namespace headscope::app
