#include "model/trace/missing_settings.h"

#include <algorithm>
#include <utility>

namespace headscope::trace {

namespace {

/// "a", "a and b", "a, b and c".
std::string enumerated(const std::vector<std::string>& words, const char* last) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? std::string(" ") + last + " " : ", ") + words[i];
    return text;
}

std::string optionOf(std::string key) {
    std::replace(key.begin(), key.end(), '_', '-');
    return "--" + key;
}

std::string answersOf(const MissingSetting& setting) {
    std::string text = setting.key + ": ";
    text += setting.possible.empty() ? "an id from 0 to " + std::to_string(setting.ids - 1)
                                     : enumerated(setting.possible, "or");
    return setting.known.empty() ? text : text + " (" + setting.known + ")";
}

RefusalText explain(const std::vector<MissingSetting>& settings, const std::string& where) {
    std::vector<std::string> keys, options, later;
    std::string expected;
    for (const auto& setting : settings) {
        (setting.need == Need::ToOpen ? options : later).push_back(optionOf(setting.key));
        if (setting.need == Need::ToOpen)
            keys.push_back("\"" + setting.key + "\"");
        expected += (expected.empty() ? "" : "; ") + answersOf(setting);
    }
    if (keys.empty()) { // only settings for decoding are missing
        for (const auto& setting : settings)
            if (setting.need == Need::ToDecode)
                keys.push_back("\"" + setting.key + "\"");
        options = std::exchange(later, {});
    }
    const std::string decoding = later.empty() ? "" : " (to decode also " + enumerated(later, "and") + ")";
    return {.what = "The model does not say its " + enumerated(keys, "and"),
            .where = where + " and what lies beside it (config.json, headscope.json)",
            .expected = expected,
            .found = "nothing",
            .wayOut = "give " + enumerated(options, "and") + decoding +
                      ", or write the same keys into a headscope.json beside the weights"};
}

} // namespace

MissingSettings::MissingSettings(std::vector<MissingSetting> settings, const std::string& where)
    : Refusal(explain(settings, where)), settings_(std::move(settings)) {}

} // namespace headscope::trace
