#pragma once

#include <string>

namespace headscope::text {

/// Refuses a tokenizer's file (trace::Refusal). `where` names the file and the place in it.
[[noreturn]] void refuseTokenizer(const std::string& where, const std::string& expected,
                                  const std::string& found);

/// Refuses a part of a type that is not supported; `known` lists the supported types.
[[noreturn]] void refuseType(const std::string& where, const std::string& known, const std::string& found);

} // namespace headscope::text
