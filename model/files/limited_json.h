#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace headscope::files {

/// How much a JSON text may ask for.
struct JsonLimits {
    int depth = 64; ///< of objects and arrays in each other
    std::size_t values = 2'000'000;
    std::size_t bytes = std::size_t{64} << 20;
};

/// Reads JSON from a stranger: keys given twice, too much of anything, bytes that are not UTF-8, numbers that
/// are none or overflow, and text after the end are refused (trace::Refusal) with `where` and the byte they
/// were met at.
nlohmann::json parseJson(std::string_view text, const std::string& where, const JsonLimits& limits = {});

/// Members of an object, refused with the key and what was found if they are missing or of another kind.
/// `where` names the file. Integers are whole numbers written as such: 1e3 and 2.0 are none.
const nlohmann::json& memberAt(const nlohmann::json& object, const std::string& key,
                               const std::string& where);
std::int64_t integerAt(const nlohmann::json& object, const std::string& key, const std::string& where);
double numberAt(const nlohmann::json& object, const std::string& key, const std::string& where);
bool booleanAt(const nlohmann::json& object, const std::string& key, const std::string& where);
std::string stringAt(const nlohmann::json& object, const std::string& key, const std::string& where);
const nlohmann::json& objectAt(const nlohmann::json& object, const std::string& key,
                               const std::string& where);
const nlohmann::json& arrayAt(const nlohmann::json& object, const std::string& key, const std::string& where);
std::vector<std::int64_t> integersAt(const nlohmann::json& object, const std::string& key,
                                     const std::string& where);
std::vector<std::string> stringsAt(const nlohmann::json& object, const std::string& key,
                                   const std::string& where);

/// The same for members that may be missing or null.
std::int64_t integerAt(const nlohmann::json& object, const std::string& key, const std::string& where,
                       std::int64_t otherwise);
double numberAt(const nlohmann::json& object, const std::string& key, const std::string& where,
                double otherwise);
bool booleanAt(const nlohmann::json& object, const std::string& key, const std::string& where,
               bool otherwise);
std::string stringAt(const nlohmann::json& object, const std::string& key, const std::string& where,
                     const std::string& otherwise);
std::vector<std::int64_t> integersAt(const nlohmann::json& object, const std::string& key,
                                     const std::string& where, const std::vector<std::int64_t>& otherwise);

} // namespace headscope::files
