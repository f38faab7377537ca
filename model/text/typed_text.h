#pragma once

#include <string_view>

namespace headscope::text {

/// Refuses (trace::Refusal) a sentence that is no UTF-8.
void refuseUnlessUtf8(std::string_view sentence);

} // namespace headscope::text
