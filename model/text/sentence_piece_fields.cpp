#include "model/text/sentence_piece_fields.h"

#include "model/trace/refusal.h"

namespace headscope::text {

void refuseModel(const std::string& where, const std::string& found) {
    throw trace::Refusal({.what = "This is no SentencePiece model that can be used",
                          .where = where,
                          .expected = "a file written by SentencePiece's trainer",
                          .found = found,
                          .wayOut = "copy the tokenizer's file from where the model was trained again"});
}

std::optional<Field> FieldReader::next() {
    if (rest_.empty())
        return std::nullopt;
    const auto tag = varint();
    Field field{.number = static_cast<std::uint32_t>(tag >> 3),
                .wireType = static_cast<std::uint32_t>(tag & 7)};
    switch (field.wireType) {
    case 0:
        field.value = varint();
        break;
    case 1:
        field.content = take(8);
        break;
    case 2:
        field.content = take(varint());
        break;
    case 5:
        field.content = take(4);
        break;
    default:
        refuseModel(where_, "a field of wire type " + std::to_string(field.wireType));
    }
    return field;
}

std::uint64_t FieldReader::varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        const auto byte = static_cast<std::uint8_t>(take(1).front());
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    refuseModel(where_, "a number longer than 64 bits");
}

std::string_view FieldReader::take(std::uint64_t length) {
    if (length > rest_.size())
        refuseModel(where_, "a field that ends after the file");
    const auto taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
}

} // namespace headscope::text
