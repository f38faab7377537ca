#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope::text {

/// The languages of a class of `transformers` (MBart, MBart50, M2M100, Nllb) in the order of their ids; none
/// for other classes. Files that are older than tokenizer.json do not list them.
std::vector<std::string> languageCodesOfKind(const std::string& kind);

/// Returns the token of a language: "__de__" in M2M100, otherwise the code.
std::string tokenOfLanguage(const std::string& kind, std::string_view code);

} // namespace headscope::text
