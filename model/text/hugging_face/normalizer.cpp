#include "model/text/hugging_face/normalizer.h"

#include "model/files/limited_json.h"
#include "model/text/hugging_face/bert_normalizer.h"
#include "model/text/hugging_face/pattern.h"
#include "model/text/hugging_face/precompiled_map.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/hugging_face/unicode.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace headscope::text {

namespace {

using nlohmann::json;

class NormalizerSequence : public Normalizer {
  public:
    NormalizerSequence(const json& stage, const std::string& where) {
        for (const auto& part : files::arrayAt(stage, "normalizers", where))
            if (auto normalizer = readNormalizer(part, where))
                parts_.push_back(std::move(normalizer));
    }
    void normalize(AlignedText& text) const override {
        const auto before = text.size();
        for (const auto& part : parts_) {
            part->normalize(text);
            refuseGrowth(before, text.size());
        }
    }

  private:
    std::vector<std::unique_ptr<const Normalizer>> parts_;
};

class UnicodeNormalizer : public Normalizer {
  public:
    explicit UnicodeNormalizer(NormalForm form) : form_(form) {}
    void normalize(AlignedText& text) const override { text::normalize(text, form_); }

  private:
    NormalForm form_;
};

class Lowercase : public Normalizer {
  public:
    void normalize(AlignedText& text) const override { lowerEach(text); }
};

class StripAccents : public Normalizer {
  public:
    void normalize(AlignedText& text) const override {
        std::erase_if(text, [](const Character& character) { return isMark(character.code); });
    }
};

/// Removes white space at the ends.
class StripSpace : public Normalizer {
  public:
    StripSpace(const json& stage, const std::string& where)
        : left_(files::booleanAt(stage, "strip_left", where, true)),
          right_(files::booleanAt(stage, "strip_right", where, true)) {}

    void normalize(AlignedText& text) const override {
        const auto isText = [](const Character& character) { return !isUnicodeSpace(character.code); };
        if (right_)
            text.erase(std::find_if(text.rbegin(), text.rend(), isText).base(), text.end());
        if (left_)
            text.erase(text.begin(), std::ranges::find_if(text, isText));
    }

  private:
    bool left_;
    bool right_;
};

/// Prepends a text to every section that is not empty.
class Prepend : public Normalizer {
  public:
    Prepend(const json& stage, const std::string& where)
        : prepended_(files::stringAt(stage, "prepend", where)) {}

    void normalize(AlignedText& text) const override {
        if (text.empty())
            return;
        const auto prepended = alignedTo(prepended_, text.front().range);
        text.insert(text.begin(), prepended.begin(), prepended.end());
    }

  private:
    std::string prepended_;
};

class Replace : public Normalizer {
  public:
    Replace(const json& stage, const std::string& where)
        : pattern_(files::memberAt(stage, "pattern", where), where),
          content_(files::stringAt(stage, "content", where)) {
        if (content_.size() > longestReplacement)
            refuseTokenizer(where,
                            "a replacement of at most " + std::to_string(longestReplacement) + " bytes",
                            std::to_string(content_.size()) + " bytes");
    }

    void normalize(AlignedText& text) const override {
        AlignedText replaced;
        replaced.reserve(text.size());
        for (const auto& stretch : pattern_.stretches(text)) {
            refuseGrowth(text.size(), replaced.size());
            const auto part = std::span(text).subspan(stretch.begin, stretch.end - stretch.begin);
            if (stretch.matches)
                for (const auto& character : alignedTo(content_, rangeOf(part)))
                    replaced.push_back(character);
            else
                replaced.insert(replaced.end(), part.begin(), part.end());
        }
        text = std::move(replaced);
    }

  private:
    static constexpr std::size_t longestReplacement = 64; // bounds the growth of a text
    Pattern pattern_;
    std::string content_;
};

} // namespace

void refuseGrowth(std::size_t before, std::size_t after) {
    constexpr std::size_t mostTimes = 20; // U+FDFA becomes 18 characters
    constexpr std::size_t mostAnyway = 1024;
    constexpr std::size_t mostCharacters = 50'000'000;
    if (after <= mostTimes * before + mostAnyway && after <= mostCharacters)
        return;
    throw trace::Refusal({.what = "The tokenizer makes too much of the text",
                          .where = "the tokenizer's normalizer",
                          .expected = "at most " + std::to_string(mostTimes) + " times as many characters",
                          .found = std::to_string(after) + " of " + std::to_string(before),
                          .wayOut = "use a shorter text, or token ids instead of text"});
}

std::unique_ptr<const Normalizer> readNormalizer(const json& stage, const std::string& where) {
    if (stage.is_null())
        return nullptr;
    static const std::map<std::string, NormalForm> forms{{"NFC", NormalForm::Nfc},
                                                         {"NFD", NormalForm::Nfd},
                                                         {"NFKC", NormalForm::Nfkc},
                                                         {"NFKD", NormalForm::Nfkd}};
    const auto type = files::stringAt(stage, "type", where);
    const auto place = where + ", " + type;
    if (type == "Sequence")
        return std::make_unique<NormalizerSequence>(stage, place);
    if (const auto form = forms.find(type); form != forms.end())
        return std::make_unique<UnicodeNormalizer>(form->second);
    if (type == "BertNormalizer")
        return std::make_unique<BertNormalizer>(stage, place);
    if (type == "Lowercase")
        return std::make_unique<Lowercase>();
    if (type == "StripAccents")
        return std::make_unique<StripAccents>();
    if (type == "Strip")
        return std::make_unique<StripSpace>(stage, place);
    if (type == "Prepend")
        return std::make_unique<Prepend>(stage, place);
    if (type == "Replace")
        return std::make_unique<Replace>(stage, place);
    if (type == "Precompiled")
        return std::make_unique<PrecompiledMap>(stage, place);
    refuseType(where,
               "Sequence, NFC, NFD, NFKC, NFKD, BertNormalizer, Lowercase, StripAccents, Strip, Prepend, "
               "Replace, Precompiled",
               type);
}

} // namespace headscope::text
