#pragma once

#include <string>

namespace headscope::trace {

/// Returns "a, b, c"; empty if there are no words.
template <class Words>
std::string joined(const Words& words) {
    std::string list;
    for (const auto& word : words)
        list.append(list.empty() ? "" : ", ").append(word);
    return list;
}

} // namespace headscope::trace
