#pragma once

#include "app/plain/session.h"

#include <array>
#include <utility>

namespace headscope::app {

// The words of session files.

inline constexpr const char* sessionFormat = "headscope session";
inline constexpr const char* measuredImportance = "importance"; ///< in the list "measured"

inline constexpr std::array<std::pair<std::optional<int> PinnedTokens::*, const char*>, 4> pinnedNames{
    {{&PinnedTokens::sourceQuery, "source_query"},
     {&PinnedTokens::sourceKey, "source_key"},
     {&PinnedTokens::targetQuery, "target_query"},
     {&PinnedTokens::targetKey, "target_key"}}};

} // namespace headscope::app
