#pragma once

#include "model/trace/refusal.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::trace {

/// When a setting is required. Settings required to open are also required to decode.
enum class Need { ToOpen, ToDecode, Optional };

/// A setting that neither the model's tensors nor the files beside them determine, and the accepted answers.
struct MissingSetting {
    std::string key;      ///< as spelled on the command line and in headscope.json, such as "heads"
    std::string question; ///< for display
    std::string known;    ///< constraints on the answer, for display; empty if there are none
    std::vector<std::string> possible; ///< all accepted answers; empty if the answer is an id
    std::int64_t ids = 0;              ///< if the answer is an id: accepted are 0 to ids - 1
    Need need = Need::ToOpen;
    friend bool operator==(const MissingSetting&, const MissingSetting&) = default;
};

/// Refusal of a model that cannot be opened without further settings. Its text names the options of all of
/// them.
class MissingSettings : public Refusal {
  public:
    MissingSettings(std::vector<MissingSetting> settings, const std::string& where);

    /// Includes settings not required for the attempted operation.
    const std::vector<MissingSetting>& settings() const { return settings_; }

  private:
    std::vector<MissingSetting> settings_;
};

} // namespace headscope::trace
