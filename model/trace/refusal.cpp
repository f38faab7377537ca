#include "model/trace/refusal.h"

#include <utility>

namespace headscope::trace {

namespace {

void append(std::string& paragraph, const char* label, const std::string& part) {
    if (part.empty())
        return;
    paragraph += "\n  ";
    paragraph += label;
    paragraph += part;
}

} // namespace

std::string paragraph(const RefusalText& text) {
    std::string result = text.what.ends_with('.') ? text.what : text.what + ".";
    append(result, "Where: ", text.where);
    append(result, "Expected: ", text.expected);
    append(result, "Found: ", text.found);
    append(result, "What to do: ", text.wayOut);
    return result;
}

Refusal::Refusal(RefusalText text) : std::runtime_error(paragraph(text)), text_(std::move(text)) {}

const char* Cancelled::what() const noexcept {
    return "cancelled";
}

} // namespace headscope::trace
