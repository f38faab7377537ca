#include "model/files/gguf_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>

#include "model/files/findings.h"
#include "model/files/utf8.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

using nlohmann::json;

constexpr std::uint64_t mostGgufKeys = 100'000;
constexpr std::uint64_t mostGgufValues =
    8'000'000; // Gemma has 0.8 million, with scores and kinds of its tokens
constexpr std::uint64_t mostGgufText = std::uint64_t{256} << 20;
constexpr std::uint32_t mostGgufDimensions = 4;

[[noreturn]] void refuseGguf(const std::string& where, const std::string& expected,
                             const std::string& found) {
    throw trace::Refusal({.what = "The GGUF file was refused",
                          .where = where,
                          .expected = expected,
                          .found = found,
                          .wayOut = "If it was downloaded, fetch it again; if it was converted, convert it "
                                    "again with a current version of llama.cpp."});
}

/// A type of ggml.h by its number there. Empty types are those that cannot be read.
struct StoredType {
    std::uint32_t number;
    std::string_view name;
    std::optional<ElementType> type = std::nullopt;
};

constexpr std::array<StoredType, 42> storedTypes{{
    {0, "F32", ElementType::Float32},
    {1, "F16", ElementType::Float16},
    {2, "Q4_0", ElementType::Q4_0},
    {3, "Q4_1", ElementType::Q4_1},
    {4, "Q4_2"},
    {5, "Q4_3"},
    {6, "Q5_0", ElementType::Q5_0},
    {7, "Q5_1", ElementType::Q5_1},
    {8, "Q8_0", ElementType::Q8_0},
    {9, "Q8_1"},
    {10, "Q2_K", ElementType::Q2_K},
    {11, "Q3_K", ElementType::Q3_K},
    {12, "Q4_K", ElementType::Q4_K},
    {13, "Q5_K", ElementType::Q5_K},
    {14, "Q6_K", ElementType::Q6_K},
    {15, "Q8_K"},
    {16, "IQ2_XXS"},
    {17, "IQ2_XS"},
    {18, "IQ3_XXS"},
    {19, "IQ1_S"},
    {20, "IQ4_NL"},
    {21, "IQ3_S"},
    {22, "IQ2_S"},
    {23, "IQ4_XS"},
    {24, "I8", ElementType::Int8},
    {25, "I16", ElementType::Int16},
    {26, "I32", ElementType::Int32},
    {27, "I64", ElementType::Int64},
    {28, "F64", ElementType::Float64},
    {29, "IQ1_M"},
    {30, "BF16", ElementType::BFloat16},
    {31, "Q4_0_4_4"},
    {32, "Q4_0_4_8"},
    {33, "Q4_0_8_8"},
    {34, "TQ1_0"},
    {35, "TQ2_0"},
    {36, "IQ4_NL_4_4"},
    {37, "IQ4_NL_4_8"},
    {38, "IQ4_NL_8_8"},
    {39, "MXFP4"},
    {40, "NVFP4"},
    {41, "Q1_0"},
}};

std::string namesOfReadTypes() {
    std::string names;
    for (const auto& stored : storedTypes)
        if (stored.type)
            names += (names.empty() ? "" : ", ") + std::string(stored.name);
    return names;
}

/// Reads little-endian numbers and texts from the start of a file.
class GgufInput {
  public:
    GgufInput(std::span<const std::byte> file, const std::string& where) : file_(file), where_(where) {}

    template <class Number>
    Number number() {
        Number value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }

    std::string text(std::size_t most) {
        const auto length = number<std::uint64_t>();
        if (length > most)
            refuseGguf(where_, "texts of at most " + std::to_string(most) + " bytes",
                       std::to_string(length) + " bytes at byte " + std::to_string(position_));
        textBytes_ += length;
        if (textBytes_ > mostGgufText)
            refuseGguf(where_, "at most " + std::to_string(mostGgufText) + " bytes of text", "more");
        const auto bytes = take(length);
        std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        if (!isUtf8(text))
            refuseGguf(where_, "texts in UTF-8",
                       "other bytes at byte " + std::to_string(position_ - bytes.size()));
        return text;
    }

    /// Throws unless `count` things of at least `bytesOfEach` may follow.
    void expect(std::uint64_t count, std::uint64_t most, std::size_t bytesOfEach, const char* things) {
        if (count > most || count > (file_.size() - position_) / bytesOfEach)
            refuseGguf(where_, "at most " + std::to_string(most) + " " + things + ", all in the file",
                       std::to_string(count) + " " + things + " at byte " + std::to_string(position_));
    }

    std::size_t position() const { return position_; }

  private:
    std::span<const std::byte> take(std::uint64_t bytes) {
        if (bytes > file_.size() - position_)
            refuseGguf(where_, "a whole file",
                       "one of " + std::to_string(file_.size()) + " bytes that ends within its header");
        const auto taken = file_.subspan(position_, bytes);
        position_ += bytes;
        return taken;
    }

    std::span<const std::byte> file_;
    const std::string& where_;
    std::size_t position_ = 0;
    std::uint64_t textBytes_ = 0;
};

/// Reads keys and values.
class MetadataReader {
  public:
    MetadataReader(GgufInput& input, const std::string& where) : input_(input), where_(where) {}

    json read(std::uint64_t keys) {
        json metadata = json::object();
        for (std::uint64_t i = 0; i < keys; ++i) {
            auto key = input_.text(maximumNameBytes);
            const auto type = input_.number<std::uint32_t>();
            if (metadata.contains(key))
                refuseGguf(where_, "each key once", printable(key) + " twice");
            auto value = type == array ? valuesOf(key) : valueOf(type, key);
            metadata[std::move(key)] = std::move(value);
        }
        return metadata;
    }

  private:
    static constexpr std::uint32_t array = 9;

    template <class Number>
    json numberOf() {
        return input_.number<Number>();
    }

    /// The shortest decimal that is this float: 1e-05 and not 9.99999974737875e-06.
    json shortest(float number) {
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        double exact = number;
        std::from_chars(digits.data(), end, exact);
        return exact;
    }

    json valueOf(std::uint32_t type, const std::string& key) {
        count(1);
        switch (type) {
        case 0:
            return numberOf<std::uint8_t>();
        case 1:
            return numberOf<std::int8_t>();
        case 2:
            return numberOf<std::uint16_t>();
        case 3:
            return numberOf<std::int16_t>();
        case 4:
            return numberOf<std::uint32_t>();
        case 5:
            return numberOf<std::int32_t>();
        case 6:
            return shortest(input_.number<float>());
        case 7:
            return input_.number<std::uint8_t>() != 0;
        case 8:
            return input_.text(mostGgufText);
        case 10:
            return numberOf<std::uint64_t>();
        case 11:
            return numberOf<std::int64_t>();
        case 12:
            return numberOf<double>();
        default:
            refuseGguf(where_, "values of the types 0 to 12, arrays of these",
                       "type " + std::to_string(type) + " of " + printable(key));
        }
    }

    json valuesOf(const std::string& key) {
        const auto type = input_.number<std::uint32_t>();
        const auto length = input_.number<std::uint64_t>();
        input_.expect(length, mostGgufValues, 1, "values");
        json values = json::array();
        for (std::uint64_t i = 0; i < length; ++i)
            values.push_back(valueOf(type, key));
        return values;
    }

    void count(std::uint64_t more) {
        values_ += more;
        if (values_ > mostGgufValues)
            refuseGguf(where_, "at most " + std::to_string(mostGgufValues) + " values", "more");
    }

    GgufInput& input_;
    const std::string& where_;
    std::uint64_t values_ = 0;
};

/// Reads the place of a tensor; what is wrong with it is added to `findings`.
std::optional<GgufEntry> readEntry(GgufInput& input, const std::string& where, Findings& findings) {
    GgufEntry entry{.name = input.text(maximumNameBytes)};
    const auto dimensions = input.number<std::uint32_t>();
    if (dimensions > mostGgufDimensions)
        refuseGguf(where, "at most " + std::to_string(mostGgufDimensions) + " dimensions",
                   std::to_string(dimensions) + " of " + printable(entry.name));
    bool areSizes = true;
    for (std::uint32_t i = 0; i < dimensions; ++i) {
        const auto size = input.number<std::uint64_t>();
        areSizes &= size > 0 && size <= INT64_MAX;
        entry.shape.insert(entry.shape.begin(), static_cast<std::int64_t>(size)); // columns come first there
    }
    const auto number = input.number<std::uint32_t>();
    entry.begin = input.number<std::uint64_t>();
    const auto found = std::ranges::find(storedTypes, number, &StoredType::number);
    const auto refused = [&](const std::string& what) {
        findings.add(printable(entry.name) + ": " + what);
        return std::nullopt;
    };
    if (found == storedTypes.end() || !found->type)
        return refused("type " +
                       (found == storedTypes.end() ? std::to_string(number) : std::string(found->name)));
    entry.type = *found->type;
    const auto elements = areSizes ? checkedProduct(entry.shape) : std::nullopt;
    const auto bytes = elements ? checkedProduct(*elements, sizeOf(entry.type)) : std::nullopt;
    if (!bytes)
        return refused("an invalid shape");
    if (!entry.shape.empty() && entry.shape.back() % std::int64_t(blockLength(entry.type)) != 0)
        return refused(shapeText(entry.shape) + " of " + std::string(found->name) + ", whose blocks have " +
                       std::to_string(blockLength(entry.type)) + " numbers");
    if (entry.shape.empty() && isInBlocks(entry.type))
        return refused("a single number in blocks");
    entry.end = bytesOf(entry.type, *elements);
    return entry;
}

/// Moves the tensors' places, which are counted from `data` on, into the file.
void place(std::vector<GgufEntry>& entries, std::uint64_t data, std::uint64_t alignment, std::uint64_t size,
           Findings& findings) {
    std::uint64_t needed = data;
    for (auto& entry : entries) {
        if (entry.begin % alignment != 0)
            findings.add(printable(entry.name) + " at " + std::to_string(entry.begin) +
                         ", which is not aligned");
        const auto bytes = entry.end;
        if (__builtin_add_overflow(entry.begin, data, &entry.begin) ||
            __builtin_add_overflow(entry.begin, bytes, &entry.end))
            entry.end = UINT64_MAX;
        needed = std::max(needed, entry.end);
    }
    if (needed > size)
        findings.add("tensors that need " + std::to_string(needed) + " bytes, in a file of " +
                     std::to_string(size) + " (cut short)");
    if (!findings.empty())
        return;
    std::vector<const GgufEntry*> byPlace;
    for (const auto& entry : entries)
        byPlace.push_back(&entry);
    std::ranges::sort(byPlace, {}, [](const GgufEntry* entry) { return entry->begin; });
    for (std::size_t i = 1; i < byPlace.size(); ++i)
        if (byPlace[i]->begin < byPlace[i - 1]->end)
            findings.add(printable(byPlace[i]->name) + " overlaps " + printable(byPlace[i - 1]->name));
}

std::uint64_t alignmentOf(const json& metadata, const std::string& where) {
    const auto found = metadata.find("general.alignment");
    if (found == metadata.end())
        return 32;
    const auto alignment = found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
    if (alignment < 8 || alignment > 1 << 20 || (alignment & (alignment - 1)) != 0)
        refuseGguf(where, "a general.alignment of 8, 16, 32 and so on", printable(found->dump()));
    return alignment;
}

void checkVersion(std::uint32_t version, const std::string& where) {
    if (version == 2 || version == 3)
        return;
    const bool isSwapped = __builtin_bswap32(version) < 16;
    refuseGguf(where, "version 2 or 3, little-endian",
               isSwapped ? "a big-endian file" : "version " + std::to_string(version));
}

} // namespace

GgufHeader parseGgufHeader(std::span<const std::byte> file, const std::string& where) {
    GgufInput input(file, where);
    const auto magic = input.number<std::array<char, 4>>();
    if (std::string_view(magic.data(), magic.size()) != ggufStart)
        refuseGguf(where, "a file that begins with GGUF", "something else");
    checkVersion(input.number<std::uint32_t>(), where);
    const auto tensors = input.number<std::uint64_t>();
    const auto keys = input.number<std::uint64_t>();
    constexpr std::size_t leastKey = 8 + 4 + 1, leastTensor = 8 + 4 + 4 + 8;
    input.expect(keys, mostGgufKeys, leastKey, "keys");
    GgufHeader header{.metadata = MetadataReader(input, where).read(keys)};
    input.expect(tensors, maximumTensors, leastTensor, "tensors");
    const auto alignment = alignmentOf(header.metadata, where);

    Findings findings;
    std::set<std::string> names;
    for (std::uint64_t i = 0; i < tensors; ++i)
        if (auto entry = readEntry(input, where, findings)) {
            if (!names.insert(entry->name).second)
                findings.add(printable(entry->name) + " is there twice");
            header.entries.push_back(std::move(*entry));
        }
    const auto data = (input.position() + alignment - 1) / alignment * alignment;
    if (findings.empty()) // otherwise more would follow from what is wrong
        place(header.entries, data, alignment, file.size(), findings);
    if (!findings.empty())
        refuseGguf(where, "tensors of " + namesOfReadTypes() + ", each once and within the file",
                   findings.text());
    return header;
}

} // namespace headscope::files
