#pragma once

#include <cstddef>
#include <cstdint>

namespace fuzz {

/// Changes a protobuf message field by field, and fields of its fields, and writes all lengths anew: a
/// change at random would mostly break the framing, which is refused first. Sometimes that, too.
std::size_t mutateProtobuf(std::uint8_t* data, std::size_t size, std::size_t maximumSize, unsigned seed);

} // namespace fuzz
