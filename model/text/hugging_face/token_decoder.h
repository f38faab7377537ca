#pragma once

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <vector>

namespace headscope::text {

/// A stage that makes text of tokens; `decoder` of tokenizer.json.
class TokenDecoder {
  public:
    virtual ~TokenDecoder() = default;
    /// Rewrites tokens, or joins some of them; the text is all of them, one after the other.
    virtual std::vector<std::string> decode(std::vector<std::string> tokens) const = 0;
};

/// Null for JSON null. Types: Sequence, ByteLevel, WordPiece, Metaspace, Replace, ByteFallback, Fuse, Strip.
/// Throws trace::Refusal; `where` names the place in the file.
std::unique_ptr<const TokenDecoder> readTokenDecoder(const nlohmann::json& stage, const std::string& where);

} // namespace headscope::text
