#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::checkpoint {

/// Settings of a model that its tensors do not contain. Command line, `headscope.json` and family tables use
/// the same keys, such as "heads", "norm", "start_id". Later values override earlier ones. Getters throw
/// trace::Refusal for invalid values; the error names the key, the origin of its value, and the valid values.
class Settings {
  public:
    struct Value {
        std::string text;
        std::string origin; ///< a file or option, such as "config.json" or "--heads"
    };

    /// `key` must be known (isKnown()).
    void set(const std::string& key, std::string text, std::string origin);
    void erase(const std::string& key) { values_.erase(key); }
    const std::map<std::string, Value>& all() const { return values_; }
    std::optional<Value> find(const std::string& key) const;

    std::string text(const std::string& key) const; ///< throws if not set
    std::string textOr(const std::string& key, const std::string& otherwise) const;
    std::optional<std::int64_t> integer(const std::string& key) const;
    std::optional<double> number(const std::string& key) const; ///< finite as float32
    std::optional<double> numberWithin(const std::string& key, double least, double most) const;
    std::optional<bool> yesOrNo(const std::string& key) const;
    std::vector<std::int64_t> integers(const std::string& key) const; ///< "5,6,7"; empty if not set
    std::vector<double> numbers(const std::string& key) const;        ///< "1,2.5"; empty if not set
    std::vector<std::string> items(const std::string& key) const;     ///< "a,b"; empty if not set

    [[noreturn]] void refuse(const std::string& key, const std::string& expected) const;

    static bool isKnown(std::string_view key);
    /// Whether the command line has an option for a setting (app/cli/options.cpp).
    static bool hasOption(const std::string& key);
    static bool isList(std::string_view key);
    static constexpr std::string_view noItems = "[]"; ///< text of an empty list

  private:
    std::map<std::string, Value> values_;
};

} // namespace headscope::checkpoint
