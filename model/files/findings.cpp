#include "model/files/findings.h"

#include <algorithm>

#include "model/files/utf8.h"

namespace headscope::files {

std::string printable(std::string_view foreign, std::size_t bytes) {
    std::string text(foreign.substr(0, bytes + 1));
    if (text.size() > bytes) {
        while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80)
            --bytes;
        text = text.substr(0, bytes) + "...";
    }
    const bool wellFormed = isUtf8(text);
    std::ranges::replace_if(
        text,
        [&](char character) {
            const auto code = static_cast<unsigned char>(character);
            return code < 0x20 || code == 0x7F || (code >= 0x80 && !wellFormed);
        },
        '?');
    return text;
}

} // namespace headscope::files
