#pragma once

#include <string>

namespace headscope::trace {

/// "a, b, c"; empty of no words.
template <class Words>
std::string joined(const Words& words) {
    std::string list;
    for (const auto& word : words)
        list.append(list.empty() ? "" : ", ").append(word);
    return list;
}

} // namespace headscope::trace
