#pragma once

#include "model/files/limited_json.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
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
//   held        a value of one kind of a variant; written if it is held, read if the variant has its first
//   elements    like required: a part of each element of a list; what is read makes the elements
//   column      a further part of them
//   part        an object of members of the value itself
// The value is a Visitor::Of<Value>, which is constant when it is written. Errors name the place of a value
// by the keys that lead to it.

class FieldWriter;
class FieldReader;

template <class T>
concept HasFields = requires(FieldReader& reader, T& value) {
    fields(reader, value);
};
/// Names of an enumeration's values, and what is said of others: `table` and `what`.
template <class Enum>
struct Names;
template <class Enum, std::size_t Size>
using NameTable = std::array<std::pair<Enum, std::string_view>, Size>;
template <class Enum>
std::string_view nameOf(Enum value) {
    return std::ranges::find(Names<Enum>::table, value, [](const auto& entry) { return entry.first; })
        ->second;
}
/// The inverse. Throws trace::Refusal for an unknown name.
template <class Enum>
Enum named(const std::string& name, const std::string& where) {
    std::string expected;
    for (const auto& [value, known] : Names<Enum>::table) {
        if (known == name)
            return value;
        expected += (expected.empty() ? "" : ", ") + std::string(known);
    }
    throw trace::Refusal(
        {.what = std::string("This trace has a ") + Names<Enum>::what + " that means nothing",
         .where = where,
         .expected = expected,
         .found = name,
         .wayOut = "write it anew"});
}

/// Values that are written in a way of their own: Form<T>::of(value) is JSON, and Form<T>::in(json, where)
/// the inverse, which throws trace::Refusal.
template <class T>
struct Form;
template <class T>
concept HasForm = requires(const T& value) {
    Form<T>::of(value);
};
template <class T>
inline constexpr bool isList = false;
template <class T>
inline constexpr bool isList<std::vector<T>> = true;
/// Objects whose keys are not known before.
template <class T>
inline constexpr bool isMap = false;
template <class T>
inline constexpr bool isMap<std::vector<std::pair<std::string, T>>> = true;
template <class T>
inline constexpr bool isMap<std::map<std::string, T>> = true;

template <class T>
nlohmann::ordered_json toJson(const T& value);
/// Reads one member. Throws trace::Refusal as the functions of limited_json.h do. NaN is written as null.
template <class T>
void readAt(const nlohmann::json& object, const char* key, const std::string& where, T& value);

/// The place of a member of what is at `where`.
inline std::string inside(const std::string& where, const std::string& key) {
    return where + ", \"" + key + "\"";
}
[[noreturn]] void refuseNumber(const std::string& where, const std::string& expected,
                               const std::string& found);
/// Refuses a list beside another one of `expected` entries.
void refuseLength(const std::string& where, std::size_t expected, std::size_t found);
/// Returns a number from `low` to `high`. Throws trace::Refusal.
template <class Number>
Number checked(Number number, const std::string& where, Number low, Number high) {
    if (!(number >= low && number <= high))
        refuseNumber(where, nlohmann::json(low).dump() + " to " + nlohmann::json(high).dump(),
                     nlohmann::json(number).dump());
    return number;
}
/// Returns an unsigned 64-bit seed, for which other integer functions are too narrow.
std::uint64_t seedAt(const nlohmann::json& object, const std::string& key, const std::string& where);

class FieldWriter {
  public:
    static constexpr bool writes = true;
    template <class T>
    using Of = const T;

    explicit FieldWriter(nlohmann::ordered_json& json) : json_(json) {}

    /// Whatever may be missing when it is read.
    static bool contains(const char*) { return true; }

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
    void ifAny(const char* key, const std::shared_ptr<T>& value) {
        if (value)
            required(key, value);
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
    template <class T>
    void within(const char* key, const std::optional<T>& value, T, T) {
        ifAny(key, value);
    }
    void measured(const char* key, double value) { required(key, value); }
    template <class Kind, class Variant, class Part = std::identity>
    void held(const char* key, const Variant& value, const Part& part = {}) {
        if (const auto* held = std::get_if<Kind>(&value))
            required(key, std::invoke(part, *held));
    }
    template <class T, class Part>
    void column(const char* key, const std::vector<T>& list, const Part& part) {
        json_[key] = nlohmann::ordered_json::array();
        for (const auto& element : list)
            json_[key].push_back(toJson(std::invoke(part, element)));
    }
    template <class T, class Part>
    void elements(const char* key, const std::vector<T>& list, const Part& part) {
        column(key, list, part);
    }
    template <class Members>
    void part(const char* key, const Members& members) {
        json_[key] = nlohmann::ordered_json::object();
        FieldWriter writer(json_[key]);
        members(writer);
    }
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

    /// `where` names the file, and the keys that lead to the object.
    FieldReader(const nlohmann::json& object, const std::string& where) : object_(object), where_(where) {}

    /// True for anything but an object, too: reading its fields then refuses it.
    bool contains(const char* key) const { return !object_.is_object() || object_.contains(key); }
    /// Of plain values, null is the same as nothing.
    template <class T>
    bool has(const char* key) const {
        constexpr bool isPlain = std::is_arithmetic_v<T> || std::is_same_v<T, std::string> ||
                                 std::is_same_v<T, std::vector<std::int64_t>> ||
                                 std::is_same_v<T, std::vector<int>>;
        return contains(key) && !(isPlain && object_.is_object() && object_.at(key).is_null());
    }
    const nlohmann::json& object() const { return object_; }
    const std::string& where() const { return where_; }

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
        if (contains(key))
            required(key, value.emplace());
    }
    template <class T>
    void ifAny(const char* key, T& value) {
        usual(key, value);
    }
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
            value = static_cast<T>(checked<std::int64_t>(files::integerAt(object_, key, where_),
                                                         inside(where_, key), low, high));
        else
            value = checked(files::numberAt(object_, key, where_), inside(where_, key), low, high);
    }
    template <class T>
    void within(const char* key, std::optional<T>& value, T low, T high) {
        if (contains(key))
            within(key, value.emplace(), low, high);
    }
    template <class Kind, class Variant, class Part = std::identity>
    void held(const char* key, Variant& value, const Part& part = {}) {
        if (Kind read; value.index() == 0 && contains(key)) {
            required(key, std::invoke(part, read));
            value = std::move(read);
        }
    }
    template <class T, class Part>
    void elements(const char* key, std::vector<T>& list, const Part& part) {
        list.resize(files::arrayAt(object_, key, where_).size());
        column(key, list, part);
    }
    template <class T, class Part>
    void column(const char* key, std::vector<T>& list, const Part& part) {
        std::vector<std::remove_reference_t<decltype(std::invoke(part, list.front()))>> values;
        required(key, values);
        refuseLength(inside(where_, key), list.size(), values.size());
        for (std::size_t i = 0; i < list.size(); ++i)
            std::invoke(part, list[i]) = std::move(values[i]);
    }
    template <class Members>
    void part(const char* key, const Members& members) {
        if (!contains(key))
            return;
        const auto where = inside(where_, key);
        FieldReader reader(files::objectAt(object_, key, where_), where);
        members(reader);
    }

    /// A number that may be NaN, which is written as null.
    void measured(const char* key, double& value) {
        if (contains(key))
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
    const nlohmann::json& object_;
    const std::string& where_;
};

template <class T>
nlohmann::ordered_json toJson(const T& value) {
    if constexpr (HasForm<T>) {
        return Form<T>::of(value);
    } else if constexpr (HasFields<T>) {
        auto json = nlohmann::ordered_json::object();
        FieldWriter writer(json);
        fields(writer, value);
        return json;
    } else if constexpr (std::is_enum_v<T>) {
        return nameOf(value);
    } else if constexpr (isMap<T>) {
        auto json = nlohmann::ordered_json::object();
        for (const auto& [key, element] : value)
            json[key] = toJson(element);
        return json;
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

/// Reads each element by itself, as readAt() reads a member.
template <class T>
void readElements(const nlohmann::json& list, const char* key, const std::string& where,
                  std::vector<T>& values) {
    const auto place = inside(where, key);
    values.clear();
    for (const auto& element : list)
        if constexpr (HasForm<T>)
            values.push_back(Form<T>::in(element, place));
        else if constexpr (HasFields<T>)
            values.push_back(fromJson<T>(element, place));
        else if constexpr (std::is_enum_v<T>)
            values.push_back(named<T>(element, place));
        else if constexpr (std::is_floating_point_v<T>)
            values.push_back(element.is_number() ? element.template get<T>()
                                                 : std::numeric_limits<T>::quiet_NaN());
        else if constexpr (isList<T>)
            readElements(element, key, where, values.emplace_back());
        else
            values.push_back(static_cast<T>(checked<std::int64_t>(
                element, place, std::is_signed_v<T> ? std::numeric_limits<T>::min() : 0,
                static_cast<std::int64_t>(std::numeric_limits<std::make_signed_t<T>>::max()))));
}

template <class T>
void readAt(const nlohmann::json& object, const char* key, const std::string& where, T& value) {
    if constexpr (HasForm<T>) {
        value = Form<T>::in(files::memberAt(object, key, where), inside(where, key));
    } else if constexpr (HasFields<T>) {
        const auto place = inside(where, key);
        FieldReader reader(files::objectAt(object, key, where), place);
        fields(reader, value);
    } else if constexpr (std::is_enum_v<T>) {
        value = named<T>(files::stringAt(object, key, where), inside(where, key));
    } else if constexpr (std::is_same_v<T, bool>) {
        value = files::booleanAt(object, key, where);
    } else if constexpr (std::is_same_v<T, std::string>) {
        value = files::stringAt(object, key, where);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
        value = seedAt(object, key, where);
    } else if constexpr (std::is_integral_v<T>) {
        value = static_cast<T>(checked<std::int64_t>(files::integerAt(object, key, where), inside(where, key),
                                                     std::numeric_limits<T>::min(),
                                                     std::numeric_limits<T>::max()));
    } else if constexpr (std::is_floating_point_v<T>) {
        const bool isNull = files::memberAt(object, key, where).is_null();
        value = isNull ? std::numeric_limits<T>::quiet_NaN()
                       : static_cast<T>(files::numberAt(object, key, where));
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
        value = files::stringsAt(object, key, where);
    } else if constexpr (isMap<T>) {
        const auto place = inside(where, key);
        const auto& map = files::objectAt(object, key, where);
        for (const auto& [name, element] : map.items()) {
            typename T::value_type::second_type read;
            readAt(map, name.c_str(), place, read);
            value.insert(value.end(), {name, std::move(read)});
        }
    } else if constexpr (std::is_integral_v<typename T::value_type>) {
        readElements(files::integersAt(object, key, where), key, where, value);
    } else if constexpr (std::is_enum_v<typename T::value_type>) {
        readElements(files::stringsAt(object, key, where), key, where, value);
    } else {
        readElements(files::arrayAt(object, key, where), key, where, value);
    }
}

} // namespace headscope::app
