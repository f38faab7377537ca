#include "model/text/hugging_face/token_vocabulary.h"

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/sentence_piece_check.h"

namespace headscope::text {

TokenVocabulary::TokenVocabulary(const nlohmann::json& object, const std::string& where) {
    if (!object.is_object())
        refuseTokenizer(where, "an object from tokens to ids", object.type_name());
    files::Findings findings;
    for (const auto& [token, id] : object.get_ref<const nlohmann::json::object_t&>()) {
        if (!id.is_number_integer() || id.get<std::int64_t>() < 0 ||
            id.get<std::int64_t>() >= static_cast<std::int64_t>(mostPieces)) {
            findings.add("\"" + files::printable(token) + "\" has " + files::printable(id.dump()));
            continue;
        }
        const auto at = id.get<std::size_t>();
        if (at >= tokens_.size())
            tokens_.resize(at + 1);
        if (tokens_[at])
            findings.add("\"" + files::printable(token) + "\" has " + std::to_string(at) + ", as has \"" +
                         files::printable(*tokens_[at]) + "\"");
        tokens_[at] = token;
        ids_.emplace(token, static_cast<std::int64_t>(at));
    }
    if (!findings.empty())
        refuseTokenizer(where, "ids from 0 to " + std::to_string(mostPieces - 1) + ", each once",
                        findings.text());
}

TokenVocabulary::TokenVocabulary(std::vector<std::string> tokens) : tokens_(tokens.begin(), tokens.end()) {
    for (std::size_t id = 0; id < tokens.size(); ++id)
        ids_.insert_or_assign(std::move(tokens[id]), static_cast<std::int64_t>(id));
}

std::optional<std::int64_t> TokenVocabulary::id(std::string_view token) const {
    const auto found = ids_.find(token);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

const std::string* TokenVocabulary::token(std::int64_t id) const {
    if (id < 0 || id >= size() || !tokens_[id])
        return nullptr;
    return &*tokens_[id];
}

} // namespace headscope::text
