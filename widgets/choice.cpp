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
        std::vector<ChoiceSpec> choices{{"map",
                                         "quantity",
                                         QT_TRANSLATE_NOOP("ChoiceSpec", "Quantity of the Map"),
                                         Kind::Text,
                                         {quantityNames().begin(), quantityNames().end()}},
                                        {"map",
                                         "scale",
                                         QT_TRANSLATE_NOOP("ChoiceSpec", "Colour Scale"),
                                         Kind::Text,
                                         {scaleNames().begin(), scaleNames().end()}}};
        for (const auto& [flag, title] :
             {std::pair("per-row", QT_TRANSLATE_NOOP("ChoiceSpec", "Colours per Row")),
              std::pair("without-special", QT_TRANSLATE_NOOP("ChoiceSpec", "Hide Special Tokens")),
              std::pair("words", QT_TRANSLATE_NOOP("ChoiceSpec", "Group Tokens into Words")),
              std::pair("transposed", QT_TRANSLATE_NOOP("ChoiceSpec", "Transpose")),
              std::pair("numbers", QT_TRANSLATE_NOOP("ChoiceSpec", "Numbers in the Cells")),
              std::pair("received", QT_TRANSLATE_NOOP("ChoiceSpec", "Column Totals")),
              std::pair("losses", QT_TRANSLATE_NOOP("ChoiceSpec", "Knock-out Loss per Source Token"))})
            choices.push_back({"map", flag, title, Kind::Flag});
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
