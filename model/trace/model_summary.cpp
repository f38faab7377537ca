#include "model/trace/model_summary.h"

#include <charconv>

namespace headscope::trace {

std::string ModelSummary::property(std::string_view key) const {
    const auto found = std::ranges::find(architecture, key, &std::pair<std::string, std::string>::first);
    return found == architecture.end() ? std::string() : found->second;
}

int ModelSummary::headsPerKey(AttentionKind kind) const {
    const auto stated = property("key_value_heads");
    int shared = 0; // of keys and values
    std::from_chars(stated.data(), stated.data() + stated.size(), shared);
    return shared > 0 && heads(kind) % shared == 0 ? heads(kind) / shared : 1;
}

} // namespace headscope::trace
