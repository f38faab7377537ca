#pragma once

#include "model/trace/counted.h"

#include <memory>
#include <optional>
#include <variant>

namespace headscope::trace {

/// What a view may want to know.
using Wanted = std::variant<Question, Counted>;
/// The answer to a question of the same kind.
using Found = std::variant<Answer, Counted::Value>;

/// Answers as they are known at the moment.
class KnownAnswers {
  public:
    virtual ~KnownAnswers() = default;

    /// Null if unknown or refused. An answer that comes in parts may be incomplete as long as isAwaited().
    template <class What>
    std::shared_ptr<const typename What::Value> of(const Request& request, const What& what) const {
        const Known* known = find(Question{.request = request, .what = what});
        return known && !known->refused
                   ? std::get<std::shared_ptr<const typename What::Value>>(std::get<Answer>(known->found))
                   : nullptr;
    }
    template <class What>
    std::shared_ptr<const typename What::Value> of(const What& counted) const {
        const Known* known = find(Counted(counted));
        return known && !known->refused ? std::static_pointer_cast<const typename What::Value>(
                                              std::get<Counted::Value>(known->found))
                                        : nullptr;
    }
    /// Empty unless the question was refused.
    std::optional<RefusalText> refusalOf(const Wanted& question) const {
        const Known* known = find(question);
        return known ? known->refused : std::nullopt;
    }
    /// Wanted by somebody, and neither answered completely nor refused.
    virtual bool isAwaited(const Wanted& question) const = 0;
    /// Share that is done of an awaited question, 0 to 1.
    virtual double shareOf(const Wanted& question) const = 0;

  protected:
    struct Known {
        Wanted question;
        Found found;
        std::optional<RefusalText> refused;
        bool isComplete = true;
    };
    /// Null if unknown.
    virtual const Known* find(const Wanted& question) const = 0;
};

/// For whoever nobody answers.
class NothingKnown final : public KnownAnswers {
  public:
    static const NothingKnown* instance() {
        static const NothingKnown nothing;
        return &nothing;
    }
    bool isAwaited(const Wanted& /*question*/) const override { return false; }
    double shareOf(const Wanted& /*question*/) const override { return 0; }

  private:
    const Known* find(const Wanted& /*question*/) const override { return nullptr; }
};

} // namespace headscope::trace
