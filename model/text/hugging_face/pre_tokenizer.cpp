#include "model/text/hugging_face/pre_tokenizer.h"

#include "model/files/limited_json.h"
#include "model/text/hugging_face/byte_characters.h"
#include "model/text/hugging_face/metaspace.h"
#include "model/text/hugging_face/pattern.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/hugging_face/unicode.h"

#include <map>
#include <utility>

namespace headscope::text {

namespace {

using nlohmann::json;

/// Where a match goes when a text is split at it.
enum class MatchBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

MatchBehavior behaviorAt(const json& stage, const std::string& where, const std::string& otherwise) {
    static const std::map<std::string, MatchBehavior> behaviors{
        {"Removed", MatchBehavior::Removed},
        {"Isolated", MatchBehavior::Isolated},
        {"MergedWithPrevious", MatchBehavior::MergedWithPrevious},
        {"MergedWithNext", MatchBehavior::MergedWithNext},
        {"Contiguous", MatchBehavior::Contiguous}};
    const auto name = files::stringAt(stage, "behavior", where, otherwise);
    const auto found = behaviors.find(name);
    if (found == behaviors.end())
        refuseType(where + ", behavior", "Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous",
                   name);
    return found->second;
}

/// Joins parts with their neighbours, from the first on. Of several matches in a row, only the first joins
/// the part before it.
std::vector<Stretch> mergedWithPrevious(const std::vector<Stretch>& stretches) {
    std::vector<Stretch> merged;
    bool isAfterMatch = false;
    for (const auto& stretch : stretches) {
        if (stretch.matches && !isAfterMatch && !merged.empty())
            merged.back().end = stretch.end;
        else
            merged.push_back(stretch);
        isAfterMatch = stretch.matches;
    }
    return merged;
}

/// Joins parts from the last on. Of several matches in a row, only the last joins the part after it.
std::vector<Stretch> mergedWithNext(const std::vector<Stretch>& stretches) {
    std::vector<Stretch> merged;
    for (std::size_t at = 0; at < stretches.size(); ++at) {
        const bool isLastMatch =
            stretches[at].matches && at + 1 < stretches.size() && !stretches[at + 1].matches;
        merged.push_back(stretches[at]);
        if (isLastMatch)
            merged.back().end = stretches[++at].end;
    }
    return merged;
}

/// Returns matches and the texts between them, in order.
std::vector<Stretch> contiguous(const std::vector<Stretch>& stretches) {
    std::vector<Stretch> merged;
    for (const auto& stretch : stretches) {
        if (!merged.empty() && merged.back().matches == stretch.matches)
            merged.back().end = stretch.end;
        else
            merged.push_back(stretch);
    }
    return merged;
}

std::vector<Stretch> afterBehavior(std::vector<Stretch> stretches, MatchBehavior behavior) {
    switch (behavior) {
    case MatchBehavior::Removed:
        std::erase_if(stretches, [](const Stretch& stretch) { return stretch.matches; });
        return stretches;
    case MatchBehavior::MergedWithPrevious:
        return mergedWithPrevious(stretches);
    case MatchBehavior::MergedWithNext:
        return mergedWithNext(stretches);
    case MatchBehavior::Contiguous:
        return contiguous(stretches);
    case MatchBehavior::Isolated:
        break;
    }
    return stretches;
}

/// Adds the parts of a section that are not empty.
void addParts(std::vector<Section>& parts, const AlignedText& text, const std::vector<Stretch>& stretches) {
    for (const auto& stretch : stretches)
        if (stretch.begin < stretch.end) {
            const auto first = text.begin() + static_cast<std::ptrdiff_t>(stretch.begin);
            const auto last = text.begin() + static_cast<std::ptrdiff_t>(stretch.end);
            parts.push_back({AlignedText(first, last), first->range.begin});
        }
}

/// Splits every section into `stretchesIn(text)`.
template <class StretchesIn>
void splitEach(std::vector<Section>& sections, MatchBehavior behavior, StretchesIn&& stretchesIn) {
    std::vector<Section> parts;
    for (const auto& section : sections)
        addParts(parts, section.text, afterBehavior(stretchesIn(section.text), behavior));
    sections = std::move(parts);
}

class PreTokenizerSequence : public PreTokenizer {
  public:
    PreTokenizerSequence(const json& stage, const std::string& where) {
        for (const auto& part : files::arrayAt(stage, "pretokenizers", where))
            if (auto preTokenizer = readPreTokenizer(part, where))
                parts_.push_back(std::move(preTokenizer));
    }
    void split(std::vector<Section>& sections) const override {
        for (const auto& part : parts_)
            part->split(sections);
    }

  private:
    std::vector<std::unique_ptr<const PreTokenizer>> parts_;
};

class ByteLevelPreTokenizer : public PreTokenizer {
  public:
    ByteLevelPreTokenizer(const json& stage, const std::string& where)
        : addsSpace_(files::booleanAt(stage, "add_prefix_space", where, true)) {
        // The expression of GPT-2.
        if (files::booleanAt(stage, "use_regex", where, true))
            words_.emplace(json{{"Regex", R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|)"
                                          R"(\s+(?!\S)|\s+)"}},
                           where);
    }

    void split(std::vector<Section>& sections) const override {
        for (auto& section : sections)
            if (auto& text = section.text; addsSpace_ && !text.empty() && text.front().code != ' ')
                text.insert(text.begin(), {' ', text.front().range});
        if (words_)
            splitEach(sections, MatchBehavior::Isolated,
                      [&](const AlignedText& text) { return words_->stretches(text); });
        for (auto& section : sections)
            section.text = byteCharacters(section.text);
    }

  private:
    bool addsSpace_;
    std::optional<Pattern> words_;
};

class SplitPreTokenizer : public PreTokenizer {
  public:
    SplitPreTokenizer(const json& stage, const std::string& where)
        : pattern_(files::memberAt(stage, "pattern", where), where),
          behavior_(behaviorAt(stage, where, "Isolated")),
          invert_(files::booleanAt(stage, "invert", where, false)) {}

    void split(std::vector<Section>& sections) const override {
        splitEach(sections, behavior_, [&](const AlignedText& text) {
            auto stretches = pattern_.stretches(text);
            for (auto& stretch : stretches)
                stretch.matches ^= invert_;
            return stretches;
        });
    }

  private:
    Pattern pattern_;
    MatchBehavior behavior_;
    bool invert_;
};

/// Splits at the characters of a class.
class CharacterPreTokenizer : public PreTokenizer {
  public:
    CharacterPreTokenizer(bool (*isMatch)(char32_t), MatchBehavior behavior)
        : isMatch_(isMatch), behavior_(behavior) {}

    void split(std::vector<Section>& sections) const override {
        splitEach(sections, behavior_, [&](const AlignedText& text) { return stretchesOf(text, isMatch_); });
    }

  private:
    bool (*isMatch_)(char32_t);
    MatchBehavior behavior_;
};

class BertPreTokenizer : public PreTokenizer {
  public:
    void split(std::vector<Section>& sections) const override {
        splitEach(sections, MatchBehavior::Removed,
                  [](const AlignedText& text) { return stretchesOf(text, isUnicodeSpace); });
        splitEach(sections, MatchBehavior::Isolated,
                  [](const AlignedText& text) { return stretchesOf(text, isPunctuation); });
    }
};

/// Runs of word characters, and runs of other characters that are not white space.
class WhitespacePreTokenizer : public PreTokenizer {
  public:
    void split(std::vector<Section>& sections) const override {
        splitEach(sections, MatchBehavior::Removed,
                  [](const AlignedText& text) { return stretchesOf(text, isUnicodeSpace); });
        splitEach(sections, MatchBehavior::Contiguous,
                  [](const AlignedText& text) { return stretchesOf(text, isWordCharacter); });
    }
};

/// Replaces spaces by SentencePiece's mark and inserts it before the text.
class MetaspacePreTokenizer : public PreTokenizer {
  public:
    MetaspacePreTokenizer(const json& stage, const std::string& where)
        : mark_(markOfMetaspace(stage, where)), prepends_(prependingOfMetaspace(stage, where)),
          splits_(files::booleanAt(stage, "split", where, true)) {}

    void split(std::vector<Section>& sections) const override {
        for (auto& [text, begin] : sections) {
            for (auto& character : text)
                if (character.code == ' ')
                    character.code = mark_;
            const bool prepends = prepends_ == MetaspacePrepending::Always ||
                                  (prepends_ == MetaspacePrepending::First && begin == 0);
            if (prepends && !text.empty() && text.front().code != mark_)
                text.insert(text.begin(), {mark_, text.front().range});
        }
        if (splits_)
            splitEach(sections, MatchBehavior::MergedWithNext, [&](const AlignedText& text) {
                return stretchesOf(text, [&](char32_t code) { return code == mark_; });
            });
    }

  private:
    char32_t mark_;
    MetaspacePrepending prepends_;
    bool splits_;
};

} // namespace

std::unique_ptr<const PreTokenizer> readPreTokenizer(const json& stage, const std::string& where) {
    if (stage.is_null())
        return nullptr;
    const auto type = files::stringAt(stage, "type", where);
    const auto place = where + ", " + type;
    if (type == "Sequence")
        return std::make_unique<PreTokenizerSequence>(stage, place);
    if (type == "ByteLevel")
        return std::make_unique<ByteLevelPreTokenizer>(stage, place);
    if (type == "Split")
        return std::make_unique<SplitPreTokenizer>(stage, place);
    if (type == "Digits")
        return std::make_unique<CharacterPreTokenizer>(
            isNumber, files::booleanAt(stage, "individual_digits", place, false) ? MatchBehavior::Isolated
                                                                                 : MatchBehavior::Contiguous);
    if (type == "BertPreTokenizer")
        return std::make_unique<BertPreTokenizer>();
    if (type == "Metaspace")
        return std::make_unique<MetaspacePreTokenizer>(stage, place);
    if (type == "Whitespace")
        return std::make_unique<WhitespacePreTokenizer>();
    if (type == "WhitespaceSplit")
        return std::make_unique<CharacterPreTokenizer>(isUnicodeSpace, MatchBehavior::Removed);
    if (type == "Punctuation")
        return std::make_unique<CharacterPreTokenizer>(isPunctuation, behaviorAt(stage, place, "Isolated"));
    refuseType(
        where,
        "Sequence, ByteLevel, Split, Digits, BertPreTokenizer, Metaspace, Whitespace, WhitespaceSplit, "
        "Punctuation",
        type);
}

} // namespace headscope::text
