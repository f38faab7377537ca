#pragma once

#include "app/sessions/session.h"

#include <array>
#include <utility>

namespace headscope::app {

// Names in session files.

inline constexpr const char* sessionFormat = "headscope session";
inline constexpr const char* measuredImportance = "importance"; ///< in the list "measured"

inline constexpr std::array<std::pair<std::optional<int> LitTokens::*, const char*>, 4> tokenNames{
    {{&LitTokens::sourceQuery, "source_query"},
     {&LitTokens::sourceKey, "source_key"},
     {&LitTokens::targetQuery, "target_query"},
     {&LitTokens::targetKey, "target_key"}}};

} // namespace headscope::app
