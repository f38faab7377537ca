#include "model/text/hugging_face/metaspace.h"

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/lower_case.h"

namespace headscope::text {

MetaspacePrepending prependingOfMetaspace(const nlohmann::json& stage, const std::string& where) {
    const bool addsSpace = files::booleanAt(stage, "add_prefix_space", where, true);
    const auto scheme = files::stringAt(stage, "prepend_scheme", where, addsSpace ? "always" : "never");
    if (scheme == "always")
        return MetaspacePrepending::Always;
    if (scheme == "first")
        return MetaspacePrepending::First;
    if (scheme == "never")
        return MetaspacePrepending::Never;
    refuseType(where + ", prepend_scheme", "always, first, never", scheme);
}

char32_t markOfMetaspace(const nlohmann::json& stage, const std::string& where) {
    const auto mark = files::stringAt(stage, "replacement", where);
    const auto characters = charactersOf(mark);
    if (characters.size() != 1)
        refuseTokenizer(where + ", replacement", "one character", "\"" + files::printable(mark) + "\"");
    return characters.front().code;
}

} // namespace headscope::text
