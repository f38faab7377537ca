#include "tests/fuzz/protobuf_mutator.h"

#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

namespace {

/// One field: its tag and, of wire type 2, the content; of the others all bytes stand in `content`.
struct Field {
    std::uint64_t tag = 0;
    std::string content;
};

std::optional<std::uint64_t> takeVarint(std::string_view& rest) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && !rest.empty(); shift += 7) {
        const auto byte = static_cast<std::uint8_t>(rest.front());
        rest.remove_prefix(1);
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    return std::nullopt;
}

std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7)
        bytes += static_cast<char>(value | 0x80);
    return bytes + static_cast<char>(value);
}

std::optional<Field> takeField(std::string_view& rest) {
    const auto tag = takeVarint(rest);
    if (!tag)
        return std::nullopt;
    std::uint64_t length = (*tag & 7) == 1 ? 8 : (*tag & 7) == 5 ? 4 : 0;
    if ((*tag & 7) == 0) {
        const auto before = rest;
        if (!takeVarint(rest))
            return std::nullopt;
        return Field{*tag, std::string(before.substr(0, before.size() - rest.size()))};
    }
    if ((*tag & 7) == 2)
        length = takeVarint(rest).value_or(rest.size() + 1);
    if (length > rest.size() || (length == 0 && (*tag & 7) != 2))
        return std::nullopt;
    Field field{*tag, std::string(rest.substr(0, length))};
    rest.remove_prefix(length);
    return field;
}

std::optional<std::vector<Field>> fieldsOf(std::string_view message) {
    std::vector<Field> fields;
    while (!message.empty()) {
        auto field = takeField(message);
        if (!field)
            return std::nullopt;
        fields.push_back(std::move(*field));
    }
    return fields;
}

std::string messageOf(const std::vector<Field>& fields) {
    std::string message;
    for (const Field& field : fields)
        message +=
            varint(field.tag) + ((field.tag & 7) == 2 ? varint(field.content.size()) : "") + field.content;
    return message;
}

std::string mutateBytes(std::string bytes, std::size_t room) {
    const std::size_t size = bytes.size();
    bytes.resize(size + std::min<std::size_t>(room, 64));
    bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, bytes.size()));
    return bytes;
}

std::string mutateMessage(const std::string& message, std::size_t room, std::minstd_rand& random, int depth) {
    auto fields = fieldsOf(message);
    if (!fields || fields->empty() || depth > 3)
        return mutateBytes(message, room);
    // The last ones too often to be fair: settings and the normaliser stand behind thousands of pieces.
    const std::size_t last = std::min<std::size_t>(fields->size(), 4);
    const std::size_t at = random() % 2 ? random() % fields->size() : fields->size() - 1 - random() % last;
    const std::size_t other = random() % fields->size();
    switch (random() % 8) {
    case 0:
        fields->erase(fields->begin() + static_cast<std::ptrdiff_t>(at));
        break;
    case 1:
        if ((*fields)[at].content.size() + 12 < room)
            fields->insert(fields->begin() + static_cast<std::ptrdiff_t>(other), Field((*fields)[at]));
        break;
    case 2:
        std::swap((*fields)[at], (*fields)[other]);
        break;
    case 3:
        (*fields)[at].tag = ((*fields)[at].tag & 7) | (random() % 64) << 3;
        break;
    default:
        (*fields)[at].content = (*fields)[at].tag % 8 == 2
                                    ? mutateMessage((*fields)[at].content, room, random, depth + 1)
                                    : mutateBytes((*fields)[at].content, room);
    }
    return messageOf(*fields);
}

} // namespace

std::size_t mutateProtobuf(std::uint8_t* data, std::size_t size, std::size_t maximumSize, unsigned seed) {
    std::minstd_rand random(seed);
    if (random() % 16 == 0)
        return LLVMFuzzerMutate(data, size, maximumSize);
    const std::string message(reinterpret_cast<const char*>(data), size);
    const std::string changed = mutateMessage(message, maximumSize - size, random, 0);
    const std::size_t length = std::min(changed.size(), maximumSize);
    std::memcpy(data, changed.data(), length);
    return length;
}

} // namespace fuzz
