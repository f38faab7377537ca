#pragma once

#include "model/trace/refusal.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::trace {

/// What a setting has to be known for. What is needed to open is needed to decode as well.
enum class Need { ToOpen, ToDecode, Optional };

/// One thing that neither a model's tensors nor the files beside them say, and what may be answered.
struct MissingSetting {
    std::string key;                   ///< as the command line and headscope.json spell it, such as "heads"
    std::string question;              ///< for a person
    std::string known;                 ///< what limits the answer; empty if nothing is known
    std::vector<std::string> possible; ///< every answer there is; empty where the answer is an id
    std::int64_t ids = 0;              ///< where it is one: from 0 to below this
    Need need = Need::ToOpen;
    friend bool operator==(const MissingSetting&, const MissingSetting&) = default;
};

/// A model that cannot be read before a person answers. As a refusal it names the options of all settings.
class MissingSettings : public Refusal {
  public:
    MissingSettings(std::vector<MissingSetting> settings, const std::string& where);

    /// All of them, also those that are not needed for what was tried.
    const std::vector<MissingSetting>& settings() const { return settings_; }

  private:
    std::vector<MissingSetting> settings_;
};

} // namespace headscope::trace
