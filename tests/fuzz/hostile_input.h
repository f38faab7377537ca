#pragma once

#include "model/files/stored_tensor.h"
#include "model/trace/refusal.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

/// What every fuzz target needs: the input as a file, and what must hold whatever the input was.
namespace fuzz {

/// Ends the run as a finding unless it holds.
void require(bool holds, const char* what);

/// A refusal must be of use to a person: what, where and the way out, all of it text that can be shown.
void checkRefusal(const headscope::trace::RefusalText& text);

/// Every element of every tensor lies within its bytes, under a name that can be shown.
void checkTensors(const headscope::files::TensorFile& file);

/// The input as a regular file in memory. The path stays the same; the file is the latest input.
std::filesystem::path fileWith(std::span<const std::byte> content);

inline std::span<const std::byte> bytesOf(const std::uint8_t* data, std::size_t size) {
    return std::as_bytes(std::span(data, size));
}

/// Runs a reader. It may succeed or throw a refusal; any other exception ends the run as a finding.
template <class Work>
void readStranger(Work&& work) {
    try {
        work();
    } catch (const headscope::trace::Refusal& refusal) {
        checkRefusal(refusal.text());
    }
}

} // namespace fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
