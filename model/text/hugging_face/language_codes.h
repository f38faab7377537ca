#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope::text {

/// The languages of a class of `transformers` (MBart, MBart50, M2M100, Nllb) in the order of their ids; none
/// for other classes. Files that are older than tokenizer.json do not list them.
std::vector<std::string> languageCodesOfKind(const std::string& kind);

/// The token that stands for a language: "__de__" in M2M100, elsewhere the code itself.
std::string tokenOfLanguage(const std::string& kind, std::string_view code);

} // namespace headscope::text
