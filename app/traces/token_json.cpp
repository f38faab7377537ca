#include "app/traces/token_json.h"

#include "app/traces/trace_names.h"
#include "model/files/limited_json.h"

namespace headscope::app {

nlohmann::ordered_json toJson(const trace::Token& token) {
    return {{"id", token.id}, {"piece", token.piece}, {"role", nameIn(roleNames, token.role)}};
}

nlohmann::ordered_json toJson(const std::vector<trace::Token>& tokens) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& token : tokens)
        list.push_back(toJson(token));
    return list;
}

trace::Token tokenOf(const nlohmann::json& object, const std::string& where) {
    const auto role = files::stringAt(object, "role", where, "text");
    return {.id = files::integerAt(object, "id", where, -1),
            .piece = files::stringAt(object, "piece", where),
            .role = valueIn(roleNames, role, where, "role of a token")};
}

std::vector<trace::Token> tokensAt(const nlohmann::json& object, const std::string& key,
                                   const std::string& where) {
    std::vector<trace::Token> tokens;
    for (const auto& token : files::arrayAt(object, key, where))
        tokens.push_back(tokenOf(token, where));
    return tokens;
}

} // namespace headscope::app
