#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace headscope::files {

/// Which file of a sharded checkpoint holds which tensors, as Hugging Face writes it beside the shards:
/// {"metadata": {"total_size": N}, "weight_map": {"tensor": "file"}}.
struct ShardIndex {
    std::map<std::string, std::set<std::string>> tensorsOf; ///< by the shard's file name
};

inline constexpr std::size_t maximumShardIndexBytes = std::size_t{64} << 20;

/// Shards are plain names of files beside the index: what points elsewhere is refused, and so is an index of
/// nothing. Throws trace::Refusal that names all bad entries at once; `where` names the index.
ShardIndex parseShardIndex(std::string_view text, const std::string& where);

} // namespace headscope::files
