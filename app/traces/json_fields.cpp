#include "app/traces/trace_fields.h"
#include "model/files/findings.h"

namespace headscope::app {

void refuseNumber(const std::string& where, const std::string& expected, const std::string& found) {
    throw trace::Refusal({.what = "A number means nothing",
                          .where = where,
                          .expected = expected,
                          .found = found,
                          .wayOut = "correct it, or leave it out"});
}

void refuseLength(const std::string& where, std::size_t expected, std::size_t found) {
    if (expected != found)
        throw trace::Refusal({.what = "This trace contradicts itself",
                              .where = where,
                              .expected = std::to_string(expected) + " entries, one a token",
                              .found = std::to_string(found),
                              .wayOut = "write it anew"});
}

trace::SublayerAddress Form<trace::SublayerAddress>::in(const nlohmann::json& name,
                                                        const std::string& where) {
    const auto sublayer =
        name.is_string() ? trace::parseSublayerAddress(name.get<std::string>()) : std::nullopt;
    if (!sublayer)
        throw trace::Refusal({.what = "This trace names a sublayer that means nothing",
                              .where = where,
                              .expected = "such as encoder.0, decoder.1, cross.1 or decoder-ff.1",
                              .found = name.is_string() ? files::printable(name.get<std::string>())
                                                        : std::string(name.type_name()),
                              .wayOut = "write it anew"});
    return *sublayer;
}

std::uint64_t seedAt(const nlohmann::json& object, const std::string& key, const std::string& where) {
    const auto& value = files::memberAt(object, key, where);
    return value.is_number_unsigned() ? value.get<std::uint64_t>()
                                      : static_cast<std::uint64_t>(files::integerAt(object, key, where));
}

} // namespace headscope::app
