#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace headscope::app {

/// Writes the numbers from `first` on. It is called from a thread of its own.
using MakeFloats = std::function<void(std::size_t first, std::span<float> to)>;

/// `count` numbers, of which a part is made when it is looked at, whoever looks: what is read of a file that
/// holds them in another precision is what is shown of it. Parts that were made long ago are let go and made
/// again when they are looked at again, so that no more than `mostBytes` are kept. Null where the system
/// offers no such memory (userfaultfd of Linux). It cannot be handed to the system without being copied, as
/// files::AtomicFile does.
std::shared_ptr<const float> floatsOnDemand(std::size_t count, MakeFloats make, std::size_t mostBytes);

} // namespace headscope::app
