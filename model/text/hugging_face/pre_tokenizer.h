#pragma once

#include "model/text/hugging_face/aligned_text.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <vector>

namespace headscope::text {

/// A stage that splits a normalized text into words; `pre_tokenizer` of tokenizer.json. A word may have any
/// characters, including spaces.
class PreTokenizer {
  public:
    virtual ~PreTokenizer() = default;
    /// Replaces sections by their parts. No part is empty.
    virtual void split(std::vector<Section>& sections) const = 0;
};

/// Null for JSON null. Types: Sequence, ByteLevel, Split, Digits, BertPreTokenizer, Metaspace, Whitespace,
/// WhitespaceSplit, Punctuation. Throws trace::Refusal; `where` names the place in the file.
std::unique_ptr<const PreTokenizer> readPreTokenizer(const nlohmann::json& stage, const std::string& where);

} // namespace headscope::text
