#pragma once

#include "model/trace/question.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace headscope::trace {

/// A question that a view defines for itself, beside its own code: a value that holds its parameters, and a
/// function that computes the answer from them, or from what it asks the model.
///
/// `What` has a type `Value`, an operator==, and one of these, which may throw Refusal or Cancelled:
///
///     Value count(const Task& work) const;
///     Value count(const Task& work, const std::function<void(Value)>& partial) const;
///     Value ask(Answers& model, const Task& work) const;
///
/// `partial` receives what is known so far. A question that takes seconds says so by
/// `bool takesLong() const` or a constant of that name: it waits for all others, and a person may stop it.
/// One with a true constant `comesLast` is not missed by anybody for a while: it waits for these, too.
/// One whose answers are worth keeping has a static function `std::size_t bytes(const Value&)`. A member
/// `run` is what the question is about: its answers are kept only as long as that is shown. A member
/// `secondModel` is the second open model, which is asked instead of the shown one unless it is null.
class Counted {
  public:
    using Value = std::shared_ptr<const void>;

    template <class What>
    requires requires { typename What::Value; }
    Counted(What what) : of_(std::make_shared<const Of<What>>(std::move(what))) {}

    bool asksModel() const { return of_->asksModel(); }
    bool takesLong() const { return of_->takesLong(); }
    bool comesLast() const { return of_->comesLast(); }
    /// Null if it is about no run, or about several.
    std::shared_ptr<const Run> run() const { return of_->run(); }
    /// The second model, if that is asked; null: the shown one.
    std::shared_ptr<const ModelSummary> secondModel() const { return of_->secondModel(); }
    /// Memory of an answer to this question; empty if it does not say.
    std::optional<std::size_t> bytes(const Value& value) const { return of_->bytes(value); }
    /// `model` may be null unless asksModel().
    Value answer(Answers* model, const Task& work, const std::function<void(Value)>& partial) const {
        return of_->answer(model, work, partial);
    }
    friend bool operator==(const Counted& a, const Counted& b) {
        return a.of_ == b.of_ || a.of_->isEqual(*b.of_);
    }

  private:
    struct Base {
        virtual ~Base() = default;
        virtual bool asksModel() const = 0;
        virtual bool takesLong() const = 0;
        virtual bool comesLast() const = 0;
        virtual std::shared_ptr<const Run> run() const = 0;
        virtual std::shared_ptr<const ModelSummary> secondModel() const = 0;
        virtual std::optional<std::size_t> bytes(const Value& value) const = 0;
        virtual Value answer(Answers* model, const Task& work,
                             const std::function<void(Value)>& partial) const = 0;
        virtual bool isEqual(const Base& other) const = 0;
    };

    template <class What>
    struct Of : Base {
        using Known = typename What::Value;
        static constexpr bool asks = requires(const What& what, Answers& model, const Task& work) {
            what.ask(model, work);
        };
        static constexpr bool comesInParts =
            requires(const What& what, const Task& work, const std::function<void(Known)>& partial) {
            what.count(work, partial);
        };

        explicit Of(What w) : what(std::move(w)) {}
        bool asksModel() const override { return asks; }
        bool takesLong() const override {
            if constexpr (requires { what.takesLong(); })
                return what.takesLong();
            else if constexpr (requires { bool(What::takesLong); })
                return What::takesLong;
            else
                return false;
        }
        bool comesLast() const override {
            return requires {
                requires bool(What::comesLast);
            };
        }
        std::shared_ptr<const Run> run() const override {
            if constexpr (requires { std::shared_ptr<const Run>(what.run); })
                return what.run;
            else
                return nullptr;
        }
        std::shared_ptr<const ModelSummary> secondModel() const override {
            if constexpr (requires { std::shared_ptr<const ModelSummary>(what.secondModel); })
                return what.secondModel;
            else
                return nullptr;
        }
        std::optional<std::size_t> bytes(const Value& value) const override {
            if constexpr (requires(const Known& known) { What::bytes(known); })
                return value ? What::bytes(*std::static_pointer_cast<const Known>(value)) : 0;
            else
                return std::nullopt;
        }
        Value answer(Answers* model, const Task& work,
                     const std::function<void(Value)>& partial) const override {
            const auto shared = [](Known known) { return std::make_shared<const Known>(std::move(known)); };
            if constexpr (asks)
                return shared(what.ask(*model, work));
            else if constexpr (comesInParts)
                return shared(what.count(work, [&](Known known) { partial(shared(std::move(known))); }));
            else
                return shared(what.count(work));
        }
        bool isEqual(const Base& other) const override {
            const auto* same = dynamic_cast<const Of*>(&other);
            return same && what == same->what;
        }

        What what;
    };

    std::shared_ptr<const Base> of_;
};

} // namespace headscope::trace
