#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace headscope::files {

/// Maps the files of a sharded checkpoint to their tensors. Hugging Face writes the index beside the shards:
/// {"metadata": {"total_size": N}, "weight_map": {"tensor": "file"}}.
struct ShardIndex {
    std::map<std::string, std::set<std::string>> tensorsOf; ///< key: file name of the shard
};

inline constexpr std::size_t maximumShardIndexBytes = std::size_t{64} << 20;

/// Shards must be plain file names beside the index. Throws one trace::Refusal that lists all entries that
/// point elsewhere; also throws if the index is empty. `where` names the index.
ShardIndex parseShardIndex(std::string_view text, const std::string& where);

} // namespace headscope::files
