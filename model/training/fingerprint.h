#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace headscope::training {

/// Hash to distinguish large contents (64-bit FNV-1a). Not secure against deliberate collisions.
class Fingerprint {
  public:
    void add(std::string_view bytes) {
        for (const char byte : bytes)
            hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
    }
    /// Adds the length as well, so that the boundary between two texts matters.
    void addText(std::string_view text) {
        addNumbers(static_cast<std::uint64_t>(text.size()));
        add(text);
    }
    template <class... Numbers>
    void addNumbers(const Numbers&... numbers) {
        static_assert(((std::is_arithmetic_v<Numbers> || std::is_enum_v<Numbers>)&&...));
        (add({reinterpret_cast<const char*>(&numbers), sizeof numbers}), ...);
    }
    std::string text() const {
        char digits[16];
        const auto result = std::to_chars(digits, digits + sizeof digits, hash_, 16);
        return {digits, result.ptr};
    }

  private:
    std::uint64_t hash_ = 0xCBF29CE484222325U;
};

} // namespace headscope::training
