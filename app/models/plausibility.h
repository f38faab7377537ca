#pragma once

#include "model/engine/engine.h"
#include "model/trace/missing_settings.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

/// Setting -> value, what a person answered so far.
using Answers = std::map<std::string, std::string>;

/// True if everything that is needed is answered.
bool isComplete(const std::vector<trace::MissingSetting>& settings, const Answers& answers);

/// Every way to answer the questions that have a list of answers, with the ids as they are in `answers`;
/// those that agree with `answers` come first. At most 160, and none while an id is missing that is needed.
std::vector<Answers> waysToAnswer(const std::vector<trace::MissingSetting>& settings, const Answers& answers);

/// How sure of its words the model was with each way that was tried; remembers, compares, chooses nothing.
class Plausibility {
  public:
    void add(const Answers& way, const std::optional<engine::Trial>& trial) { trials_[way] = trial; }
    bool wasTried(const Answers& way) const { return trials_.contains(way); }
    const engine::Trial* trial(const Answers& way) const;

    /// The surest trial of `ways` that has `value` for `key` and otherwise agrees with `answers`; null if
    /// there is none.
    const engine::Trial* best(const std::vector<Answers>& ways, const std::string& key,
                              const std::string& value, const Answers& answers) const;

  private:
    std::map<Answers, std::optional<engine::Trial>> trials_;
};

} // namespace headscope::app
