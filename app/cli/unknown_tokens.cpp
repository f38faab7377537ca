#include "app/cli/unknown_tokens.h"

#include <algorithm>
#include <iostream>
#include <utility>

namespace headscope::app {

std::size_t unknownTokens(const std::vector<trace::Token>& tokens) {
    return std::ranges::count(tokens, trace::TokenRole::Unknown, &trace::Token::role);
}

void noteUnknown(const std::vector<trace::Token>& tokens, const std::string& where, const std::string& how) {
    const auto unknown = unknownTokens(tokens);
    const auto all = std::ranges::count_if(tokens, [](const auto& token) { return !isSpecial(token.role); });
    if (unknown > 0 && std::cmp_greater_equal(4 * unknown, all))
        std::cerr << where << unknown << " of " << all << " tokens are unknown to the model" << how << '\n';
}

} // namespace headscope::app
