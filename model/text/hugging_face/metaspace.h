#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace headscope::text {

/// Where Metaspace stages insert a mark, in addition to replacing spaces.
enum class MetaspacePrepending {
    Always, ///< before every section
    First,  ///< before the section that the text begins with
    Never,
};

/// `prepend_scheme`, or `add_prefix_space` of older files. Throws trace::Refusal.
MetaspacePrepending prependingOfMetaspace(const nlohmann::json& stage, const std::string& where);

/// `replacement`, one character. Throws trace::Refusal.
char32_t markOfMetaspace(const nlohmann::json& stage, const std::string& where);

} // namespace headscope::text
