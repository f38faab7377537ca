#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace headscope::files {

/// Limits for untrusted YAML.
struct YamlLimits {
    int depth = 16; ///< mappings and sequences in one another
    std::size_t values = 2'000'000;
    std::size_t bytes = std::size_t{64} << 20;
};

/// Parses the part of YAML that programs write their options and vocabularies in: block and flow mappings and
/// sequences, plain and quoted scalars on one line, comments, one document. Plain scalars that are null, a
/// boolean or a number become one; a key is always a text. Throws trace::Refusal, with `where` and the line,
/// for duplicate keys, exceeded limits, invalid UTF-8, and by name for what YAML has beyond this: anchors,
/// aliases, tags, block scalars, scalars over several lines, complex keys and further documents.
nlohmann::json parseYaml(std::string_view text, const std::string& where, const YamlLimits& limits = {});

} // namespace headscope::files
