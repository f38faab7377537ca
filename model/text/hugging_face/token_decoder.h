#pragma once

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <vector>

namespace headscope::text {

/// A stage that turns tokens into text; `decoder` of tokenizer.json.
class TokenDecoder {
  public:
    virtual ~TokenDecoder() = default;
    /// Rewrites or joins tokens; the text is their concatenation.
    virtual std::vector<std::string> decode(std::vector<std::string> tokens) const = 0;
};

/// Null for JSON null. Types: Sequence, ByteLevel, WordPiece, Metaspace, Replace, ByteFallback, Fuse, Strip.
/// Throws trace::Refusal; `where` names the place in the file.
std::unique_ptr<const TokenDecoder> readTokenDecoder(const nlohmann::json& stage, const std::string& where);

} // namespace headscope::text
