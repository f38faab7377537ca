#include "app/traces/self_check_json.h"

#include "app/traces/trace_names.h"
#include "model/files/limited_json.h"

#include <cmath>

namespace headscope::app {

nlohmann::ordered_json toJson(const trace::SelfCheck& check) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [finding, key] : checkNames)
        json[key] = {{"state", nameIn(stateNames, (check.*finding).state)},
                     {"largest", (check.*finding).largest},
                     {"limit", (check.*finding).limit}};
    if (!check.kernels.empty())
        json["kernels"] = check.kernels;
    return json;
}

nlohmann::ordered_json selfCheckJson(const trace::SelfCheck& check) {
    nlohmann::ordered_json json{{"state", nameIn(stateNames, check.state())}};
    json.update(toJson(check));
    return json;
}

trace::SelfCheck selfCheckOf(const nlohmann::json& object, const std::string& where) {
    trace::SelfCheck check{.kernels = files::stringAt(object, "kernels", where, "")};
    for (const auto& [finding, key] : checkNames) {
        if (!object.contains(key))
            continue;
        const auto& entry = files::objectAt(object, key, where);
        const auto state = files::stringAt(entry, "state", where, "not checked");
        // JSON has no NaN: such a deviation is written as null.
        const double ifNull = entry.contains("largest") ? std::nan("") : 0;
        check.*finding = {.state = valueIn(stateNames, state, where, "self-check"),
                          .largest = files::numberAt(entry, "largest", where, ifNull),
                          .limit = files::numberAt(entry, "limit", where, 0)};
    }
    return check;
}

} // namespace headscope::app
