#include "widgets/choice.h"

#include "model/analysis/heads/statistic.h"

#include <utility>

namespace headscope::widgets {

const std::vector<const char*>& quantityNames() {
    static const std::vector<const char*> names{"weights",     "scores",  "open-scores",   "norm-weighted",
                                                "norm-shares", "rollout", "contributions", "gradient"};
    return names;
}

const std::vector<const char*>& scaleNames() {
    static const std::vector<const char*> names{"linear", "log", "rank"};
    return names;
}

const std::vector<ChoiceSpec>& sharedChoices() {
    using Kind = ChoiceSpec::Kind;
    static const std::vector<ChoiceSpec> all = [] {
        std::vector<ChoiceSpec> choices{
            {"map", "quantity", Kind::Text, {quantityNames().begin(), quantityNames().end()}},
            {"map", "scale", Kind::Text, {scaleNames().begin(), scaleNames().end()}}};
#define MAP_FLAG(MEMBER, ACTION, NAME, ...) choices.push_back({"map", NAME, Kind::Flag});
#include "widgets/map_flags.def"
#undef MAP_FLAG
        return choices;
    }();
    return all;
}

std::vector<std::string> withStatistics(std::vector<std::string> names) {
    for (const auto statistic : analysis::allStatistics())
        names.emplace_back(analysis::name(statistic));
    return names;
}

} // namespace headscope::widgets
