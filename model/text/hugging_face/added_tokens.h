#pragma once

#include "model/text/hugging_face/aligned_text.h"
#include "model/text/hugging_face/normalizer.h"
#include "model/text/hugging_face/prefix_search.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headscope::text {

/// A token that is found in the text before anything is split; an entry of `added_tokens` in tokenizer.json.
struct AddedToken {
    std::int64_t id = 0;
    std::string content;
    bool isSingleWord = false; ///< ignored if next to a word character
    bool takesLeft = false;    ///< includes white space before the token; `lstrip`
    bool takesRight = false;   ///< includes white space after the token; `rstrip`
    bool isNormalized = true;  ///< found in the normalized text, with its content normalized
    bool isSpecial = false;    ///< omitted from decoded text
};

/// Reads `added_tokens`; empty for null. Throws trace::Refusal; `where` names the file.
std::vector<AddedToken> readAddedTokens(const nlohmann::json& list, const std::string& where);

/// Added tokens by id, and a search for them in texts.
class AddedTokens {
  public:
    /// `normalizer` may be null. If two tokens have the same content, the last one counts.
    AddedTokens(const std::vector<AddedToken>& tokens, const Normalizer* normalizer);

    /// Part of a text: an added token, or text that the other stages split.
    struct Part {
        Section section;
        const AddedToken* token = nullptr; ///< null: text
    };
    /// Finds the tokens that are not normalized, normalizes the text between them, and finds the others
    /// there. Of several tokens at one position, the longest is chosen.
    std::vector<Part> parts(std::string_view text) const;

    const AddedToken* find(std::int64_t id) const;
    const AddedToken* find(std::string_view content) const;
    const std::map<std::int64_t, AddedToken>& all() const { return tokens_; }

  private:
    std::vector<Part> partsOf(const Section& section, const PrefixSearch& search) const;

    std::map<std::int64_t, AddedToken> tokens_;
    const Normalizer* normalizer_;
    PrefixSearch raw_;
    PrefixSearch normalized_;
};

} // namespace headscope::text
