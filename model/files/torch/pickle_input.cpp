#include "model/files/torch/pickle_input.h"

#include "model/trace/refusal.h"

namespace headscope::files {

PickleInput::PickleInput(std::span<const std::byte> bytes, const std::string& where)
    : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), where_(where) {}

void PickleInput::fail(const std::string& expected, const std::string& found) const {
    throw trace::Refusal({.what = "The pickle was refused",
                          .where = where_ + ", byte " + std::to_string(position_),
                          .expected = expected,
                          .found = found,
                          .wayOut = "Save the weights alone, with torch.save(model.state_dict(), file) or as "
                                    "safetensors."});
}

std::string_view PickleInput::take(std::uint64_t bytes) {
    if (bytes > text_.size() - position_)
        fail(std::to_string(bytes) + " more bytes",
             "the end after " + std::to_string(text_.size() - position_));
    const std::string_view taken = text_.substr(position_, bytes);
    position_ += bytes;
    return taken;
}

std::uint64_t PickleInput::integer(std::size_t bytes) {
    const std::string_view taken = take(bytes);
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(taken[i]);
    return value;
}

std::string PickleInput::line() {
    const std::size_t end = text_.find('\n', position_);
    if (end == std::string_view::npos)
        fail("a name and the end of its line", "no end of line");
    std::string line(take(end - position_));
    take(1);
    return line;
}

} // namespace headscope::files
