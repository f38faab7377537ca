#pragma once

#include "model/engine/engine.h"
#include "model/trace/missing_settings.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

/// Setting -> value, what a person answered so far.
using ModelSettings = std::map<std::string, std::string>;

/// True if everything that is needed is answered.
bool isComplete(const std::vector<trace::MissingSetting>& settings, const ModelSettings& answers);

/// Every way to answer the questions that have a list of answers, with the ids as they are in `answers`;
/// those that agree with `answers` come first. At most 160, and none while an id is missing that is needed.
std::vector<ModelSettings> waysToAnswer(const std::vector<trace::MissingSetting>& settings,
                                        const ModelSettings& answers);

/// How sure of its words the model was with each way that was tried; remembers, compares, chooses nothing.
class ReadingTrials {
  public:
    void add(const ModelSettings& way, const std::optional<engine::Trial>& trial) { trials_[way] = trial; }
    bool wasTried(const ModelSettings& way) const { return trials_.contains(way); }
    const engine::Trial* trial(const ModelSettings& way) const;

    /// The surest trial of `ways` that has `value` for `key` and otherwise agrees with `answers`; null if
    /// there is none.
    const engine::Trial* best(const std::vector<ModelSettings>& ways, const std::string& key,
                              const std::string& value, const ModelSettings& answers) const;

  private:
    std::map<ModelSettings, std::optional<engine::Trial>> trials_;
};

} // namespace headscope::app
