#include "model/checkpoint/supported_config.h"

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/trace/joined.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace headscope::checkpoint {

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& what, const std::string& key, const ModelFolder& folder,
                         const std::string& expected, const std::string& found) {
    throw trace::Refusal({.what = what,
                          .where = folder.config->string() + ", \"" + key + "\"",
                          .expected = expected,
                          .found = files::printable(found),
                          .wayOut = "open another model of this family"});
}

} // namespace

void refuseUnsupported(const ModelFolder& folder, const Family& family) {
    if (!folder.config)
        return;
    const json config =
        files::parseJson(files::readText(*folder.config, largestConfig), folder.config->string());
    if (!config.is_object())
        return; // refused where the settings are read
    if (const auto found = config.find("architectures");
        !family.architectures.empty() && found != config.end() && found->is_array() && !found->empty()) {
        const auto& first = found->front();
        const auto name = first.is_string() ? first.get<std::string>() : first.dump();
        if (std::ranges::find(family.architectures, name) == family.architectures.end())
            refuse("This model's head is not supported", "architectures", folder,
                   "one of " + trace::joined(family.architectures), name);
    }
    for (const auto& [key, value] : family.required) {
        auto path = "/" + key;
        std::ranges::replace(path, '.', '/');
        const auto found = config.value(json::json_pointer(path), json());
        if (found.is_null())
            continue;
        const auto text = found.is_string() ? found.get<std::string>() : found.dump();
        if (text != value)
            refuse("This variant of " + family.title + " is not supported", key, folder, value, text);
    }
}

} // namespace headscope::checkpoint
