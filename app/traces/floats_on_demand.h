#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace headscope::app {

/// Writes the numbers from index `first`. Called from a thread of its own.
using MakeFloats = std::function<void(std::size_t first, std::span<float> to)>;

/// Returns an array of `count` numbers whose parts are computed on first access, by any thread: only the
/// parts of a file that are shown have to be converted from another precision. The oldest parts are dropped
/// and recomputed on the next access, so that at most `mostBytes` are kept. Null if the system does not
/// support such memory (userfaultfd of Linux). System calls cannot read it; it has to be copied first, as in
/// files::AtomicFile.
std::shared_ptr<const float> floatsOnDemand(std::size_t count, MakeFloats make, std::size_t mostBytes);

} // namespace headscope::app
