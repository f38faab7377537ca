#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace headscope::text {

/// Where the first byte stands that is not part of valid UTF-8; nothing if all are.
std::optional<std::size_t> firstInvalidByte(std::string_view text);

} // namespace headscope::text
