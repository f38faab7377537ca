#pragma once

#include "model/text/hugging_face/added_tokens.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headscope::text {

/// Settings from the files beside a tokenizer: tokenizer_config.json, special_tokens_map.json,
/// added_tokens.json, and config.json, which names the kind of model. All files are optional.
class TokenizerSettings {
  public:
    /// `otherwise` is the kind if no file names one. Throws trace::Refusal.
    explicit TokenizerSettings(const std::filesystem::path& folder, const std::string& otherwise = "");

    /// Settings that are no files: those of a tokenizer_config.json.
    TokenizerSettings(nlohmann::json values, std::string where);

    /// The class of `transformers` without "Tokenizer" and "Fast", such as "Bert"; by `tokenizer_class`, else
    /// by `model_type`; empty if neither is known.
    const std::string& kind() const { return kind_; }

    bool flag(const std::string& key, bool otherwise) const;
    std::string text(const std::string& key, const std::string& otherwise) const;
    std::int64_t integer(const std::string& key, std::int64_t otherwise) const;
    bool has(const std::string& key) const; ///< and the value is not null

    /// The tokens with a role by their keys ("bos_token"); the defaults of the class where the files have
    /// none.
    const std::map<std::string, std::string>& roles() const { return roles_; }

    /// Tokens to add to those of tokenizer.json, in the order in which they get ids: those of
    /// `added_tokens_decoder`, which also replace tokens of equal content, then special ones. Ids are from
    /// the files, or -1.
    const std::vector<AddedToken>& tokens() const { return tokens_; }

    /// The name of tokenizer_config.json, for messages.
    const std::string& where() const { return where_; }

  private:
    void readRoles(const nlohmann::json& map);
    void readTokens(const std::filesystem::path& folder, const nlohmann::json& map);
    void addTokensOfKind(bool hasAdditional);
    void addSpecial(const nlohmann::json& token);

    std::string where_;
    nlohmann::json values_; ///< of tokenizer_config.json
    std::string kind_;
    std::map<std::string, std::string> roles_;
    std::vector<AddedToken> tokens_;
};

} // namespace headscope::text
