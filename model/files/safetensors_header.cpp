#include "model/files/safetensors_header.h"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

using nlohmann::json;

constexpr std::string_view metadataKey = "__metadata__";
constexpr std::array<std::string_view, 10> safetensorsTypes = {"BOOL", "U8",  "I8",   "I16", "I32",
                                                               "I64",  "F16", "BF16", "F32", "F64"};

std::optional<ElementType> typeNamed(std::string_view name) {
    const auto found = std::ranges::find(safetensorsTypes, name);
    if (found == safetensorsTypes.end())
        return std::nullopt;
    return static_cast<ElementType>(found - safetensorsTypes.begin());
}

/// Whether `value` is an array of integers from 0 to INT64_MAX; -0, 1e3 and 2.0 do not count as integers.
bool areSizes(const json& value) {
    return value.is_array() && std::ranges::all_of(value, [](const json& element) {
               return element.is_number_unsigned() && element.get<std::uint64_t>() <= INT64_MAX;
           });
}

/// Returns what is wrong with the form of an entry; empty if nothing.
std::string formFinding(const std::string& name, const json& entry) {
    if (name.size() > maximumNameBytes)
        return "a name of " + std::to_string(name.size()) + " bytes";
    if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") ||
        !entry.contains("data_offsets"))
        return "no dtype, shape and data_offsets";
    const json& type = entry["dtype"];
    if (!type.is_string() || !typeNamed(type.get_ref<const std::string&>()))
        return "element type " + printable(type.is_string() ? type.get<std::string>() : type.type_name(), 40);
    const json& shape = entry["shape"];
    if (!areSizes(shape))
        return "a shape that is no list of sizes";
    if (shape.size() > maximumRank)
        return std::to_string(shape.size()) + " dimensions";
    const json& offsets = entry["data_offsets"];
    if (!areSizes(offsets) || offsets.size() != 2)
        return "data_offsets that are no pair of positions";
    return "";
}

/// Returns what is wrong with the size of an entry; empty if nothing.
std::string sizeFinding(const SafetensorsEntry& entry) {
    const auto elements = checkedProduct(entry.shape);
    const auto bytes = elements ? checkedProduct(*elements, sizeOf(entry.type)) : std::nullopt;
    if (!bytes)
        return "shape " + shapeText(entry.shape) + " overflows";
    if (entry.end >= entry.begin && entry.end - entry.begin != *bytes)
        return "shape " + shapeText(entry.shape) + " needs " + std::to_string(*bytes) +
               " bytes, data_offsets give " + std::to_string(entry.end - entry.begin);
    return "";
}

/// Checks that each tensor begins where the previous one ends. `entries` are sorted by offset.
void checkLayout(const std::vector<SafetensorsEntry>& entries, std::uint64_t dataBytes, Findings& findings) {
    std::uint64_t position = 0;
    for (const SafetensorsEntry& entry : entries) {
        if (entry.begin != position || entry.end < entry.begin) {
            findings.add(printable(entry.name) + ": data_offsets [" + std::to_string(entry.begin) + ", " +
                         std::to_string(entry.end) + "] where " + std::to_string(position) +
                         " should begin (a hole or an overlap)");
            return; // later findings would only follow from this one
        }
        position = entry.end;
    }
    if (position != dataBytes)
        findings.add(std::to_string(dataBytes) + " bytes of data where the tensors need " +
                     std::to_string(position) +
                     (position > dataBytes ? " (cut short)" : " (bytes left over)"));
}

void readMetadata(const json& value, std::map<std::string, std::string>& metadata, Findings& findings) {
    if (value.is_null())
        return;
    if (!value.is_object())
        return findings.add("__metadata__ that is no object");
    for (const auto& [key, text] : value.items())
        if (text.is_string())
            metadata[key] = text.get<std::string>();
        else
            findings.add("__metadata__ with no text under " + printable(key));
}

SafetensorsEntry entryFrom(const std::string& name, const json& entry) {
    return {.name = name,
            .type = *typeNamed(entry["dtype"].get_ref<const std::string&>()),
            .shape = entry["shape"].get<std::vector<std::int64_t>>(),
            .begin = entry["data_offsets"][0].get<std::uint64_t>(),
            .end = entry["data_offsets"][1].get<std::uint64_t>()};
}

[[noreturn]] void refuseHeader(const std::string& where, const std::string& expected,
                               const std::string& found) {
    throw trace::Refusal({.what = "The safetensors file was refused",
                          .where = where,
                          .expected = expected,
                          .found = found,
                          .wayOut = "If it was downloaded, fetch it again; if it was converted, save it as "
                                    "float32."});
}

} // namespace

std::string_view safetensorsName(ElementType type) {
    return safetensorsTypes[static_cast<std::size_t>(type)];
}

std::uint64_t safetensorsHeaderBytes(std::string_view start, std::uint64_t fileBytes,
                                     const std::string& where) {
    if (start.size() < 8)
        refuseHeader(where, "at least 8 bytes", std::to_string(start.size()) + " bytes");
    std::uint64_t length = 0;
    for (std::size_t i = 8; i-- > 0;)
        length = length << 8 | static_cast<unsigned char>(start[i]);
    if (length > maximumSafetensorsHeaderBytes)
        refuseHeader(where, "a header of at most 100000000 bytes", std::to_string(length) + " bytes");
    if (length > fileBytes - 8)
        refuseHeader(where, "a header of " + std::to_string(length) + " bytes",
                     "a file of " + std::to_string(fileBytes) + " bytes");
    return length;
}

SafetensorsHeader parseSafetensorsHeader(std::string_view text, std::uint64_t dataBytes,
                                         const std::string& where) {
    // The JSON parser would accept a byte order mark; the reference reader does not.
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos || text[start] != '{')
        refuseHeader(where, "a header that begins with {", "something else");
    const json document = parseJson(
        text, where + ", header", {.depth = 4, .values = 4'000'000, .bytes = maximumSafetensorsHeaderBytes});
    const std::size_t tensors = document.size() - (document.contains(metadataKey) ? 1 : 0);
    if (tensors > maximumTensors)
        refuseHeader(where, "at most " + std::to_string(maximumTensors) + " tensors",
                     std::to_string(tensors));

    SafetensorsHeader header;
    Findings findings;
    for (const auto& [name, value] : document.items()) {
        if (name == metadataKey)
            readMetadata(value, header.metadata, findings);
        else if (const std::string finding = formFinding(name, value); !finding.empty())
            findings.add(printable(name) + ": " + finding);
        else
            header.entries.push_back(entryFrom(name, value));
    }
    const bool allWellFormed = findings.empty();
    for (const SafetensorsEntry& entry : header.entries)
        if (const std::string finding = sizeFinding(entry); !finding.empty())
            findings.add(printable(entry.name) + ": " + finding);
    std::ranges::sort(header.entries, {}, [](const SafetensorsEntry& entry) {
        return std::tie(entry.begin, entry.end, entry.name);
    });
    if (allWellFormed) // otherwise the bytes of malformed entries would look like gaps
        checkLayout(header.entries, dataBytes, findings);
    if (!findings.empty())
        refuseHeader(where,
                     "tensors of BOOL, U8, I8, I16, I32, I64, F16, BF16, F32 or F64 that follow one another",
                     findings.text());
    return header;
}

} // namespace headscope::files
