#pragma once

#include "model/checkpoint/family.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headscope::checkpoint {

/// What a file has before the names of a network's tensors: DistributedDataParallel, torch.compile and every
/// module around the network put a word in front, "module.", "_orig_mod." or "net.".
struct NetworkPrefix {
    std::string text;               ///< empty: none
    std::size_t known = 0;          ///< names behind it that the family knows
    std::vector<std::string> equal; ///< further prefixes behind which the family knows as many
};

/// Returns the prefix behind which the family knows most names, of several the shortest; none if it knows as
/// many without.
NetworkPrefix networkPrefix(const TensorShapes& shapes, const Family& family);

/// Returns the name that the family has for a tensor of a file; nothing if it lacks the network's prefix.
std::optional<std::string> nameInFamily(const std::string& name, const std::string& networkPrefix,
                                        const Family& family);

/// Throws trace::Refusal if a file holds several networks of the family, such as one and its moving average.
void refuseSeveral(const NetworkPrefix& prefix, const std::string& where);

} // namespace headscope::checkpoint
