#include "model/text/hugging_face/token_decoder.h"

#include "model/files/limited_json.h"
#include "model/text/hugging_face/byte_characters.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/hugging_face/unicode.h"

#include <unicode/unistr.h>

#include <utility>

namespace headscope::text {

namespace {

using nlohmann::json;

class DecoderSequence : public TokenDecoder {
  public:
    DecoderSequence(const json& stage, const std::string& where) {
        for (const auto& part : files::arrayAt(stage, "decoders", where))
            if (auto decoder = readTokenDecoder(part, where))
                parts_.push_back(std::move(decoder));
    }
    std::vector<std::string> decode(std::vector<std::string> tokens) const override {
        for (const auto& part : parts_)
            tokens = part->decode(std::move(tokens));
        return tokens;
    }

  private:
    std::vector<std::unique_ptr<const TokenDecoder>> parts_;
};

/// Tokens that are no byte characters, such as added ones, stand for themselves. Bytes that are no characters
/// become U+FFFD, as many as Unicode recommends.
class ByteLevelDecoder : public TokenDecoder {
  public:
    std::vector<std::string> decode(std::vector<std::string> tokens) const override {
        std::string bytes;
        for (const auto& token : tokens)
            bytes += bytesOfToken(token).value_or(token);
        std::string text;
        icu::UnicodeString::fromUTF8(bytes).toUTF8String(text);
        return {text};
    }
};

} // namespace

std::unique_ptr<const TokenDecoder> readTokenDecoder(const json& stage, const std::string& where) {
    if (stage.is_null())
        return nullptr;
    const auto type = files::stringAt(stage, "type", where);
    const auto place = where + ", " + type;
    if (type == "Sequence")
        return std::make_unique<DecoderSequence>(stage, place);
    if (type == "ByteLevel")
        return std::make_unique<ByteLevelDecoder>();
    refuseType(where, "Sequence, ByteLevel", type);
}

} // namespace headscope::text
