#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headscope::text {

/// Tokens and their ids, which may have gaps, in both directions.
class TokenVocabulary {
  public:
    /// Reads an object from tokens to ids. Throws trace::Refusal, also for two tokens of one id.
    TokenVocabulary(const nlohmann::json& object, const std::string& where);
    /// `tokens` by id. Of equal tokens, the last one counts.
    explicit TokenVocabulary(std::vector<std::string> tokens);

    std::optional<std::int64_t> id(std::string_view token) const;
    /// Null for ids without a token.
    const std::string* token(std::int64_t id) const;
    /// One more than the largest id.
    std::int64_t size() const { return static_cast<std::int64_t>(tokens_.size()); }

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view token) const { return std::hash<std::string_view>()(token); }
    };

    std::vector<std::optional<std::string>> tokens_;
    std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> ids_;
};

} // namespace headscope::text
