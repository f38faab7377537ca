#include "model/training/config_reader.h"

#include <utility>

namespace headscope::training {

namespace {

std::string shown(const nlohmann::json& value) {
    return files::printable(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), 60);
}

std::string inJson(double value) {
    return nlohmann::json(value).dump();
}

} // namespace

ConfigReader::ConfigReader(const nlohmann::json& object, std::string name, std::filesystem::path folder,
                           files::Findings& findings)
    : object_(object.is_null() ? nlohmann::json::object() : object), name_(std::move(name)),
      folder_(std::move(folder)), findings_(findings) {
    if (object_.is_object())
        return;
    refuse("", "an object", shown(object_));
    object_ = nlohmann::json::object();
}

void ConfigReader::refuse(const std::string& key, const std::string& expected, const std::string& found) {
    auto name = name_ + key;
    if (name.ends_with('.'))
        name.pop_back();
    findings_.add(name + ": expected " + expected + ", found " + found);
}

const nlohmann::json& ConfigReader::member(const char* key) {
    static const nlohmann::json none;
    known_.insert(key);
    const auto found = object_.find(key);
    return found == object_.end() ? none : *found;
}

void ConfigReader::read(const char* key, std::int64_t& value, std::int64_t least, std::int64_t most) {
    const auto& member = this->member(key);
    if (member.is_null())
        return;
    const auto expected = "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    const bool tooLarge =
        member.is_number_unsigned() && member.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
    if (!member.is_number_integer() || tooLarge || member.get<std::int64_t>() < least ||
        member.get<std::int64_t>() > most)
        return refuse(key, expected, shown(member));
    value = member.get<std::int64_t>();
}

void ConfigReader::read(const char* key, std::uint64_t& value) {
    const auto& member = this->member(key);
    if (member.is_null())
        return;
    if (!member.is_number_unsigned())
        return refuse(key, "a whole number from 0 on", shown(member));
    value = member.get<std::uint64_t>();
}

void ConfigReader::read(const char* key, double& value, double least, double most) {
    const auto& member = this->member(key);
    if (member.is_null())
        return;
    if (!member.is_number() || !(member.get<double>() >= least && member.get<double>() <= most))
        return refuse(key, "a number from " + inJson(least) + " to " + inJson(most), shown(member));
    value = member.get<double>();
}

void ConfigReader::read(const char* key, bool& value) {
    const auto& member = this->member(key);
    if (member.is_null())
        return;
    if (!member.is_boolean())
        return refuse(key, "true or false", shown(member));
    value = member.get<bool>();
}

void ConfigReader::read(const char* key, std::string& value) {
    const auto& member = this->member(key);
    if (member.is_null())
        return;
    if (!member.is_string())
        return refuse(key, "a text", shown(member));
    value = member.get<std::string>();
}

void ConfigReader::read(const char* key, std::filesystem::path& value) {
    std::string text;
    read(key, text);
    if (!text.empty())
        value = folder_ / text; // an absolute path replaces the folder
}

void ConfigReader::read(const char* key, std::optional<std::filesystem::path>& value) {
    std::filesystem::path path;
    read(key, path);
    if (!path.empty())
        value = path;
}

void ConfigReader::read(const char* key, std::vector<std::string>& value) {
    const auto& member = this->member(key);
    if (member.is_null())
        return;
    std::vector<std::string> texts;
    for (const auto& element : member.is_array() ? member : nlohmann::json::array({0}))
        if (element.is_string())
            texts.push_back(element.get<std::string>());
        else
            return refuse(key, "a list of texts", shown(member));
    value = std::move(texts);
}

void ConfigReader::read(const char* key, std::vector<std::int64_t>& value) {
    const auto& member = this->member(key);
    if (member.is_null())
        return;
    std::vector<std::int64_t> numbers;
    for (const auto& element : member.is_array() ? member : nlohmann::json::array({""}))
        if (element.is_number_unsigned() && element.get<std::uint64_t>() <= 1'000'000'000)
            numbers.push_back(element.get<std::int64_t>());
        else
            return refuse(key, "a list of whole numbers", shown(member));
    value = std::move(numbers);
}

std::size_t ConfigReader::choose(const char* key, const std::vector<std::string>& words,
                                 std::size_t otherwise) {
    std::string word = words[otherwise];
    read(key, word);
    std::string expected;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == word)
            return i;
        expected += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    }
    refuse(key, expected, "\"" + files::printable(word, 60) + "\"");
    return otherwise;
}

void ConfigReader::refuseUnknown() {
    for (const auto& [key, value] : object_.items())
        if (!known_.contains(key))
            findings_.add(name_ + files::printable(key, 60) + ": no such key");
}

} // namespace headscope::training
