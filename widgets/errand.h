#pragma once

#include <QString>

#include "model/trace/question.h"

#include <any>
#include <functional>
#include <utility>

namespace headscope::widgets {

/// Identifies an errand: equal to keys of the same type and value.
class ErrandKey {
  public:
    template <class Value>
    ErrandKey(Value value) : value_(std::move(value)), equals_(&areEqual<Value>) {}
    friend bool operator==(const ErrandKey& a, const ErrandKey& b) { return a.equals_(a.value_, b.value_); }

  private:
    template <class Value>
    static bool areEqual(const std::any& a, const std::any& b) {
        const auto* first = std::any_cast<Value>(&a);
        const auto* second = std::any_cast<Value>(&b);
        return first && second && *first == *second;
    }

    std::any value_;
    bool (*equals_)(const std::any&, const std::any&);
};

/// A long computation for a view, run outside the GUI thread, either with a model (`ask`) or without
/// (`count`). Both functions may throw trace::Refusal and trace::Cancelled. The function they return is
/// called on the GUI thread, if the view still exists and wants nothing else.
struct Errand {
    using Deliver = std::function<void()>;

    /// An errand with an equal key is the same one, and is not started again.
    ErrandKey about;
    /// Null if no model is needed.
    std::function<Deliver(trace::Answers&, const trace::Task&)> ask;
    std::function<Deliver(const trace::Task&)> count;
    /// Called if the errand is refused; errand() must then not return it again.
    std::function<void(const trace::RefusalText&)> refused;
    /// Progress from 0 to 1; may be null.
    std::function<void(double share)> progressed = {};
    /// Called if the user stops the errand, with the same obligation; null: `refused` is called.
    std::function<void()> stopped = {};
};

} // namespace headscope::widgets
