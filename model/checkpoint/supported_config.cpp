#include "model/checkpoint/supported_config.h"

#include "model/files/findings.h"
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
                          .where = folder.config.value_or(folder.weights).string() + ", \"" + key + "\"",
                          .expected = expected,
                          .found = files::printable(found),
                          .wayOut = "open another model of this family"});
}

/// Returns what the checkpoint or the configuration has under a key, there also within an object for
/// "object.key"; null if neither has it.
json valueAt(const json& config, const std::map<std::string, std::string>& values, const std::string& key) {
    if (const auto found = values.find(key); found != values.end())
        return json::parse(found->second);
    const auto* found = memberOf(config, key);
    return found ? *found : json();
}

} // namespace

void refuseUnsupported(const ModelFolder& folder, const Family& family,
                       const std::map<std::string, std::string>& values) {
    const json config = folder.config ? readConfiguration(*folder.config) : json::object();
    if (!config.is_object())
        return; // refused where the settings are read
    if (const auto found = config.find("architectures");
        !family.architectures.empty() && family.hasStack("decoder") && found != config.end() &&
        found->is_array() && !found->empty()) {
        const auto& first = found->front();
        const auto name = first.is_string() ? first.get<std::string>() : first.dump();
        if (std::ranges::find(family.architectures, name) == family.architectures.end())
            refuse("This model's head is not supported", "architectures", folder,
                   "one of " + trace::joined(family.architectures), name);
    }
    for (const auto& [key, value] : family.required) {
        const auto found = valueAt(config, values, key);
        if (found.is_null())
            continue;
        const auto text = found.is_string() ? found.get<std::string>() : found.dump();
        if (text != value)
            refuse("This variant of " + family.title + " is not supported", key, folder, value, text);
    }
}

std::string modelClass(const Settings& settings) {
    const auto named = settings.items("model_class");
    return named.empty() ? std::string() : named.front();
}

std::string otherHead(const Family& family, const Settings& settings) {
    const auto named = modelClass(settings);
    const bool isKnown = named.empty() || family.architectures.empty() ||
                         std::ranges::find(family.architectures, named) != family.architectures.end();
    return isKnown ? std::string() : named;
}

} // namespace headscope::checkpoint
