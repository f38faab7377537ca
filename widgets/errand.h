#pragma once

#include <QString>

#include "model/trace/question.h"

#include <any>
#include <functional>
#include <utility>

namespace headscope::widgets {

/// What an errand is about: equal to another one of the same type and value.
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

/// Something that takes longer than a window may stall, done for a view off the window's thread: by a model,
/// or by numbers alone. Either throws trace::Refusal and trace::Cancelled; what it returns is called on the
/// window's thread, as long as the view is there and wants nothing else.
struct Errand {
    using Deliver = std::function<void()>;

    /// Equal ones are the same errand, which is then not begun again.
    ErrandKey about;
    /// Null where no model is needed.
    std::function<Deliver(trace::Answers&, const trace::Task&)> ask;
    std::function<Deliver(const trace::Task&)> count;
    /// Called if it is refused; errand() must then not return it again.
    std::function<void(const trace::RefusalText&)> refused;
    /// How much of it is done, from 0 to 1, now and then; may be null.
    std::function<void(double share)> progressed = {};
    /// Called if a person stops it, with the same duty; null: `refused` is called.
    std::function<void()> stopped = {};
};

/// A refusal as one paragraph, shown in place of the view.
inline QString inWords(const trace::RefusalText& text) {
    return QString::fromStdString(trace::paragraph(text));
}

} // namespace headscope::widgets
