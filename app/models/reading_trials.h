#pragma once

#include "model/engine/engine.h"
#include "model/trace/missing_settings.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

/// Setting -> value, as given by the user so far.
using ModelSettings = std::map<std::string, std::string>;

/// Whether all required settings have a value.
bool isComplete(const std::vector<trace::MissingSetting>& settings, const ModelSettings& answers);

/// Returns all combinations of the settings with a list of possible values, with the ids from `answers`;
/// those that agree with `answers` come first. At most 160; empty while a required id is missing.
std::vector<ModelSettings> waysToAnswer(const std::vector<trace::MissingSetting>& settings,
                                        const ModelSettings& answers);

/// Stores the trial decodings of a model with different settings and compares their mean log-probabilities.
class ReadingTrials {
  public:
    void add(const ModelSettings& way, const std::optional<engine::Trial>& trial) { trials_[way] = trial; }
    bool wasTried(const ModelSettings& way) const { return trials_.contains(way); }
    const engine::Trial* trial(const ModelSettings& way) const;

    /// Returns the trial with the highest mean log-probability among those of `ways` that have `value` for
    /// `key` and otherwise agree with `answers`; null if there is none.
    const engine::Trial* best(const std::vector<ModelSettings>& ways, const std::string& key,
                              const std::string& value, const ModelSettings& answers) const;

  private:
    std::map<ModelSettings, std::optional<engine::Trial>> trials_;
};

} // namespace headscope::app
