#include "model/files/shard_index.h"

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/files/stored_tensor.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

[[noreturn]] void refuseIndex(const std::string& where, const std::string& expected,
                              const std::string& found) {
    throw trace::Refusal({.what = "The index of the shards was refused",
                          .where = where,
                          .expected = expected,
                          .found = found,
                          .wayOut = "fetch the index again from where the model came from"});
}

bool isPlainName(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find_first_of("/\\") == name.npos &&
           name.find('\0') == name.npos && name.size() <= 255;
}

} // namespace

ShardIndex parseShardIndex(std::string_view text, const std::string& where) {
    const nlohmann::json index = parseJson(text, where, {.depth = 8, .bytes = maximumShardIndexBytes});
    const auto map = index.is_object() ? index.find("weight_map") : index.end();
    if (map == index.end() || !map->is_object())
        refuseIndex(where, "an object \"weight_map\" from tensors to files", "none");
    if (map->empty() || map->size() > maximumTensors)
        refuseIndex(where, "1 to " + std::to_string(maximumTensors) + " tensors in \"weight_map\"",
                    std::to_string(map->size()));
    ShardIndex shards;
    Findings findings;
    for (const auto& [tensor, file] : map->items())
        if (file.is_string() && isPlainName(file.get_ref<const std::string&>()))
            shards.tensorsOf[file.get<std::string>()].insert(tensor);
        else
            findings.add(printable(tensor) + " in " + printable(file.dump()));
    if (!findings.empty())
        refuseIndex(where, "plain names of files in the index's own folder", findings.text());
    return shards;
}

} // namespace headscope::files
