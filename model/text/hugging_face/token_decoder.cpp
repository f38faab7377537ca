#include "model/text/hugging_face/token_decoder.h"

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/files/utf8.h"
#include "model/text/hugging_face/byte_characters.h"
#include "model/text/hugging_face/fallback_bytes.h"
#include "model/text/hugging_face/metaspace.h"
#include "model/text/hugging_face/pattern.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/hugging_face/with_replaced.h"

#include <unicode/unistr.h>

#include <array>
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

/// Tokens other than byte characters, such as added ones, are kept. Bytes that form no character
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

class WordPieceDecoder : public TokenDecoder {
  public:
    WordPieceDecoder(const json& stage, const std::string& where)
        : prefix_(files::stringAt(stage, "prefix", where, "##")),
          cleansUp_(files::booleanAt(stage, "cleanup", where, true)) {}

    std::vector<std::string> decode(std::vector<std::string> tokens) const override {
        for (auto& token : tokens) {
            if (&token != &tokens.front())
                token = token.starts_with(prefix_) ? token.substr(prefix_.size()) : " " + token;
            if (cleansUp_)
                token = withoutSpacesBeforePunctuation(std::move(token));
        }
        return tokens;
    }

  private:
    static std::string withoutSpacesBeforePunctuation(std::string token) {
        constexpr std::array<std::pair<const char*, const char*>, 11> replacements{{{" .", "."},
                                                                                    {" ?", "?"},
                                                                                    {" !", "!"},
                                                                                    {" ,", ","},
                                                                                    {" ' ", "'"},
                                                                                    {" n't", "n't"},
                                                                                    {" 'm", "'m"},
                                                                                    {" do not", " don't"},
                                                                                    {" 's", "'s"},
                                                                                    {" 've", "'ve"},
                                                                                    {" 're", "'re"}}};
        for (const auto& [from, to] : replacements)
            token = withReplaced(token, from, to);
        return token;
    }

    std::string prefix_;
    bool cleansUp_;
};

class MetaspaceDecoder : public TokenDecoder {
  public:
    MetaspaceDecoder(const json& stage, const std::string& where)
        : mark_(markOfMetaspace(stage, where)),
          dropsFirst_(prependingOfMetaspace(stage, where) != MetaspacePrepending::Never) {}

    std::vector<std::string> decode(std::vector<std::string> tokens) const override {
        for (auto& token : tokens) {
            const bool isDropped = dropsFirst_ && &token == &tokens.front();
            std::string text;
            for (const auto& character : charactersOf(token)) {
                if (character.code != mark_)
                    files::appendUtf8(text, character.code);
                else if (!isDropped)
                    text += ' ';
            }
            token = std::move(text);
        }
        return tokens;
    }

  private:
    char32_t mark_;
    bool dropsFirst_;
};

class ReplaceDecoder : public TokenDecoder {
  public:
    ReplaceDecoder(const json& stage, const std::string& where)
        : pattern_(files::memberAt(stage, "pattern", where), where),
          content_(files::stringAt(stage, "content", where)) {}

    std::vector<std::string> decode(std::vector<std::string> tokens) const override {
        for (auto& token : tokens) {
            const auto characters = charactersOf(token);
            std::string text;
            for (const auto& stretch : pattern_.stretches(characters))
                text +=
                    stretch.matches
                        ? content_
                        : utf8Of(std::span(characters).subspan(stretch.begin, stretch.end - stretch.begin));
            token = std::move(text);
        }
        return tokens;
    }

  private:
    Pattern pattern_;
    std::string content_;
};

/// Joins "<0xE2>" and the like to characters. If a run of them is no UTF-8, each becomes U+FFFD.
class ByteFallbackDecoder : public TokenDecoder {
  public:
    std::vector<std::string> decode(std::vector<std::string> tokens) const override {
        std::vector<std::string> texts;
        std::string bytes;
        const auto addBytes = [&] {
            if (files::isUtf8(bytes))
                texts.push_back(bytes);
            else
                texts.insert(texts.end(), bytes.size(), "\uFFFD");
            bytes.clear();
        };
        for (auto& token : tokens) {
            if (const auto byte = byteOfFallbackToken(token)) {
                bytes += *byte;
                continue;
            }
            addBytes();
            texts.push_back(std::move(token));
        }
        addBytes();
        return texts;
    }
};

class FuseDecoder : public TokenDecoder {
  public:
    std::vector<std::string> decode(std::vector<std::string> tokens) const override {
        std::string text;
        for (const auto& token : tokens)
            text += token;
        return {text};
    }
};

/// Drops a character at the ends of every token, up to a number of times.
class StripDecoder : public TokenDecoder {
  public:
    StripDecoder(const json& stage, const std::string& where)
        : content_(files::stringAt(stage, "content", where)),
          start_(files::integerAt(stage, "start", where, 0)),
          stop_(files::integerAt(stage, "stop", where, 0)) {
        if (charactersOf(content_).size() != 1)
            refuseTokenizer(where, "one character", "\"" + files::printable(content_) + "\"");
    }

    std::vector<std::string> decode(std::vector<std::string> tokens) const override {
        for (auto& token : tokens) {
            for (auto left = start_; left > 0 && token.starts_with(content_); --left)
                token.erase(0, content_.size());
            for (auto left = stop_; left > 0 && token.ends_with(content_); --left)
                token.erase(token.size() - content_.size());
        }
        return tokens;
    }

  private:
    std::string content_;
    std::int64_t start_;
    std::int64_t stop_;
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
    if (type == "WordPiece")
        return std::make_unique<WordPieceDecoder>(stage, place);
    if (type == "Metaspace")
        return std::make_unique<MetaspaceDecoder>(stage, place);
    if (type == "Replace")
        return std::make_unique<ReplaceDecoder>(stage, place);
    if (type == "ByteFallback")
        return std::make_unique<ByteFallbackDecoder>();
    if (type == "Fuse")
        return std::make_unique<FuseDecoder>();
    if (type == "Strip")
        return std::make_unique<StripDecoder>(stage, place);
    refuseType(where, "Sequence, ByteLevel, WordPiece, Metaspace, Replace, ByteFallback, Fuse, Strip", type);
}

} // namespace headscope::text
