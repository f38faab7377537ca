#include "app/choices/session_choices.h"

#include "app/choices/picture_options.h"
#include "model/analysis/statistic.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

using Kind = ChoiceRule::Kind;
using Names = std::vector<std::string>;

constexpr double mostNumber = 1'000'000;

Names words(const std::vector<const char*>& names) {
    return {names.begin(), names.end()};
}

Names pagesOf(const std::string& view) {
    for (const auto& each : pictureViews())
        if (each.name == view)
            return words(each.pages);
    return {};
}

Names withStatistics(Names names) {
    for (const auto statistic : analysis::allStatistics())
        names.emplace_back(analysis::name(statistic));
    return names;
}

std::vector<ChoiceRule> mapRules() {
    std::vector<ChoiceRule> rules{{"map", "quantity", Kind::Text, words(pictureQuantities())},
                                  {"map", "scale", Kind::Text, words(pictureScales())}};
    for (const char* flag :
         {"per-row", "without-special", "words", "transposed", "numbers", "received", "losses"})
        rules.push_back({"map", flag, Kind::Flag});
    rules.push_back({"heatmap", "zoom", Kind::Numbers});
    rules.push_back({"heatmap", "pinned-zoom", Kind::Numbers});
    return rules;
}

std::vector<ChoiceRule> windowRules() {
    return {{"window", "space-marks", Kind::Flag},
            {"window", "source-share", Kind::Flag},
            {"window", "same-output", Kind::Flag},
            {"window", "step-by-step", Kind::Flag},
            {"window", "language", Kind::Text},
            {"window", "rather-than", Kind::Text},
            {"heads", "tinted", Kind::Flag},
            {"heads", "sorted", Kind::Flag},
            {"heads", "by", Kind::Text, withStatistics({"importance"})},
            {"heads", "layer", Kind::Flag}};
}

std::vector<ChoiceRule> tabRules() {
    constexpr double mostSentences = 2;
    auto masks = pagesOf("masks");
    masks.emplace_back("batch");
    return {{"lines", "lines-of", Kind::Text},
            {"masks", "page", Kind::Text, masks},
            {"masks", "batch", Kind::Texts},
            {"masks", "sentence", Kind::Whole, {}, 0, mostSentences, true},
            {"positions", "page", Kind::Text, pagesOf("positions")},
            {"positions", "side", Kind::Text, {"source", "target"}, 0, 0, true},
            {"positions", "dimensions", Kind::Wholes},
            {"positions", "count", Kind::Whole},
            {"positions", "offset", Kind::Whole},
            {"positions", "centred", Kind::Flag},
            {"positions", "curves-zoom", Kind::Numbers, {}, -mostNumber},
            {"positions", "table-zoom", Kind::Numbers},
            {"positions", "similarity-zoom", Kind::Numbers},
            {"architecture", "page", Kind::Text, {"diagram", "table"}},
            {"architecture", "unfolded", Kind::Texts},
            {"architecture", "block", Kind::Text, {}, 0, 0, true},
            {"architecture", "zoom", Kind::Numbers, {}, -mostNumber},
            {"arithmetic", "page", Kind::Text, {"head", "stream"}},
            {"scale", "page", Kind::Text, pagesOf("scale")},
            {"scale", "scores-of", Kind::Text, {"head", "layer", "model"}},
            {"scale", "temperature", Kind::Number, {}, 1e-6, 1e6},
            {"classifier", "page", Kind::Text, pagesOf("classifier")},
            {"classifier", "class", Kind::Whole, {}, 0, mostNumber, true},
            {"classifier", "sorted", Kind::Flag},
            {"classifier", "loss", Kind::Text, {"log-probability", "probability"}}};
}

std::vector<ChoiceRule> comparisonRules() {
    return {{"compare", "page", Kind::Text, {"heads", "rows", "keys", "output"}},
            {"compare", "with", Kind::Text, {"sentence", "model", "branch", "step", "unchanged"}},
            {"compare", "sentence", Kind::Text},
            {"compare", "model", Kind::Text},
            {"compare", "branch", Kind::Whole, {}, -1, mostNumber, true},
            {"compare", "step", Kind::Whole, {}, -1, mostNumber, true},
            {"compare", "head", Kind::Text, {}, 0, 0, true},
            {"compare", "aligned-only", Kind::Flag},
            {"overview", "tint", Kind::Text, withStatistics({"none", "importance"})},
            {"overview", "order", Kind::Text, withStatistics({"model", "similarity", "importance"})},
            {"overview", "threshold", Kind::Number, {}, 0, 1},
            {"overview", "search", Kind::Text}};
}

std::vector<ChoiceRule> panelRules() {
    const Names kinds{"all", "encoder", "decoder", "cross"};
    return {{"branches", "names", Kind::Texts},
            {"head-table", "search", Kind::Text},
            {"head-table", "cell", Kind::Text},
            {"head-table", "kind", Kind::Text, kinds},
            {"head-table", "sorted-by", Kind::Text, withStatistics({"head", "role", "here", "importance"})},
            {"head-table", "descending", Kind::Flag},
            {"head-table", "least-weight", Kind::Number, {}, 0, 1},
            {"importance", "of", Kind::Text, {"step", "sentence"}},
            {"importance", "kind", Kind::Text, kinds},
            {"logit-lens", "of", Kind::Text, {"model", "twin"}},
            {"logit-lens", "tint", Kind::Text, {"probability", "log-probability", "rank", "divergence"}},
            {"logit-lens", "parts", Kind::Text, {"sublayers", "heads"}},
            {"random-twin", "on", Kind::Flag},
            {"random-twin", "seed", Kind::Text},
            {"window", "theme", Kind::Text, {"system", "light", "dark"}, 0, 0, false, true},
            // The last, as others open panels, too.
            {"window", "panels-aside", Kind::Texts, {}, 0, 0, true},
            {"window", "panels", Kind::Texts, {}, 0, 0, true},
            {"window", "arrangement", Kind::Text, {}, 0, 0, false, true}};
}

} // namespace

const std::vector<ChoiceRule>& choiceRules() {
    static const std::vector<ChoiceRule> all = [] {
        std::vector<ChoiceRule> rules;
        for (auto part : {mapRules(), windowRules(), tabRules(), comparisonRules(), panelRules()})
            std::ranges::move(part, std::back_inserter(rules));
        return rules;
    }();
    return all;
}

const ChoiceRule* choiceRule(const std::string& view, const std::string& name) {
    const auto& all = choiceRules();
    const auto found = std::ranges::find_if(
        all, [&](const ChoiceRule& rule) { return rule.view == view && rule.name == name; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace headscope::app
