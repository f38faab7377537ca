#pragma once

#include "model/text/tokenizer.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headscope::text {

/// An element of a template: a text, or an added token.
struct TemplatePart {
    InputPart part = InputPart::Added;
    std::int64_t id = 0; ///< of the added token
    std::string token;
    std::int64_t segment = 0; ///< token type
};

/// Tokens added around one text and around two; `post_processor` of tokenizer.json.
struct PostProcessor {
    std::vector<TemplatePart> single{{.part = InputPart::First}};
    std::vector<TemplatePart> pair{{.part = InputPart::First}, {.part = InputPart::Second, .segment = 1}};
    bool trimsRanges = false; ///< ranges begin and end without white space
};

/// Types: Sequence, TemplateProcessing, ByteLevel, RobertaProcessing, BertProcessing; null adds nothing.
/// Throws trace::Refusal; `where` names the place in the file.
PostProcessor readPostProcessor(const nlohmann::json& stage, const std::string& where);

} // namespace headscope::text
