#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headscope::text {

/// Refuses (trace::Refusal) a file of SentencePiece. `where` names it.
[[noreturn]] void refuseModel(const std::string& where, const std::string& found);

/// One field of a protobuf message (encoding: protobuf.dev, "Encoding").
struct Field {
    std::uint32_t number = 0;
    std::uint32_t wireType = 0;
    std::uint64_t value = 0;  ///< of a varint
    std::string_view content; ///< of a field of fixed length, or of one that is length-delimited
};

/// Reads the fields of a message one by one. Throws trace::Refusal for broken framing.
class FieldReader {
  public:
    FieldReader(std::string_view bytes, const std::string& where) : rest_(bytes), where_(where) {}

    /// Nothing at the end of the message.
    std::optional<Field> next();

  private:
    std::uint64_t varint();
    std::string_view take(std::uint64_t length);

    std::string_view rest_;
    const std::string& where_;
};

} // namespace headscope::text
