#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace headscope::files {

/// Reads the bytes of a pickle from front to back. All functions throw trace::Refusal with the byte position.
class PickleInput {
  public:
    PickleInput(std::span<const std::byte> bytes, const std::string& where);

    std::string_view take(std::uint64_t bytes);
    std::uint64_t integer(std::size_t bytes); ///< little-endian, unsigned
    std::string line();                       ///< up to the next line feed, which is consumed
    std::size_t position() const { return position_; }
    [[noreturn]] void fail(const std::string& expected, const std::string& found) const;

  private:
    std::string_view text_;
    const std::string& where_;
    std::size_t position_ = 0;
};

} // namespace headscope::files
