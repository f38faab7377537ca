#pragma once

#include "model/text/hugging_face/aligned_text.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace headscope::text {

/// A stage that rewrites a text before it is split; `normalizer` of tokenizer.json.
class Normalizer {
  public:
    virtual ~Normalizer() = default;
    virtual void normalize(AlignedText& text) const = 0;
};

/// Refuses (trace::Refusal) stages that lengthen a text far too much.
void refuseGrowth(std::size_t before, std::size_t after);

/// Null for JSON null. Types: Sequence, BertNormalizer, NFC, NFD, NFKC, NFKD, Lowercase, StripAccents, Strip,
/// Prepend, Replace, Precompiled. Throws trace::Refusal; `where` names the place in the file.
std::unique_ptr<const Normalizer> readNormalizer(const nlohmann::json& stage, const std::string& where);

} // namespace headscope::text
