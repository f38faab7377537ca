#include "model/checkpoint/family.h"

#include "model/checkpoint/network_prefix.h"
#include "model/checkpoint/tensor_lookup.h"
#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/trace/joined.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <compare>

namespace headscope::checkpoint {

namespace {

using nlohmann::json;
using trace::Refusal;

constexpr std::uint64_t largestTable = 4u << 20;
const std::string layerMark = "{layer}";
const std::string expertMark = "{expert}";
const std::string expertsPart = ".experts.";

[[noreturn]] void refuse(const std::string& where, const std::string& expected, const std::string& found) {
    throw Refusal({.what = "This family table cannot be used",
                   .where = where,
                   .expected = expected,
                   .found = found,
                   .wayOut = "compare it with the tables that come with the program"});
}

std::string asText(const json& value, const std::string& where, const std::string& key) {
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_number() || value.is_boolean())
        return value.dump();
    refuse(where, "text or a number at \"" + files::printable(key) + "\"", value.type_name());
}

std::vector<std::string> texts(const json& table, const std::string& key, const std::string& where) {
    std::vector<std::string> list;
    if (!table.contains(key))
        return list;
    if (!table.at(key).is_array())
        refuse(where, "a list at \"" + key + "\"", table.at(key).type_name());
    for (const auto& item : table.at(key))
        list.push_back(asText(item, where, key));
    return list;
}

std::map<std::string, std::string> textMap(const json& table, const std::string& key,
                                           const std::string& where) {
    std::map<std::string, std::string> map;
    if (!table.contains(key))
        return map;
    if (!table.at(key).is_object())
        refuse(where, "an object at \"" + key + "\"", table.at(key).type_name());
    for (const auto& [name, value] : table.at(key).items())
        map[name] = asText(value, where, name);
    return map;
}

/// Reads an object of settings and the keys by which another program has them.
std::map<std::string, std::vector<std::string>> keysOfSettings(const json& table, const std::string& key,
                                                               const std::string& where) {
    std::map<std::string, std::vector<std::string>> keys;
    if (!table.contains(key))
        return keys;
    if (!table.at(key).is_object())
        refuse(where, "an object at \"" + key + "\"", table.at(key).type_name());
    for (const auto& [setting, value] : table.at(key).items()) {
        if (!Settings::isKnown(setting))
            refuse(where, "only known settings", "\"" + files::printable(setting) + "\"");
        keys[setting] = texts(table.at(key), setting, where);
    }
    return keys;
}

std::string replaced(std::string pattern, const std::string& mark, const std::string& number) {
    if (const auto at = pattern.find(mark); at != pattern.npos)
        pattern.replace(at, mark.size(), number);
    return pattern;
}

std::string withLayer(std::string pattern, const std::string& layer) {
    return replaced(std::move(pattern), layerMark, layer);
}

/// Replaces the part of a role from `first` up to the next dot, and returns that part; empty if there is no
/// dot.
std::string taken(std::string& role, std::size_t first, const std::string& mark) {
    const auto dot = role.find('.', first);
    if (dot == role.npos)
        return {};
    auto number = role.substr(first, dot - first);
    role.replace(first, dot - first, mark);
    return number;
}

/// Replaces the number of an expert in a role or a name, and returns it; empty if it is of none.
std::string takenExpert(std::string& name) {
    const auto experts = name.find(expertsPart);
    return experts == name.npos ? std::string() : taken(name, experts + expertsPart.size(), expertMark);
}

/// A role such as "decoder.2.feed_forward.experts.1.in.weight" as pattern
/// "decoder.{layer}.feed_forward.experts.{expert}.in.weight", layer "2" and expert "1".
struct RolePattern {
    std::string text;
    std::string layer = {};
    std::string expert = {};
};
RolePattern patternOf(const std::string& role) {
    RolePattern pattern{role};
    pattern.expert = takenExpert(pattern.text);
    if (const auto dot = role.find('.'); dot != role.npos)
        pattern.layer = taken(pattern.text, dot + 1, layerMark);
    return pattern;
}

bool isNorm(const std::string& module) {
    const auto name = module.substr(module.rfind('.') + 1);
    return name.starts_with("norm_") || name.ends_with("_norm");
}

/// Adds the weight (or gain) and bias of a module.
void addModule(Family& family, const std::string& module, const std::string& name,
               const std::vector<std::string>& normEndings, const std::vector<std::string>& withoutBias) {
    const bool norm = isNorm(module);
    family.tensors[module + (norm ? ".gain" : ".weight")] = name + "." + (norm ? normEndings[0] : "weight");
    if (std::find(withoutBias.begin(), withoutBias.end(), module) == withoutBias.end())
        family.tensors[module + ".bias"] = name + "." + (norm ? normEndings[1] : "bias");
}

std::string listed(const std::vector<Family>& families) {
    std::vector<std::string> keys;
    for (const auto& family : families)
        keys.push_back(family.key);
    return keys.empty() ? "(no family table was found)" : trace::joined(keys);
}

/// Whether the family's marks are there, behind a prefix.
bool recognises(const Family& family, const TensorShapes& shapes, const std::string& prefix) {
    TensorShapes own;
    for (const auto& [name, shape] : shapes)
        if (const auto plain = nameInFamily(name, prefix, family))
            own.emplace(*plain, shape);
    const auto has = [&](const std::string& name) { return own.contains(name); };
    const auto rowsToColumns = [&](const std::string& name) -> std::strong_ordering {
        const auto found = own.find(name);
        const bool isMatrix = found != own.end() && found->second.size() == 2;
        return isMatrix ? found->second[0] <=> found->second[1] : std::strong_ordering::equal;
    };
    return !family.recognisedBy.empty() && std::ranges::all_of(family.recognisedBy, has) &&
           std::ranges::none_of(family.lacks, has) &&
           std::ranges::all_of(family.tall, [&](const auto& name) { return rowsToColumns(name) > 0; }) &&
           std::ranges::all_of(family.wide, [&](const auto& name) { return rowsToColumns(name) < 0; });
}

/// Returns the first family that recognises the tensors as they are; else the one that does so behind a
/// prefix, knows most of them, and at least half. Null if there is none.
const Family* recognising(const std::vector<const Family*>& families, const TensorShapes& shapes) {
    for (const auto* family : families)
        if (recognises(*family, shapes, ""))
            return family;
    const Family* best = nullptr;
    std::size_t most = shapes.size() / 2;
    for (const auto* family : families) {
        const auto prefix = networkPrefix(shapes, *family);
        const auto known = prefix.known * (1 + prefix.equal.size());
        if (known > most && recognises(*family, shapes, prefix.text)) {
            best = family;
            most = known;
        }
    }
    return best;
}

/// "a, b, c and 4 more", "none".
std::string firstOf(const std::vector<std::string>& names) {
    constexpr std::size_t shown = 3;
    std::vector<std::string> first;
    for (const auto& name : names)
        if (first.size() < shown)
            first.push_back(files::printable(name));
    const auto rest = names.size() - first.size();
    return names.empty() ? "none"
                         : trace::joined(first) + (rest > 0 ? " and " + std::to_string(rest) + " more" : "");
}

/// Names the family that knows most tensor names, and what differs.
std::string nearestOf(const std::vector<Family>& families, const TensorShapes& shapes) {
    const Family* nearest = nullptr;
    NetworkPrefix prefix;
    for (const auto& family : families)
        if (const auto own = networkPrefix(shapes, family); own.known > prefix.known) {
            nearest = &family;
            prefix = own;
        }
    const auto all = std::to_string(shapes.size()) + (shapes.size() == 1 ? " tensor" : " tensors");
    std::vector<std::string> unknown, missing;
    for (const auto& [name, shape] : shapes) {
        const auto plain = nearest ? nameInFamily(name, prefix.text, *nearest) : std::nullopt;
        if (!plain || !(nearest->knows(*plain) || nearest->isIgnored(*plain)))
            unknown.push_back(name);
    }
    // One name in ten may be the same by chance.
    if (!nearest || prefix.known * 10 < shapes.size())
        return all + "; no family is near" +
               (nearest ? ": " + nearest->key + " knows " + std::to_string(prefix.known) + " of their names"
                        : "") +
               "; unknown: " + firstOf(unknown);
    for (const auto& [role, name] : nearest->tensors) {
        const auto wanted = partOf(replaced(withLayer(name, "0"), expertMark, "0")).name;
        const bool isThere = std::ranges::any_of(shapes, [&](const auto& tensor) {
            return nameInFamily(tensor.first, prefix.text, *nearest) == wanted;
        });
        const bool mayLack = nearest->isOptional(withLayer(role, "0")) ||
                             std::ranges::find(nearest->tied, role) != nearest->tied.end();
        if (!isThere && !mayLack && std::ranges::find(missing, wanted) == missing.end())
            missing.push_back(wanted);
    }
    return all + "; nearest family: " + nearest->key + ", which knows " + std::to_string(prefix.known) +
           " of their names" +
           (prefix.text.empty() ? "" : " behind \"" + files::printable(prefix.text) + "\"") +
           "; missing: " + firstOf(missing) + "; unknown: " + firstOf(unknown);
}

/// Refuses a type such as "encoder-decoder: bert, gpt2" if families have the same with other parts.
void refuseCombination(const std::vector<Family>& families, const Settings::Value& type) {
    const auto colon = type.text.find(": ");
    std::vector<std::string> known;
    for (const auto& family : families)
        for (const auto& other : family.modelTypes)
            if (colon != type.text.npos && other.starts_with(type.text.substr(0, colon + 2)))
                known.push_back(other.substr(colon + 2));
    if (known.empty())
        return;
    for (auto& combination : known)
        combination.replace(combination.find(", "), 2, " and ");
    throw Refusal({.what = "An encoder and a decoder of these types cannot be read together",
                   .where = type.origin,
                   .expected = "one of: " + trace::joined(known),
                   .found = files::printable(type.text.substr(colon + 2)),
                   .wayOut = "open another model, or add a table to the families folder"});
}

} // namespace

std::optional<std::string> Family::tensorName(const std::string& role) const {
    if (const auto plain = tensors.find(role); plain != tensors.end())
        return plain->second;
    const auto pattern = patternOf(role);
    const auto found = tensors.find(pattern.text);
    if (found == tensors.end())
        return std::nullopt;
    int number = 0;
    const auto* const last = pattern.layer.data() + pattern.layer.size();
    const auto [end, error] = std::from_chars(pattern.layer.data(), last, number);
    const bool isCounted = error == std::errc() && end == last;
    const auto layer = isCounted ? std::to_string(number + firstLayer) : pattern.layer;
    return replaced(withLayer(found->second, layer), expertMark, pattern.expert);
}

bool Family::shareTensor(const std::string& role, const std::string& other) const {
    const auto name = tensorName(role);
    return name && name == tensorName(other);
}

std::string Family::withoutPrefix(const std::string& name) const {
    std::string plain = name;
    for (const auto& prefix : prefixes)
        if (plain.starts_with(prefix)) {
            plain.erase(0, prefix.size());
            break;
        }
    for (const auto& [older, newer] : olderEndings)
        if (plain.ends_with(older))
            return plain.substr(0, plain.size() - older.size()) + newer;
    return plain;
}

bool Family::knows(const std::string& name) const {
    if (names.contains(name))
        return true;
    constexpr std::string_view digits = "0123456789";
    auto pattern = name;
    takenExpert(pattern);
    for (auto at = pattern.find_first_of(digits); at != pattern.npos;) {
        const auto end = std::min(pattern.find_first_not_of(digits, at), pattern.size());
        if (names.contains(pattern.substr(0, at) + layerMark + pattern.substr(end)))
            return true;
        at = pattern.find_first_of(digits, end);
    }
    return false;
}

bool Family::isIgnored(const std::string& name) const {
    return std::ranges::any_of(ignored, [&](const std::string& pattern) {
        const auto mark = pattern.find(layerMark);
        if (pattern.ends_with(".*"))
            return name.starts_with(pattern.substr(0, pattern.size() - 1));
        if (mark == pattern.npos)
            return name == pattern;
        const auto end = std::string_view(pattern).substr(mark + layerMark.size());
        if (name.size() <= mark + end.size() || !name.starts_with(pattern.substr(0, mark)) ||
            !name.ends_with(end))
            return false;
        const auto layer = std::string_view(name).substr(mark, name.size() - mark - end.size());
        return layer.find_first_not_of("0123456789") == layer.npos;
    });
}

bool Family::isOptional(const std::string& role) const {
    const auto pattern = patternOf(role).text;
    return std::any_of(optional.begin(), optional.end(), [&](const std::string& entry) {
        return entry == role || entry == pattern || (entry == "*.bias" && role.ends_with(".bias"));
    });
}

Family parseFamily(const std::string& text, const std::string& where) {
    const json table = files::parseJson(text, where);
    if (!table.is_object() || !table.contains("family") ||
        !(table.contains("tensors") || table.contains("modules")))
        refuse(where, "an object with \"family\" and \"tensors\" or \"modules\"", table.type_name());
    Family family;
    family.key = asText(table.at("family"), where, "family");
    family.title = table.contains("title") ? asText(table.at("title"), where, "title") : family.key;
    family.modelTypes = texts(table, "model_type", where);
    family.prefixes = texts(table, "prefixes", where);
    family.olderEndings = textMap(table, "older_endings", where);
    family.architectures = texts(table, "architectures", where);
    family.required = textMap(table, "required", where);
    family.ignored = texts(table, "ignored", where);
    family.recognisedBy = texts(table, "recognised_by", where);
    family.lacks = texts(table, "lacks", where);
    family.tall = texts(table, "tall", where);
    family.wide = texts(table, "wide", where);
    family.tensors = textMap(table, "tensors", where);
    auto normEndings = texts(table, "norm_endings", where);
    if (normEndings.empty())
        normEndings = {"weight", "bias"};
    if (normEndings.size() != 2)
        refuse(where, "two endings at \"norm_endings\"", std::to_string(normEndings.size()));
    for (const auto& [module, name] : textMap(table, "modules", where))
        addModule(family, module, name, normEndings, texts(table, "no_bias", where));
    family.optional = texts(table, "optional", where);
    family.tied = texts(table, "tied", where);
    family.settings = textMap(table, "settings", where);
    for (const auto& [key, value] : family.settings)
        if (!Settings::isKnown(key))
            refuse(where, "only known settings", "\"" + files::printable(key) + "\"");
    family.configKeys = keysOfSettings(table, "config", where);
    family.checkpointKeys = keysOfSettings(table, "checkpoint", where);
    if (table.contains("config_file"))
        family.configFile = asText(table.at("config_file"), where, "config_file");
    family.firstLayer = table.contains("first_layer") && table.at("first_layer") == 1 ? 1 : 0;
    if (table.contains("words") && table.at("words").is_object())
        for (const auto& [setting, words] : table.at("words").items())
            family.words[setting] = textMap(table.at("words"), setting, where);
    for (const auto& [role, name] : family.tensors)
        family.names.insert(partOf(name).name);
    return family;
}

std::vector<Family> loadFamilies(const std::vector<std::filesystem::path>& folders,
                                 std::vector<trace::RefusalText>& broken) {
    std::map<std::string, Family> byKey;
    for (const auto& folder : folders) {
        std::error_code ignored;
        std::vector<std::filesystem::path> tables;
        for (std::filesystem::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
             entry.increment(ignored))
            if (entry->path().extension() == ".json")
                tables.push_back(entry->path());
        std::sort(tables.begin(), tables.end());
        for (const auto& table : tables)
            try {
                Family family = parseFamily(files::readText(table, largestTable), table.string());
                if (folder != folders.front())
                    family.ownTable = table;
                byKey[family.key] = std::move(family);
            } catch (const Refusal& refusal) {
                broken.push_back(refusal.text());
            }
    }
    std::vector<Family> families;
    for (auto& [key, family] : byKey)
        families.push_back(std::move(family));
    return families;
}

const Family& chooseFamily(const std::vector<Family>& families, const FamilyHints& hints,
                           const std::string& where) {
    const auto& key = hints.key;
    if (key) {
        const auto found = std::ranges::find(families, key->text, &Family::key);
        if (found != families.end())
            return *found;
        throw Refusal(
            {.what = "This family of models is not known",
             .where = key->origin,
             .expected = "one of " + listed(families),
             .found = "\"" + files::printable(key->text) + "\"",
             .wayOut = "leave the family out to have it recognised, or add a table to the families folder"});
    }
    const auto& type = hints.modelType;
    const auto isOfType = [&](const Family& family) {
        return type && std::ranges::find(family.modelTypes, type->text) != family.modelTypes.end();
    };
    // Several families may have one model type; then the tensors decide. A model of a type that no family has
    // may compute something else with the same names.
    std::vector<const Family*> ofType, others;
    for (const auto& family : families)
        if (isOfType(family))
            ofType.push_back(&family);
        else if (!type || family.modelTypes.empty())
            others.push_back(&family);
    if (const auto* found = recognising(ofType, hints.shapes))
        return *found;
    if (!ofType.empty())
        return *ofType.front();
    if (type)
        refuseCombination(families, *type);
    if (const auto* found = recognising(others, hints.shapes))
        return *found;
    throw Refusal({.what = "The tensors' names belong to no known family of models",
                   .where = where,
                   .expected = "the tensors of a known family",
                   .found = (type ? "model_type \"" + files::printable(type->text) + "\", " : std::string()) +
                            nearestOf(families, hints.shapes),
                   .wayOut =
                       "give --family to have all that differs from a family listed, or add a table to the "
                       "families folder"});
}

} // namespace headscope::checkpoint
