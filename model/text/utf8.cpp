#include "model/text/utf8.h"

#include <unicode/utf8.h>

#include <algorithm>

namespace headscope::text {

std::optional<std::size_t> firstInvalidByte(std::string_view text) {
    // ICU counts in int32_t: longer texts are looked at in windows that end where a character may begin.
    constexpr std::size_t window = 1 << 30;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    for (std::size_t begin = 0; begin < text.size();) {
        const auto length = static_cast<std::int32_t>(std::min(text.size() - begin, window));
        std::int32_t i = 0;
        while (i < length && (length - i >= U8_MAX_LENGTH || begin + length == text.size())) {
            const std::int32_t characterStart = i;
            UChar32 character = 0;
            U8_NEXT(bytes + begin, i, length, character);
            if (character < 0)
                return begin + characterStart;
        }
        begin += i;
    }
    return std::nullopt;
}

} // namespace headscope::text
