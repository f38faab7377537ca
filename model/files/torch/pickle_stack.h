#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/files/torch/pickle_input.h"
#include "model/files/torch/pickle_value.h"
#include "model/files/torch/unpickler.h"

namespace headscope::files {

/// The stack of a pickle's machine with its marks, and the values it remembers under numbers. Refuses by
/// `input.fail` what the limits or the order of the instructions do not allow.
class PickleStack {
  public:
    PickleStack(const PickleInput& input, const PickleLimits& limits) : input_(input), limits_(limits) {}

    void push(PickleId id);
    PickleId top() const;
    PickleId pop();
    std::vector<PickleId> pop(std::size_t number);
    void mark();
    std::vector<PickleId> popToMark();
    /// The one value that must be left at the end.
    PickleId last() const;

    void remember(std::uint64_t number); ///< the top, under a number
    void recall(std::uint64_t number);   ///< pushes what was remembered
    std::size_t remembered() const { return memo_.size(); }

    void countLinks(std::size_t links);

  private:
    /// Values below the last mark belong to what was begun before it.
    std::size_t available() const { return values_.size() - (marks_.empty() ? 0 : marks_.back()); }

    const PickleInput& input_;
    const PickleLimits& limits_;
    std::vector<PickleId> values_;
    std::vector<std::size_t> marks_; ///< heights of the stack
    std::unordered_map<std::uint64_t, PickleId> memo_;
    std::size_t links_ = 0;
};

} // namespace headscope::files
