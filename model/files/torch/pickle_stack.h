#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/files/torch/pickle_input.h"
#include "model/files/torch/pickle_value.h"
#include "model/files/torch/unpickler.h"

namespace headscope::files {

/// Stack, marks and memo of the pickle machine. Calls `input.fail` if a limit is exceeded or an opcode does
/// not fit the state of the stack.
class PickleStack {
  public:
    PickleStack(const PickleInput& input, const PickleLimits& limits) : input_(input), limits_(limits) {}

    void push(PickleId id);
    PickleId top() const;
    PickleId pop();
    std::vector<PickleId> pop(std::size_t number);
    void mark();
    std::vector<PickleId> popToMark();
    /// Returns the result; exactly one value must be left.
    PickleId last() const;

    void remember(std::uint64_t number); ///< stores the top of the stack in the memo
    void recall(std::uint64_t number);   ///< pushes a value from the memo
    std::size_t remembered() const { return memo_.size(); }

    void countLinks(std::size_t links);

  private:
    /// Number of values above the last mark; those below it belong to an enclosing container.
    std::size_t available() const { return values_.size() - (marks_.empty() ? 0 : marks_.back()); }

    const PickleInput& input_;
    const PickleLimits& limits_;
    std::vector<PickleId> values_;
    std::vector<std::size_t> marks_; ///< stack heights
    std::unordered_map<std::uint64_t, PickleId> memo_;
    std::size_t links_ = 0;
};

} // namespace headscope::files
