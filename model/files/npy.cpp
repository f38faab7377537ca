#include "model/files/npy.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "model/files/npy_header.h"
#include "model/files/utf8.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
/// Limit of NumPy itself for a header, which is one line of Python.
constexpr std::size_t maximumHeaderBytes = 10'000;

std::optional<std::size_t> bytesOf(ElementType type, std::span<const std::int64_t> shape) {
    const auto elements = checkedProduct(shape);
    return elements ? checkedProduct(*elements, sizeOf(type)) : std::nullopt;
}

NamedArray arrayOf(std::string name, ElementType type, std::vector<std::int64_t> shape,
                   std::span<const std::byte> bytes) {
    if (bytesOf(type, shape) != bytes.size())
        refuseNpy(name, "as many values as shape " + shapeText(shape) + " has",
                  std::to_string(bytes.size() / sizeOf(type)));
    return {std::move(name), type, std::move(shape), {bytes.begin(), bytes.end()}};
}

template <class T>
std::vector<T> valuesOf(const NamedArray& array, ElementType type) {
    if (array.type != type)
        refuseNpy(array.name, std::string(name(type)), std::string(name(array.type)));
    std::vector<T> values(array.bytes.size() / sizeof(T));
    if (!values.empty())
        std::memcpy(values.data(), array.bytes.data(), values.size() * sizeof(T));
    return values;
}

/// Converts column-major to row-major: element [i, j, ...] of the source is at i + shape[0] * (j + ...).
std::vector<std::byte> turned(std::span<const std::byte> source, const NpyHeader& header) {
    const std::size_t size = sizeOf(header.type);
    const std::size_t rank = header.shape.size();
    std::vector<std::size_t> step(rank, size); // in bytes, along each axis of the source
    for (std::size_t axis = 1; axis < rank; ++axis)
        step[axis] = step[axis - 1] * header.shape[axis - 1];
    std::vector<std::byte> result(source.size());
    std::vector<std::int64_t> index(rank, 0);
    std::size_t from = 0;
    for (std::size_t to = 0; to < result.size(); to += size) {
        std::memcpy(&result[to], &source[from], size);
        for (std::size_t axis = rank; axis-- > 0;) { // the next index in row-major order
            from += step[axis];
            if (++index[axis] < header.shape[axis])
                break;
            from -= step[axis] * header.shape[axis];
            index[axis] = 0;
        }
    }
    return result;
}

/// Removes the header from the front of `rest` and returns its text.
std::string_view takeHeader(std::string_view& rest, const std::string& where) {
    if (rest.size() < 10 || !rest.starts_with(magic))
        refuseNpy(where, "\\x93NUMPY", "something else");
    const int version = static_cast<unsigned char>(rest[6]);
    if (version < 1 || version > 3 || rest[7] != 0)
        refuseNpy(where, "format 1.0, 2.0 or 3.0",
                  std::to_string(version) + "." + std::to_string(static_cast<unsigned char>(rest[7])));
    const std::size_t lengthBytes = version == 1 ? 2 : 4;
    rest.remove_prefix(8);
    std::size_t length = 0;
    for (std::size_t i = std::min(lengthBytes, rest.size()); i-- > 0;)
        length = length << 8 | static_cast<unsigned char>(rest[i]);
    if (rest.size() < lengthBytes || length > rest.size() - lengthBytes || length > maximumHeaderBytes)
        refuseNpy(where,
                  "a header of at most " + std::to_string(maximumHeaderBytes) + " bytes within the file",
                  std::to_string(length) + " bytes");
    const std::string_view header = rest.substr(lengthBytes, length);
    rest.remove_prefix(lengthBytes + length);
    return header;
}

[[noreturn]] void refuseText(const std::string& where, const std::string& expected,
                             const std::string& found) {
    throw trace::Refusal({.what = "The NumPy array of strings was refused",
                          .where = where,
                          .expected = expected,
                          .found = found,
                          .wayOut = "Save it again: numpy.array(tokens, dtype=str)."});
}

/// NumPy stores code points in four bytes each, and fills a string with zeros at its end.
std::string utf8Of(std::string_view stored, const std::string& where) {
    std::string text;
    std::size_t zeros = 0;
    for (std::size_t i = 0; i < stored.size(); i += 4) {
        std::uint32_t code = 0;
        for (std::size_t byte = 4; byte-- > 0;)
            code = code << 8 | static_cast<unsigned char>(stored[i + byte]);
        if (code == 0) {
            ++zeros;
            continue;
        }
        text.append(std::exchange(zeros, 0), '\0');
        if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
            refuseText(where, "Unicode", "a character of the number " + std::to_string(code));
        appendUtf8(text, code);
    }
    return text;
}

} // namespace

NamedArray floatArray(std::string name, std::vector<std::int64_t> shape, std::span<const float> values) {
    return arrayOf(std::move(name), ElementType::Float32, std::move(shape), std::as_bytes(values));
}

NamedArray doubleArray(std::string name, std::vector<std::int64_t> shape, std::span<const double> values) {
    return arrayOf(std::move(name), ElementType::Float64, std::move(shape), std::as_bytes(values));
}

NamedArray integerArray(std::string name, std::vector<std::int64_t> shape,
                        std::span<const std::int64_t> values) {
    return arrayOf(std::move(name), ElementType::Int64, std::move(shape), std::as_bytes(values));
}

NamedArray booleanArray(std::string name, std::vector<std::int64_t> shape, const std::vector<bool>& values) {
    std::vector<std::byte> bytes;
    bytes.reserve(values.size());
    for (const bool value : values)
        bytes.push_back(std::byte{value});
    return arrayOf(std::move(name), ElementType::Bool, std::move(shape), bytes);
}

std::vector<float> floatsOf(const NamedArray& array) {
    return valuesOf<float>(array, ElementType::Float32);
}

std::vector<std::int64_t> integersOf(const NamedArray& array) {
    return valuesOf<std::int64_t>(array, ElementType::Int64);
}

std::string npyBytes(const NamedArray& array) {
    const std::string_view type = npyName(array.type);
    if (type.empty())
        refuseNpy(array.name, "a type that NumPy has", std::string(name(array.type)));
    if (bytesOf(array.type, array.shape) != array.bytes.size())
        refuseNpy(array.name, "as many bytes as shape " + shapeText(array.shape) + " needs",
                  std::to_string(array.bytes.size()));
    std::string shape;
    for (const std::int64_t size : array.shape)
        shape += (shape.empty() ? "" : ", ") + std::to_string(size);
    if (array.shape.size() == 1)
        shape += ','; // a Python tuple of one
    std::string header =
        "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    constexpr std::size_t before = 10, newline = 1, alignment = 64;
    const std::size_t total = (before + header.size() + newline + alignment - 1) / alignment * alignment;
    header.append(total - before - header.size() - newline, ' ');
    header += '\n';

    std::string result(magic);
    result +=
        {'\x01', '\x00', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
    result += header;
    result.append(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
    return result;
}

NamedArray parseNpy(std::span<const std::byte> bytes, const std::string& where) {
    std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::string_view text = takeHeader(rest, where);
    NpyHeader header = parseNpyHeader(text, where);
    if (header.characters > 0)
        refuseNpy(where, "numbers", "strings of type <U" + std::to_string(header.characters));
    const auto needed = bytesOf(header.type, header.shape);
    if (needed != rest.size())
        refuseNpy(where,
                  needed ? std::to_string(*needed) + " bytes for shape " + shapeText(header.shape)
                         : "a shape that does not overflow, not " + shapeText(header.shape),
                  std::to_string(rest.size()) + " bytes");
    const std::span<const std::byte> data = bytes.last(rest.size());
    NamedArray array{.name = where, .type = header.type};
    array.bytes = header.columnMajor && header.shape.size() > 1 ? turned(data, header)
                                                                : std::vector(data.begin(), data.end());
    array.shape = std::move(header.shape);
    return array;
}

std::vector<std::string> parseNpyTexts(std::span<const std::byte> bytes, const std::string& where) {
    std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto header = parseNpyHeader(takeHeader(rest, where), where);
    const auto count = checkedProduct(header.shape);
    const auto needed = count && header.characters > 0
                            ? checkedProduct(*count, checkedProduct(header.characters, 4).value_or(SIZE_MAX))
                            : std::nullopt;
    if (header.shape.size() > 1 || needed != rest.size())
        refuseText(where, "a list of strings (<U), as long as its shape",
                   header.characters == 0 ? "numbers"
                                          : "shape " + shapeText(header.shape) + " and " +
                                                std::to_string(rest.size()) + " bytes");
    std::vector<std::string> texts(*count);
    for (std::size_t i = 0; i < texts.size(); ++i)
        texts[i] = utf8Of(rest.substr(i * header.characters * 4, header.characters * 4), where);
    return texts;
}

} // namespace headscope::files
