#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::checkpoint {

/// What is known of a model beside its tensors, under the keys that the command line, `headscope.json` and
/// the family tables share (such as "heads", "norm", "start_id"). Whatever is set later wins. Getters throw
/// trace::Refusal that name the key, where its value came from, and what is possible.
class Settings {
  public:
    struct Value {
        std::string text;
        std::string origin; ///< such as "config.json" or "--heads"
    };

    /// `key` must be one that isKnown().
    void set(const std::string& key, std::string text, std::string origin);
    void erase(const std::string& key) { values_.erase(key); }
    const std::map<std::string, Value>& all() const { return values_; }
    std::optional<Value> find(const std::string& key) const;

    std::string text(const std::string& key) const; ///< refuses if it is not set
    std::string textOr(const std::string& key, const std::string& otherwise) const;
    std::optional<std::int64_t> integer(const std::string& key) const;
    std::optional<double> number(const std::string& key) const; ///< one that float32 holds
    std::optional<double> numberWithin(const std::string& key, double least, double most) const;
    std::optional<bool> yesOrNo(const std::string& key) const;
    std::vector<std::int64_t> integers(const std::string& key) const; ///< "5,6,7"; empty if not set

    [[noreturn]] void refuse(const std::string& key, const std::string& expected) const;

    static bool isKnown(std::string_view key);
    static bool isList(std::string_view key);
    static constexpr std::string_view noItems = "[]"; ///< text of an empty list

  private:
    std::map<std::string, Value> values_;
};

} // namespace headscope::checkpoint
