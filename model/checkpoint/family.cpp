#include "model/checkpoint/family.h"

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/trace/joined.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace headscope::checkpoint {

namespace {

using nlohmann::json;
using trace::Refusal;

constexpr std::uint64_t largestTable = 4u << 20;
const std::string layerMark = "{layer}";

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

std::string withLayer(std::string pattern, const std::string& layer) {
    if (const auto at = pattern.find(layerMark); at != pattern.npos)
        pattern.replace(at, layerMark.size(), layer);
    return pattern;
}

/// Splits "encoder.2.self.query.weight" into pattern "encoder.{layer}.self.query.weight" and layer "2".
std::pair<std::string, std::string> patternOf(const std::string& role) {
    const auto firstDot = role.find('.');
    const auto secondDot = firstDot == role.npos ? role.npos : role.find('.', firstDot + 1);
    if (secondDot == role.npos)
        return {role, ""};
    return {role.substr(0, firstDot + 1) + layerMark + role.substr(secondDot),
            role.substr(firstDot + 1, secondDot - firstDot - 1)};
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

} // namespace

std::optional<std::string> Family::tensorName(const std::string& role) const {
    if (const auto plain = tensors.find(role); plain != tensors.end())
        return plain->second;
    const auto [pattern, layer] = patternOf(role);
    const auto found = tensors.find(pattern);
    return found == tensors.end() ? std::nullopt : std::optional(withLayer(found->second, layer));
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
    const auto pattern = patternOf(role).first;
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
    if (table.contains("config")) {
        if (!table.at("config").is_object())
            refuse(where, "an object at \"config\"", table.at("config").type_name());
        for (const auto& [key, value] : table.at("config").items()) {
            if (!Settings::isKnown(key))
                refuse(where, "only known settings", "\"" + files::printable(key) + "\"");
            family.configKeys[key] = texts(table.at("config"), key, where);
        }
    }
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
    const auto& modelType = hints.modelType;
    const auto& names = hints.names;
    const auto isOfType = [&](const Family& family) {
        return modelType && std::ranges::find(family.modelTypes, modelType->text) != family.modelTypes.end();
    };
    const auto recognises = [&](const Family& family) {
        std::set<std::string> own;
        for (const auto& name : names)
            own.insert(family.withoutPrefix(name));
        const auto has = [&](const std::string& name) { return own.contains(name); };
        // A model of a type that no family has may compute something else with the same names.
        const bool mayBeOther = modelType && !family.modelTypes.empty() && !isOfType(family);
        return !mayBeOther && !family.recognisedBy.empty() && std::ranges::all_of(family.recognisedBy, has) &&
               std::ranges::none_of(family.lacks, has);
    };
    const auto named = [&](const Family& family) { return family.key == key->text; };
    // Several families may have one model type; then the tensors decide.
    const auto isRecognisedOfType = [&](const Family& family) {
        return isOfType(family) && recognises(family);
    };
    auto found = std::ranges::find_if(families, isRecognisedOfType);
    if (key || found == families.end())
        found = key ? std::ranges::find_if(families, named) : std::ranges::find_if(families, isOfType);
    if (!key && found == families.end())
        found = std::ranges::find_if(families, recognises);
    if (found != families.end())
        return *found;
    if (key)
        throw Refusal(
            {.what = "This family of models is not known",
             .where = key->origin,
             .expected = "one of " + listed(families),
             .found = "\"" + files::printable(key->text) + "\"",
             .wayOut = "leave the family out to have it recognised, or add a table to the families folder"});
    std::string some;
    int shown = 0;
    for (const auto& name : names)
        if (shown++ < 5)
            some += (some.empty() ? "" : ", ") + files::printable(name);
    const auto type =
        modelType ? "model_type \"" + files::printable(modelType->text) + "\", " : std::string();
    throw Refusal(
        {.what = "The tensors' names belong to no known family of models",
         .where = where,
         .expected = "the names of one of " + listed(families),
         .found = type + std::to_string(names.size()) + " tensors: " + some + (shown > 5 ? ", ..." : ""),
         .wayOut = "give --family if it is one of these, or add a table to the families folder"});
}

} // namespace headscope::checkpoint
