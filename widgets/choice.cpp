#include "widgets/choice.h"

#include "model/analysis/heads/statistic.h"

#include <utility>

namespace headscope::widgets {

ChoiceValue usualValue(const ChoiceSpec& choice) {
    using Kind = ChoiceSpec::Kind;
    switch (choice.kind) {
    case Kind::Flag:
        return choice.isOnAtFirst;
    case Kind::Whole:
        return std::int64_t(0);
    case Kind::Number:
        return 0.0;
    case Kind::Text:
        return choice.words.empty() ? std::string() : choice.words.front();
    case Kind::Wholes:
        return std::vector<std::int64_t>();
    case Kind::Numbers:
        return std::vector<double>();
    case Kind::Texts:
        break;
    }
    return std::vector<std::string>();
}

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
        std::vector<ChoiceSpec> choices{{.view = "map",
                                         .name = "quantity",
                                         .kind = Kind::Text,
                                         .words = {quantityNames().begin(), quantityNames().end()},
                                         .help = "Quantity in the cells"},
                                        {.view = "map",
                                         .name = "scale",
                                         .kind = Kind::Text,
                                         .words = {scaleNames().begin(), scaleNames().end()},
                                         .help = "Scale of the colours"}};
#define MAP_FLAG(MEMBER, ACTION, NAME, MENU, SHORTCUT, SEPARATED, TIP, HELP)                                 \
    choices.push_back({.view = "map", .name = NAME, .kind = Kind::Flag, .help = HELP});
#include "widgets/map_flags.def"
#undef MAP_FLAG
        return choices;
    }();
    return all;
}

const ChoiceSpec& quantityChoice() {
    return sharedChoices()[0];
}

const ChoiceSpec& scaleChoice() {
    return sharedChoices()[1];
}

std::vector<std::string> withStatistics(std::vector<std::string> names) {
    for (const auto statistic : analysis::allStatistics())
        names.emplace_back(analysis::name(statistic));
    return names;
}

} // namespace headscope::widgets
