#pragma once

#include <string>
#include <string_view>

namespace headscope::text {

/// Returns `text` with all `from` replaced by `to`.
inline std::string withReplaced(std::string_view text, std::string_view from, std::string_view to) {
    std::string replaced;
    for (auto at = text.find(from); at != text.npos; at = text.find(from)) {
        replaced.append(text.substr(0, at)).append(to);
        text.remove_prefix(at + from.size());
    }
    return replaced.append(text);
}

} // namespace headscope::text
