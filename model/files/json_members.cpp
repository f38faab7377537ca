#include <cstdint>
#include <limits>

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/trace/refusal.h"

namespace headscope::files {

namespace {

using nlohmann::json;

/// Describes a value for an error message, abbreviated if it is large.
std::string describe(const json& value) {
    if (value.is_object() || value.is_array())
        return std::string("an ") + value.type_name() + " of " + std::to_string(value.size());
    return printable(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

[[noreturn]] void refuseMember(std::string_view key, std::string_view where, const std::string& expected,
                               const std::string& found) {
    throw trace::Refusal({.what = "\"" + printable(key) + "\" could not be read",
                          .where = std::string(where),
                          .expected = expected,
                          .found = found,
                          .wayOut = "Correct the file, or take the one of another model as a pattern."});
}

bool isMissing(const json& object, std::string_view key) {
    return object.is_object() && (!object.contains(key) || object.at(key).is_null());
}

std::int64_t integerOf(const json& value, std::string_view key, std::string_view where) {
    constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
    if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > largest))
        refuseMember(key, where, "a whole number", describe(value));
    return value.get<std::int64_t>();
}

} // namespace

const json& memberAt(const json& object, std::string_view key, std::string_view where) {
    if (!object.is_object())
        refuseMember(key, where, "an object with this key", describe(object));
    const auto member = object.find(key);
    if (member == object.end())
        refuseMember(key, where, "this key", "no such key");
    return *member;
}

std::int64_t integerAt(const json& object, std::string_view key, std::string_view where) {
    return integerOf(memberAt(object, key, where), key, where);
}

double numberAt(const json& object, std::string_view key, std::string_view where) {
    const json& member = memberAt(object, key, where);
    if (!member.is_number())
        refuseMember(key, where, "a number", describe(member));
    return member.get<double>();
}

bool booleanAt(const json& object, std::string_view key, std::string_view where) {
    const json& member = memberAt(object, key, where);
    if (!member.is_boolean())
        refuseMember(key, where, "true or false", describe(member));
    return member.get<bool>();
}

std::string stringAt(const json& object, std::string_view key, std::string_view where) {
    const json& member = memberAt(object, key, where);
    if (!member.is_string())
        refuseMember(key, where, "a text", describe(member));
    return member.get<std::string>();
}

const json& objectAt(const json& object, std::string_view key, std::string_view where) {
    const json& member = memberAt(object, key, where);
    if (!member.is_object())
        refuseMember(key, where, "an object", describe(member));
    return member;
}

const json& arrayAt(const json& object, std::string_view key, std::string_view where) {
    const json& member = memberAt(object, key, where);
    if (!member.is_array())
        refuseMember(key, where, "an array", describe(member));
    return member;
}

std::vector<std::int64_t> integersAt(const json& object, std::string_view key, std::string_view where) {
    std::vector<std::int64_t> result;
    for (const json& element : arrayAt(object, key, where))
        result.push_back(integerOf(element, key, where));
    return result;
}

std::vector<std::string> stringsAt(const json& object, std::string_view key, std::string_view where) {
    std::vector<std::string> result;
    for (const json& element : arrayAt(object, key, where)) {
        if (!element.is_string())
            refuseMember(key, where, "an array of texts", describe(element));
        result.push_back(element.get<std::string>());
    }
    return result;
}

std::int64_t integerAt(const json& object, std::string_view key, std::string_view where,
                       std::int64_t otherwise) {
    return isMissing(object, key) ? otherwise : integerAt(object, key, where);
}

double numberAt(const json& object, std::string_view key, std::string_view where, double otherwise) {
    return isMissing(object, key) ? otherwise : numberAt(object, key, where);
}

bool booleanAt(const json& object, std::string_view key, std::string_view where, bool otherwise) {
    return isMissing(object, key) ? otherwise : booleanAt(object, key, where);
}

std::string stringAt(const json& object, std::string_view key, std::string_view where,
                     const std::string& otherwise) {
    return isMissing(object, key) ? otherwise : stringAt(object, key, where);
}

std::vector<std::int64_t> integersAt(const json& object, std::string_view key, std::string_view where,
                                     const std::vector<std::int64_t>& otherwise) {
    return isMissing(object, key) ? otherwise : integersAt(object, key, where);
}

} // namespace headscope::files
