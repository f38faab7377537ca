#include "model/files/torch/pickled_values.h"

#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/files/utf8.h"

namespace headscope::files {

namespace {

using nlohmann::json;

constexpr std::size_t deepest = 4; ///< dictionaries in dictionaries
constexpr std::size_t mostValues = 4096;
constexpr std::size_t longestText = 4096; ///< in bytes, also of a path
constexpr std::size_t longestList = 64;

/// Empty for containers, tensors and objects.
std::optional<json> scalar(const PickleValue& value) {
    if (const auto* flag = std::get_if<bool>(&value))
        return *flag;
    if (const auto* number = std::get_if<std::int64_t>(&value))
        return *number;
    if (const auto* number = std::get_if<double>(&value); number && std::isfinite(*number))
        return *number;
    if (const auto* text = std::get_if<std::string>(&value);
        text && text->size() <= longestText && isUtf8(*text))
        return *text;
    return std::nullopt;
}

/// Empty unless it is a short list of scalars.
std::optional<json> list(const Pickle& pickle, PickleId id) {
    const auto* asList = pickle.as<PickleList>(id);
    const auto* asTuple = pickle.as<PickleTuple>(id);
    if (!asList && !asTuple)
        return std::nullopt;
    const auto& items = asList ? asList->items : asTuple->items;
    if (items.size() > longestList)
        return std::nullopt;
    auto all = json::array();
    for (const auto item : items) {
        auto value = scalar(pickle[item]);
        if (!value)
            return std::nullopt;
        all.push_back(std::move(*value));
    }
    return all;
}

/// Returns the value with this key in the members of an object; empty if it is no object or has no such key.
std::optional<PickleId> memberOf(const Pickle& pickle, PickleId id, std::string_view key) {
    const auto* object = pickle.as<PicklePlaceholder>(id);
    const auto* members = object && object->state ? pickle.as<PickleDict>(*object->state) : nullptr;
    if (members)
        for (const auto& [name, value] : members->items)
            if (const auto* text = pickle.as<std::string>(name); text && *text == key)
                return value;
    return std::nullopt;
}

/// Returns what objects of OmegaConf, as older versions of fairseq save them, hold; other values themselves.
PickleId heldBy(const Pickle& pickle, PickleId id) {
    constexpr int mostNested = 8;
    for (int nested = 0; nested < mostNested; ++nested) {
        const auto* object = pickle.as<PicklePlaceholder>(id);
        if (!object || !object->name().starts_with("omegaconf."))
            break;
        auto held = memberOf(pickle, id, "_content");
        if (!held)
            held = memberOf(pickle, id, "_val");
        if (!held)
            break;
        id = *held;
    }
    return id;
}

struct Place {
    PickleId id;
    std::string path;
    std::size_t depth;
};

} // namespace

std::map<std::string, std::string> plainValues(const Pickle& pickle) {
    std::map<std::string, std::string> values;
    std::vector<Place> open{{pickle.root, "", 0}};
    for (std::size_t visits = 0; !open.empty();) {
        const Place place = std::move(open.back());
        open.pop_back();
        const auto* object = pickle.as<PicklePlaceholder>(place.id);
        const auto* dict = pickle.as<PickleDict>(object && object->state ? *object->state : place.id);
        if (!dict)
            continue;
        for (const auto& [key, value] : dict->items) {
            if (++visits > 16 * mostValues || values.size() == mostValues)
                return values;
            const auto* name = pickle.as<std::string>(key);
            if (!name || name->size() + place.path.size() > longestText || !isUtf8(*name))
                continue;
            auto path = place.path + *name;
            const auto held = heldBy(pickle, value);
            auto plain = scalar(pickle[held]);
            if (!plain)
                plain = list(pickle, held);
            if (plain)
                values[path] = plain->dump();
            else if (place.depth + 1 < deepest)
                open.push_back({held, path + ".", place.depth + 1});
        }
    }
    return values;
}

} // namespace headscope::files
