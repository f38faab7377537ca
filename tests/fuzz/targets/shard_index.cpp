#include "model/files/shard_index.h"
#include "tests/fuzz/hostile_input.h"

using namespace headscope;

/// model.safetensors.index.json.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    fuzz::readStranger([&] {
        const auto index = files::parseShardIndex(text, "input");
        fuzz::require(!index.tensorsOf.empty(), "an index of nothing");
        for (const auto& [shard, tensors] : index.tensorsOf) {
            fuzz::require(std::filesystem::path(shard).filename() == shard, "a shard elsewhere");
            fuzz::require(shard != "." && shard != ".." && !shard.empty(), "a folder for a shard");
            fuzz::require(!tensors.empty(), "a shard of nothing");
        }
    });
    return 0;
}
