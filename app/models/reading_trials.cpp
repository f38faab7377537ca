#include "app/models/reading_trials.h"

#include <algorithm>

namespace headscope::app {

namespace {

constexpr std::size_t mostWays = 160;

/// Whether `way` has all values of `answers`, ignoring the setting `except`.
bool agrees(const ModelSettings& way, const ModelSettings& answers, const std::string& except = {}) {
    return std::ranges::all_of(answers, [&](const auto& answer) {
        const auto found = way.find(answer.first);
        return answer.first == except || (found != way.end() && found->second == answer.second);
    });
}

} // namespace

bool isComplete(const std::vector<trace::MissingSetting>& settings, const ModelSettings& answers) {
    return std::ranges::all_of(settings, [&](const auto& setting) {
        return setting.need == trace::Need::Optional || answers.contains(setting.key);
    });
}

std::vector<ModelSettings> waysToAnswer(const std::vector<trace::MissingSetting>& settings,
                                        const ModelSettings& answers) {
    std::vector<ModelSettings> ways(1);
    for (const auto& setting : settings) {
        const auto answer = answers.find(setting.key);
        if (setting.possible.empty()) {
            if (answer != answers.end())
                for (auto& way : ways)
                    way.insert(*answer);
            else if (setting.need != trace::Need::Optional)
                return {};
            continue;
        }
        std::vector<ModelSettings> longer;
        for (const auto& way : ways)
            for (const auto& value : setting.possible) {
                longer.push_back(way);
                longer.back()[setting.key] = value;
            }
        ways = std::move(longer);
    }
    std::ranges::stable_partition(ways, [&](const ModelSettings& way) { return agrees(way, answers); });
    ways.resize(std::min(ways.size(), mostWays));
    return ways;
}

const engine::Trial* ReadingTrials::trial(const ModelSettings& way) const {
    const auto found = trials_.find(way);
    return found != trials_.end() && found->second ? &*found->second : nullptr;
}

const engine::Trial* ReadingTrials::best(const std::vector<ModelSettings>& ways, const std::string& key,
                                         const std::string& value, const ModelSettings& answers) const {
    const engine::Trial* best = nullptr;
    for (const auto& way : ways) {
        const auto found = way.find(key);
        const auto* other =
            found != way.end() && found->second == value && agrees(way, answers, key) ? trial(way) : nullptr;
        if (other && (!best || other->meanLogProbability > best->meanLogProbability))
            best = other;
    }
    return best;
}

} // namespace headscope::app
