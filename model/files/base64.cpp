#include "model/files/base64.h"

#include <openssl/evp.h>

namespace headscope::files {

std::optional<std::string> fromBase64(std::string_view text) {
    std::string bytes(text.size() / 4 * 3 + 3, '\0');
    const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                     reinterpret_cast<const unsigned char*>(text.data()), text.size());
    if (size < 0)
        return std::nullopt;
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0; // counted as zeros
    bytes.resize(size - padding);
    return bytes;
}

std::string toBase64(std::string_view bytes) {
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0'); // a zero behind it
    const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    text.resize(size);
    return text;
}

} // namespace headscope::files
