#pragma once

#include "model/trace/token.h"

#include <string>
#include <vector>

namespace headscope::app {

/// Number of unknown tokens.
std::size_t unknownTokens(const std::vector<trace::Token>& tokens);

/// Writes a note on standard error, after `where`, if a quarter of a text or more is unknown; `how` tells how
/// to see which.
void noteUnknown(const std::vector<trace::Token>& tokens, const std::string& where = "",
                 const std::string& how = "; the command tokens shows which");

} // namespace headscope::app
