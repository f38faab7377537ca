#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headscope::files {

/// The bytes of a text in base64 with padding; nothing if it is none.
std::optional<std::string> fromBase64(std::string_view text);

std::string toBase64(std::string_view bytes);

} // namespace headscope::files
