#include "model/text/hugging_face/post_processor.h"

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/text/hugging_face/tokenizer_refusal.h"

#include <utility>

namespace headscope::text {

namespace {

using nlohmann::json;

constexpr std::size_t mostTemplateParts = 64;

/// {"SpecialToken": {"id": "[CLS]", "type_id": 0}} or {"Sequence": {"id": "A", "type_id": 0}}. A special
/// token may have several ids.
void addTemplatePart(std::vector<TemplatePart>& parts, const json& entry, const json& specialTokens,
                     const std::string& where) {
    if (entry.is_object() && entry.contains("Sequence")) {
        const auto& sequence = files::objectAt(entry, "Sequence", where);
        const auto name = files::stringAt(sequence, "id", where);
        if (name != "A" && name != "B")
            refuseTokenizer(where, "the sequence A or B", "\"" + files::printable(name) + "\"");
        parts.push_back({.part = name == "A" ? InputPart::First : InputPart::Second,
                         .segment = files::integerAt(sequence, "type_id", where, 0)});
        return;
    }
    const auto& special = files::objectAt(entry, "SpecialToken", where);
    const auto name = files::stringAt(special, "id", where);
    const auto& token = files::objectAt(specialTokens, name, where + ", special_tokens");
    const auto ids = files::integersAt(token, "ids", where);
    const auto tokens = files::stringsAt(token, "tokens", where);
    if (ids.size() != tokens.size())
        refuseTokenizer(where, "as many ids as tokens for " + files::printable(name),
                        std::to_string(ids.size()) + " and " + std::to_string(tokens.size()));
    for (std::size_t i = 0; i < ids.size(); ++i)
        parts.push_back(
            {.id = ids[i], .token = tokens[i], .segment = files::integerAt(special, "type_id", where, 0)});
}

std::vector<TemplatePart> templateAt(const json& stage, const std::string& key, const std::string& where) {
    std::vector<TemplatePart> parts;
    static const json none = json::object();
    const auto& specialTokens = stage.contains("special_tokens") ? stage["special_tokens"] : none;
    for (const auto& entry : files::arrayAt(stage, key, where)) {
        addTemplatePart(parts, entry, specialTokens, where + ", " + key);
        if (parts.size() > mostTemplateParts)
            refuseTokenizer(where + ", " + key, "at most " + std::to_string(mostTemplateParts) + " parts",
                            "more");
    }
    return parts;
}

/// A special token of BertProcessing and RobertaProcessing: ["</s>", 2].
TemplatePart namedToken(const json& stage, const std::string& key, const std::string& where) {
    const auto& pair = files::arrayAt(stage, key, where);
    if (pair.size() != 2 || !pair[0].is_string() || !pair[1].is_number_integer())
        refuseTokenizer(where + ", " + key, "a token and its id", files::printable(pair.dump()));
    return {.id = pair[1].get<std::int64_t>(), .token = pair[0].get<std::string>()};
}

PostProcessor readFixed(const json& stage, const std::string& where, bool isRoberta) {
    const auto start = namedToken(stage, "cls", where);
    const auto separator = namedToken(stage, "sep", where);
    const TemplatePart first{.part = InputPart::First};
    if (isRoberta)
        return {.single = {start, first, separator},
                .pair = {start, first, separator, separator, {.part = InputPart::Second}, separator},
                .trimsRanges = files::booleanAt(stage, "trim_offsets", where, true)};
    auto secondSeparator = separator;
    secondSeparator.segment = 1;
    return {.single = {start, first, separator},
            .pair = {start, first, separator, {.part = InputPart::Second, .segment = 1}, secondSeparator}};
}

/// The parts of a sequence are applied in order; in all known files only one of them adds tokens.
PostProcessor readSequence(const json& stage, const std::string& where) {
    PostProcessor all;
    bool hasTemplate = false;
    for (const auto& part : files::arrayAt(stage, "processors", where)) {
        auto read = readPostProcessor(part, where);
        all.trimsRanges |= read.trimsRanges;
        if (read.single.size() == 1)
            continue;
        if (hasTemplate)
            refuseTokenizer(where, "one post-processor that adds tokens", "several");
        hasTemplate = true;
        all.single = std::move(read.single);
        all.pair = std::move(read.pair);
    }
    return all;
}

} // namespace

PostProcessor readPostProcessor(const json& stage, const std::string& where) {
    if (stage.is_null())
        return {};
    const auto type = files::stringAt(stage, "type", where);
    const auto place = where + ", " + type;
    if (type == "Sequence")
        return readSequence(stage, place);
    if (type == "TemplateProcessing")
        return {.single = templateAt(stage, "single", place), .pair = templateAt(stage, "pair", place)};
    if (type == "ByteLevel")
        return {.trimsRanges = files::booleanAt(stage, "trim_offsets", place, true)};
    if (type == "RobertaProcessing" || type == "BertProcessing")
        return readFixed(stage, place, type == "RobertaProcessing");
    refuseType(where, "Sequence, TemplateProcessing, ByteLevel, RobertaProcessing, BertProcessing", type);
}

} // namespace headscope::text
