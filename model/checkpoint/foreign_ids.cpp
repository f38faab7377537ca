#include "model/checkpoint/foreign_ids.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace headscope::checkpoint {

std::string outsideVocabulary(const std::string& key, std::int64_t id, std::int64_t vocabulary,
                              const std::string& origin) {
    return key + " " + std::to_string(id) + " of " + origin + " is left out: the vocabulary has " +
           std::to_string(vocabulary) + " tokens";
}

std::vector<std::string> removeForeignIds(Settings& settings, const network::NetworkConfig& config) {
    const auto target = config.decoder.layers > 0 ? config.targetVocabulary : config.sourceVocabulary;
    const auto source = config.encoder.layers > 0 ? config.sourceVocabulary : target;
    std::vector<std::string> notes;
    for (const std::string key : {"start_id", "end_id", "pad_id", "unknown_id"}) {
        const auto stated = settings.find(key);
        if (!stated || stated->origin.starts_with("--"))
            continue;
        const auto vocabulary = key == "pad_id" ? std::min(source, target) : target;
        std::string inside;
        bool isWhole = true;
        for (const auto& item : settings.items(key)) {
            std::int64_t id = 0;
            const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), id);
            const bool isNumber = error == std::errc() && end == item.data() + item.size();
            if (!isNumber || (id >= 0 && id < vocabulary)) { // what is no number is refused where it is read
                inside += (inside.empty() ? "" : ",") + item;
                continue;
            }
            isWhole = false;
            notes.push_back(outsideVocabulary(key, id, vocabulary, stated->origin));
        }
        if (!isWhole && inside.empty())
            settings.erase(key);
        else if (!isWhole)
            settings.set(key, inside, stated->origin);
    }
    return notes;
}

} // namespace headscope::checkpoint
