#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace headscope::files {

/// Limits for untrusted JSON.
struct JsonLimits {
    int depth = 64; ///< nesting of objects and arrays
    std::size_t values = 2'000'000;
    std::size_t bytes = std::size_t{64} << 20;
};

/// Parses untrusted JSON. Throws trace::Refusal, with `where` and the byte position, for duplicate keys,
/// exceeded limits, invalid UTF-8, malformed or overflowing numbers, and text after the end.
nlohmann::json parseJson(std::string_view text, const std::string& where, const JsonLimits& limits = {});

/// Return a member of an object. Throw trace::Refusal, with the key and the value found, if the member is
/// missing or of another type. `where` names the file. 1e3 and 2.0 do not count as integers.
const nlohmann::json& memberAt(const nlohmann::json& object, std::string_view key, std::string_view where);
std::int64_t integerAt(const nlohmann::json& object, std::string_view key, std::string_view where);
double numberAt(const nlohmann::json& object, std::string_view key, std::string_view where);
bool booleanAt(const nlohmann::json& object, std::string_view key, std::string_view where);
std::string stringAt(const nlohmann::json& object, std::string_view key, std::string_view where);
const nlohmann::json& objectAt(const nlohmann::json& object, std::string_view key, std::string_view where);
const nlohmann::json& arrayAt(const nlohmann::json& object, std::string_view key, std::string_view where);
std::vector<std::int64_t> integersAt(const nlohmann::json& object, std::string_view key,
                                     std::string_view where);
std::vector<std::string> stringsAt(const nlohmann::json& object, std::string_view key,
                                   std::string_view where);

/// The same, but return `otherwise` if the member is missing or null.
std::int64_t integerAt(const nlohmann::json& object, std::string_view key, std::string_view where,
                       std::int64_t otherwise);
double numberAt(const nlohmann::json& object, std::string_view key, std::string_view where, double otherwise);
bool booleanAt(const nlohmann::json& object, std::string_view key, std::string_view where, bool otherwise);
std::string stringAt(const nlohmann::json& object, std::string_view key, std::string_view where,
                     const std::string& otherwise);
std::vector<std::int64_t> integersAt(const nlohmann::json& object, std::string_view key,
                                     std::string_view where, const std::vector<std::int64_t>& otherwise);

} // namespace headscope::files
