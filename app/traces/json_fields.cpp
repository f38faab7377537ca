#include "app/traces/json_fields.h"

#include "model/files/findings.h"

namespace headscope::app {

namespace {

[[noreturn]] void refuseNumber(const std::string& key, const std::string& where, const std::string& expected,
                               const std::string& found) {
    throw trace::Refusal({.what = "A number means nothing",
                          .where = where + ", \"" + key + "\"",
                          .expected = expected,
                          .found = found,
                          .wayOut = "correct it, or leave it out"});
}

} // namespace

void readAt(const nlohmann::json& object, const char* key, const std::string& where,
            trace::SublayerAddress& value) {
    const auto name = files::stringAt(object, key, where);
    const auto sublayer = trace::parseSublayerAddress(name);
    if (!sublayer)
        throw trace::Refusal({.what = "This trace names a sublayer that means nothing",
                              .where = where + ", \"flow\"",
                              .expected = "such as encoder.0, decoder.1, cross.1 or decoder-ff.1",
                              .found = files::printable(name),
                              .wayOut = "write it anew"});
    value = *sublayer;
}

std::int64_t checkedWhole(std::int64_t number, const std::string& key, const std::string& where,
                          std::int64_t low, std::int64_t high) {
    if (number < low || number > high)
        refuseNumber(key, where, std::to_string(low) + " to " + std::to_string(high), std::to_string(number));
    return number;
}

double checkedNumber(double number, const std::string& key, const std::string& where, double low,
                     double high) {
    if (!(number >= low && number <= high))
        refuseNumber(key, where, nlohmann::json(low).dump() + " to " + nlohmann::json(high).dump(),
                     nlohmann::json(number).dump());
    return number;
}

std::uint64_t seedAt(const nlohmann::json& object, const std::string& key, const std::string& where) {
    const auto& value = files::memberAt(object, key, where);
    return value.is_number_unsigned() ? value.get<std::uint64_t>()
                                      : static_cast<std::uint64_t>(files::integerAt(object, key, where));
}

} // namespace headscope::app
