#include "model/files/animated_png.h"

#include <zlib.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace headscope::files {

namespace {

constexpr std::string_view signature("\x89PNG\r\n\x1a\n", 8);

struct Chunk {
    std::string_view type; ///< four letters
    std::string_view data;
};

std::uint32_t bigEndian(std::string_view bytes) {
    std::uint32_t number = 0;
    for (const char byte : bytes.substr(0, 4))
        number = number << 8 | static_cast<std::uint8_t>(byte);
    return number;
}

std::string bigEndian(std::uint32_t number, int bytes) {
    std::string text;
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
        text += static_cast<char>(number >> shift & 0xff);
    return text;
}

std::vector<Chunk> chunksOf(std::string_view png) {
    if (!png.starts_with(signature))
        throw std::invalid_argument("a frame is no PNG file");
    std::vector<Chunk> chunks;
    for (std::string_view rest = png.substr(signature.size()); !rest.empty();) {
        constexpr std::size_t around = 12; // length, type and checksum
        if (rest.size() < around || bigEndian(rest) > rest.size() - around)
            throw std::invalid_argument("a frame is cut off");
        const std::size_t length = bigEndian(rest);
        chunks.push_back({.type = rest.substr(4, 4), .data = rest.substr(8, length)});
        rest.remove_prefix(length + around);
    }
    if (chunks.empty() || chunks.front().type != "IHDR" || chunks.front().data.size() != 13)
        throw std::invalid_argument("a frame has no header");
    return chunks;
}

/// A frame that covers and replaces the whole picture.
std::string frameControl(std::uint32_t number, std::string_view header, int milliseconds) {
    return bigEndian(number, 4) + std::string(header.substr(0, 8)) + std::string(8, '\0') +
           bigEndian(static_cast<std::uint32_t>(milliseconds), 2) + bigEndian(1000, 2) + std::string(2, '\0');
}

} // namespace

AnimatedPng::AnimatedPng(std::string_view still, std::size_t frames, Write write)
    : write_(std::move(write)), left_(frames) {
    if (frames == 0 || frames > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("an animation of an impossible number of frames");
    const auto chunks = chunksOf(still);
    header_ = chunks.front().data;
    write_(signature);
    for (const auto& [type, data] : chunks) {
        if (type == "IEND")
            continue;
        writeChunk(type, std::string(data));
        if (type == "IHDR")
            writeChunk("acTL",
                       bigEndian(static_cast<std::uint32_t>(frames), 4) + bigEndian(0, 4)); // 0: endless
    }
}

void AnimatedPng::writeChunk(std::string_view type, const std::string& data) {
    const std::string checked = std::string(type) + data;
    const auto checksum = crc32_z(0, reinterpret_cast<const Bytef*>(checked.data()), checked.size());
    write_(bigEndian(static_cast<std::uint32_t>(data.size()), 4));
    write_(checked);
    write_(bigEndian(static_cast<std::uint32_t>(checksum), 4));
}

void AnimatedPng::add(const AnimationFrame& frame) {
    if (left_ == 0)
        throw std::invalid_argument("more frames than were announced");
    if (frame.milliseconds < 0 || frame.milliseconds > std::numeric_limits<std::uint16_t>::max())
        throw std::invalid_argument("a frame is shown for an impossible time");
    const auto chunks = chunksOf(frame.png);
    if (chunks.front().data != header_)
        throw std::invalid_argument("frames of different sizes or kinds of pixels");
    writeChunk("fcTL", frameControl(number_++, header_, frame.milliseconds));
    for (const auto& [type, data] : chunks)
        if (type == "IDAT")
            writeChunk("fdAT", bigEndian(number_++, 4) + std::string(data));
    --left_;
}

void AnimatedPng::finish() {
    if (left_ > 0)
        throw std::invalid_argument("fewer frames than were announced");
    writeChunk("IEND", {});
}

} // namespace headscope::files
