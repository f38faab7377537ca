#include "app/choices/view_options.h"

#include "widgets/view_spec.h"

#include <algorithm>
#include <cstring>

namespace headscope::app {

namespace {

bool has(const widgets::ViewSpec& view, const char* option) {
    if (std::strcmp(option, "--page") == 0)
        return !view.pages.empty() || widgets::pictureChoice(view.key, "page");
    if (std::strcmp(option, "--choose") == 0)
        return !view.drawn.empty();
    for (const char* where : {"--head", "--step", "--cell", "--query", "--key"})
        if (std::strcmp(option, where) == 0)
            return view.looksSomewhere;
    return std::ranges::any_of(view.options,
                               [&](const char* used) { return std::strcmp(used, option) == 0; });
}

} // namespace

const std::vector<ViewOption>& viewOptions() {
    static const std::vector<ViewOption> options = [] {
        std::vector<const char*> names{"--head", "--step", "--cell", "--query", "--key", "--pin"};
        names.insert(names.end(), widgets::mapOptionNames.begin(), widgets::mapOptionNames.end());
        names.insert(names.end(), {"--lines-of", "--side", "--dimensions", "--count", "--offset", "--beside",
                                   "--beside-length", "--page", "--choose"});
        std::vector<ViewOption> all;
        for (const char* option : names) {
            ViewOption one{.option = option};
            for (const auto& view : widgets::viewSpecs())
                if (has(view, option))
                    one.views.push_back(view.key);
            all.push_back(one);
        }
        return all;
    }();
    return options;
}

bool isUsed(const std::string& option, const std::string& view) {
    const auto rule = std::ranges::find(viewOptions(), option, &ViewOption::option);
    return rule == viewOptions().end() || std::ranges::find(rule->views, view) != rule->views.end();
}

} // namespace headscope::app
