#pragma once

#include <QObject>

#include "app/results/run_queue.h"
#include "model/trace/question.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::app {

/// What a model answered, kept by the question. What is wanted and not known is asked, one after the other,
/// and no longer than it is wanted.
class KnownAnswers : public QObject {
    Q_OBJECT

  public:
    /// In a slot of its own of a queue that outlives this. Of those that nobody wants any more `mostKept`
    /// stay.
    KnownAnswers(RunQueue* queue, RunQueue::Slot slot, std::size_t mostKept, QObject* parent = nullptr);

    /// Null where it is not known, or was refused; of importance perhaps not complete, while it is asked.
    template <class What>
    std::shared_ptr<const typename What::Value> of(const trace::Request& request, const What& what) const {
        const Known* known = find({.request = request, .what = what});
        return known && !known->refused ? std::get<std::shared_ptr<const typename What::Value>>(known->answer)
                                        : nullptr;
    }
    /// Nothing where it was not refused.
    std::optional<trace::RefusalText> refusalOf(const trace::Question& question) const;
    bool isAsking() const { return asked_.has_value(); }

    /// These from now on, the most urgent first, instead of those before.
    void want(std::vector<trace::Question> questions);
    /// What was refused, too: asked again where it is wanted.
    void forgetRefusal(const trace::Question& question);
    void forgetAll();

  Q_SIGNALS:
    /// Another answer is known, or is refused, or gone with the model.
    void changed();
    /// What was asked last cannot be had.
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

    RunQueue* queue_;
    RunQueue::Slot slot_;
    std::size_t mostKept_;
    std::vector<trace::Question> wanted_;
    std::optional<trace::Question> asked_; ///< on its way
    std::vector<Known> known_;             ///< the newest last
};

} // namespace headscope::app
