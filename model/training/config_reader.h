#pragma once

#include "model/files/findings.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headscope::training {

/// Reads the members of one object of a configuration, collects their errors, and finally reports unknown
/// members.
class ConfigReader {
  public:
    /// `name` is the prefix of the object in findings, such as "optimizer.". A null `object` has no members.
    ConfigReader(const nlohmann::json& object, std::string name, std::filesystem::path folder,
                 files::Findings& findings);

    bool has(const char* key) const { return object_.contains(key); }
    /// Marks a key as known and returns its value; null if it is missing.
    const nlohmann::json& member(const char* key);

    void read(const char* key, std::int64_t& value, std::int64_t least, std::int64_t most);
    void read(const char* key, std::uint64_t& value);
    void read(const char* key, double& value, double least, double most);
    void read(const char* key, bool& value);
    void read(const char* key, std::string& value);
    void read(const char* key, std::filesystem::path& value);
    void read(const char* key, std::optional<std::filesystem::path>& value);
    void read(const char* key, std::vector<std::string>& value);
    void read(const char* key, std::vector<std::int64_t>& value);
    /// Returns the index of the value in `words`; `otherwise` if the key is missing.
    std::size_t choose(const char* key, const std::vector<std::string>& words, std::size_t otherwise);

    void refuse(const std::string& key, const std::string& expected, const std::string& found);
    void refuseUnknown();

  private:
    nlohmann::json object_;
    std::string name_;
    std::filesystem::path folder_;
    files::Findings& findings_;
    std::set<std::string> known_;
};

} // namespace headscope::training
