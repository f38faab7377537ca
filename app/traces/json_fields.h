#pragma once

#include "app/traces/trace_names.h"
#include "model/files/limited_json.h"

#include <nlohmann/json.hpp>

#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace headscope::app {

// One description of the fields of a value writes it as JSON, reads it and checks it: a function template
// fields(visitor, value) that names each member with one of
//   required    always written; a file without it is refused
//   usual       always written; if it is missing the member stays as it is
//   ifAny       written unless it is empty; may be missing
//   within      like usual, and refused outside of two limits
//   measured    like usual; NaN is written as null
//   unless      written unless it is the value given as usual, which a file without it has
// The value is a Visitor::Of<Value>, which is constant when it is written.

class FieldWriter;
class FieldReader;

template <class T>
concept HasFields = requires(FieldReader& reader, T& value) {
    fields(reader, value);
};
template <class T>
concept HasText = requires(const T& value) {
    { toString(value) } -> std::same_as<std::string>;
};
template <class T>
inline constexpr bool isList = false;
template <class T>
inline constexpr bool isList<std::vector<T>> = true;

template <class T>
nlohmann::ordered_json toJson(const T& value);
/// Reads one member. Throws trace::Refusal as the functions of limited_json.h do. NaN is written as null.
template <class T>
void readAt(const nlohmann::json& object, const char* key, const std::string& where, T& value);

void readAt(const nlohmann::json& object, const char* key, const std::string& where,
            trace::SublayerAddress& value);

/// Returns an integer from `low` to `high`. Throws trace::Refusal.
std::int64_t checkedWhole(std::int64_t number, const std::string& key, const std::string& where,
                          std::int64_t low, std::int64_t high);
double checkedNumber(double number, const std::string& key, const std::string& where, double low,
                     double high);
/// Returns an unsigned 64-bit seed, for which other integer functions are too narrow.
std::uint64_t seedAt(const nlohmann::json& object, const std::string& key, const std::string& where);

class FieldWriter {
  public:
    static constexpr bool writes = true;
    template <class T>
    using Of = const T;

    explicit FieldWriter(nlohmann::ordered_json& json) : json_(json) {}

    template <class T>
    void required(const char* key, const T& value) {
        json_[key] = toJson(value);
    }
    template <class T>
    void usual(const char* key, const T& value) {
        required(key, value);
    }
    template <class T>
    void usual(const char* key, const T& value, const T&) {
        required(key, value);
    }
    template <class T>
    void ifAny(const char* key, const std::optional<T>& value) {
        if (value)
            required(key, *value);
    }
    template <class T>
    requires requires(const T& list) { list.empty(); }
    void ifAny(const char* key, const T& value) {
        if (!value.empty())
            required(key, value);
    }
    template <class T>
    void unless(const char* key, const T& value, const T& usual) {
        if (value != usual)
            required(key, value);
    }
    template <class T>
    void within(const char* key, const T& value, T, T) {
        required(key, value);
    }
    void measured(const char* key, double value) { required(key, value); }
    template <class T>
    void pairs(const char* key, const std::vector<std::pair<std::string, T>>& pairs) {
        json_[key] = nlohmann::ordered_json::array();
        for (const auto& [name, value] : pairs)
            json_[key].push_back({name, value});
    }

  private:
    nlohmann::ordered_json& json_;
};

class FieldReader {
  public:
    static constexpr bool writes = false;
    template <class T>
    using Of = T;

    /// `where` names the file.
    FieldReader(const nlohmann::json& object, const std::string& where) : object_(object), where_(where) {}

    template <class T>
    void required(const char* key, T& value) {
        readAt(object_, key, where_, value);
    }
    template <class T>
    void usual(const char* key, T& value) {
        if (has<T>(key))
            required(key, value);
    }
    template <class T>
    void usual(const char* key, T& value, const T& otherwise) {
        value = otherwise;
        usual(key, value);
    }
    template <class T>
    void ifAny(const char* key, std::optional<T>& value) {
        if (!object_.is_object() || object_.contains(key))
            required(key, value.emplace());
    }
    template <class T>
    requires requires(const T& list) { list.empty(); }
    void ifAny(const char* key, T& value) { usual(key, value); }
    template <class T>
    void unless(const char* key, T& value, const T&) {
        usual(key, value);
    }
    /// A number from `low` to `high`, which may be missing.
    template <class T>
    void within(const char* key, T& value, T low, T high) {
        if (!has<T>(key))
            return;
        if constexpr (std::is_integral_v<T>)
            value =
                static_cast<T>(checkedWhole(files::integerAt(object_, key, where_), key, where_, low, high));
        else
            value = checkedNumber(files::numberAt(object_, key, where_), key, where_, low, high);
    }

    /// A number that may be NaN, which is written as null.
    void measured(const char* key, double& value) {
        if (!object_.is_object() || object_.contains(key))
            required(key, value);
    }

    /// Words for display; what is no pair of them is skipped.
    template <class T>
    void pairs(const char* key, std::vector<std::pair<std::string, T>>& pairs) {
        for (const auto& pair : object_.value(key, nlohmann::json::array()))
            if (pair.is_array() && pair.size() == 2 && pair[0].is_string() &&
                (std::is_same_v<T, std::string> ? pair[1].is_string() : pair[1].is_number_integer()))
                pairs.emplace_back(pair[0], pair[1]);
    }

  private:
    /// Of plain values, null is the same as nothing. What is no object is refused by whoever reads of it.
    template <class T>
    bool has(const char* key) const {
        constexpr bool isPlain = std::is_arithmetic_v<T> || std::is_same_v<T, std::string> ||
                                 std::is_same_v<T, std::vector<std::int64_t>> ||
                                 std::is_same_v<T, std::vector<int>>;
        return !object_.is_object() || (object_.contains(key) && !(isPlain && object_.at(key).is_null()));
    }

    const nlohmann::json& object_;
    const std::string& where_;
};

template <class T>
nlohmann::ordered_json toJson(const T& value) {
    if constexpr (HasFields<T>) {
        auto json = nlohmann::ordered_json::object();
        FieldWriter writer(json);
        fields(writer, value);
        return json;
    } else if constexpr (std::is_enum_v<T>) {
        return nameIn(Names<T>::table, value);
    } else if constexpr (HasText<T>) {
        return toString(value);
    } else if constexpr (isList<T>) {
        auto list = nlohmann::ordered_json::array();
        for (const auto& element : value)
            list.push_back(toJson(element));
        return list;
    } else {
        return value;
    }
}

template <class T>
T fromJson(const nlohmann::json& object, const std::string& where) {
    T value{};
    FieldReader reader(object, where);
    fields(reader, value);
    return value;
}

template <class T>
void readAt(const nlohmann::json& object, const char* key, const std::string& where, T& value) {
    if constexpr (HasFields<T>) {
        FieldReader reader(files::objectAt(object, key, where), where);
        fields(reader, value);
    } else if constexpr (std::is_enum_v<T>) {
        value = valueIn(Names<T>::table, files::stringAt(object, key, where), where, Names<T>::what);
    } else if constexpr (std::is_same_v<T, bool>) {
        value = files::booleanAt(object, key, where);
    } else if constexpr (std::is_same_v<T, std::string>) {
        value = files::stringAt(object, key, where);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
        value = seedAt(object, key, where);
    } else if constexpr (std::is_integral_v<T>) {
        value = static_cast<T>(files::integerAt(object, key, where));
    } else if constexpr (std::is_floating_point_v<T>) {
        const bool isNull = files::memberAt(object, key, where).is_null();
        value = isNull ? std::numeric_limits<T>::quiet_NaN()
                       : static_cast<T>(files::numberAt(object, key, where));
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
        value = files::stringsAt(object, key, where);
    } else if constexpr (std::is_same_v<T, std::vector<double>>) {
        value.clear();
        for (const auto& number : files::arrayAt(object, key, where))
            value.push_back(number.is_number() ? number.template get<double>()
                                               : std::numeric_limits<double>::quiet_NaN());
    } else if constexpr (HasFields<typename T::value_type>) {
        value.clear();
        for (const auto& element : files::arrayAt(object, key, where))
            value.push_back(fromJson<typename T::value_type>(element, where));
    } else {
        const auto numbers = files::integersAt(object, key, where);
        value.assign(numbers.begin(), numbers.end());
    }
}

} // namespace headscope::app
