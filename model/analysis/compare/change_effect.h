#pragma once

#include "model/analysis/compare/run_comparison.h"
#include "model/trace/question.h"

#include <memory>
#include <vector>

namespace headscope::analysis {

/// What the changes of a model do to its output.
struct ChangeEffect {
    std::shared_ptr<const trace::Run> original; ///< without the changes; never null
    /// The changed model reading the original output, or the same source if it does not decode; null for a
    /// classifier, whose two runs hold all that is compared.
    std::shared_ptr<const trace::Run> forced;
    std::vector<StepComparison> steps; ///< of the original run and what is compared with it
};

/// A question that is counted from what it asks (trace::Counted).
struct ChangeEffectWhat {
    using Value = ChangeEffect;

    trace::Request request;                    ///< of the changed run, whose shown path is the last
    std::shared_ptr<const trace::Run> changed; ///< that run, complete
    /// The same request without changes, perhaps with less recorded: its output is read again, and nothing is
    /// searched. Null: it is not known.
    std::shared_ptr<const trace::Run> unchanged;

    /// Throws trace::Refusal or trace::Cancelled.
    Value ask(trace::Answers& model, const trace::Task& work) const;
    static std::size_t bytes(const Value& effect);
    friend bool operator==(const ChangeEffectWhat&, const ChangeEffectWhat&) = default;
};

/// True if the run can be compared with the one without its changes: it is complete, has changes that are on,
/// and an output.
bool hasEffect(const trace::Run& run);
/// True if `unchanged`, a complete run, is that of `changed` without the changes, whatever is recorded.
bool isUnchangedRunOf(const trace::Run& unchanged, const trace::Request& changed);

} // namespace headscope::analysis
