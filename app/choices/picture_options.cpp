#include "app/choices/picture_options.h"

#include "app/sessions/choice_text.h"
#include "widgets/view_spec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

namespace headscope::app {

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words)
        text += (text.empty() ? "" : ",") + word;
    return text;
}

template <class Number>
std::string joined(const std::vector<Number>& numbers) {
    std::vector<std::string> words;
    for (const Number number : numbers)
        words.push_back(std::to_string(number));
    return joined(words);
}

/// A choice that has an option of its own.
bool hasOption(const widgets::ChoiceSpec& choice) {
    return *choice.help || choice.name == "page";
}

bool isOwnOption(const widgets::PictureOptions& options, const std::string& name) {
    const auto* choice = widgets::pictureChoice(options.view, name);
    return choice && hasOption(*choice);
}

/// As its own option takes it; empty for a flag.
std::string optionText(const widgets::ChoiceValue& value) {
    if (std::holds_alternative<bool>(value))
        return {};
    const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value);
    return numbers ? joined(*numbers) : choiceText(value);
}

/// Shortest representation that is parsed as the same number.
std::string digits(double value) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

} // namespace

const std::vector<const char*>& pictureParts() {
    static const std::vector<const char*> names{"caption", "notes", "marks"};
    return names;
}

int lastFrameTime(int milliseconds) {
    constexpr int times = 3;
    constexpr int longest = 65'535; // limit of animated PNG
    return std::min(times * milliseconds, longest);
}

std::string numberedPicture(std::size_t number, const std::string& ending) {
    auto name = std::to_string(number);
    name.insert(0, name.size() < 4 ? 4 - name.size() : 0, '0');
    return name + "." + ending;
}

std::optional<std::vector<const char*>> viewsThatUse(const std::string& option) {
    using widgets::ViewSpec;
    std::function<bool(const ViewSpec&)> uses;
    const std::string name = option.substr(std::min<std::size_t>(2, option.size()));
    const auto isOption = [&](const auto& choice) { return hasOption(choice) && choice.name == name; };
    if (name == "head" || name == "step" || name == "cell" || name == "query" || name == "key")
        uses = [](const ViewSpec& view) { return view.looksSomewhere; };
    else if (name == "pin")
        uses = [](const ViewSpec& view) { return view.showsPins; };
    else if (name == "beside" || name == "beside-length")
        uses = [](const ViewSpec& view) { return view.decodesOthers; };
    else if (name == "choose")
        uses = [](const ViewSpec& view) {
            return std::ranges::any_of(view.drawn, [&](const auto& drawn) {
                const auto& choice = *widgets::pictureChoice(view.key, drawn.name);
                return !*choice.help && (choice.name != "page" || view.pages.empty());
            });
        };
    else if (std::ranges::any_of(widgets::choiceSpecs(), isOption))
        uses = [&](const ViewSpec& view) { return widgets::pictureChoice(view.key, name) != nullptr; };
    else
        return std::nullopt;
    std::vector<const char*> views;
    for (const auto& view : widgets::viewSpecs())
        if (uses(view))
            views.push_back(view.key);
    return views;
}

std::pair<std::string, std::string> optionOf(const widgets::PictureOptions& options,
                                             const std::string& choice) {
    const auto& value = options.choices.at(choice);
    return isOwnOption(options, choice)
               ? std::pair("--" + choice, optionText(value))
               : std::pair(std::string("--choose"), choice + "=" + choiceText(value));
}

std::vector<std::pair<std::string, std::string>> toOptions(const widgets::PictureOptions& options) {
    const widgets::PictureOptions usual;
    std::vector<std::pair<std::string, std::string>> all{{"--view", options.view}};
    const auto add = [&](const char* option, const std::string& value) { all.emplace_back(option, value); };
    const auto addText = [&](const char* option, std::string widgets::PictureOptions::*part) {
        if (options.*part != usual.*part)
            add(option, options.*part);
    };
    const auto addFlag = [&](const char* option, bool given) {
        if (given)
            add(option, "");
    };
    const auto addNumber = [&](const char* option, const std::optional<int>& number) {
        if (number)
            add(option, std::to_string(*number));
    };
    if (options.head)
        add("--head", trace::toString(*options.head));
    if (options.step != usual.step && !options.animate)
        add("--step", std::to_string(options.step));
    if (options.cell)
        add("--cell", joined(std::vector{options.cell->first, options.cell->second}));
    addNumber("--query", options.query);
    addNumber("--key", options.key);
    for (const auto& choice : widgets::viewSpec(options.view)->drawn)
        if (const auto value = widgets::chosenValue(options, choice.name);
            value && isOwnOption(options, choice.name) && value != widgets::ChoiceValue(false))
            all.push_back(optionOf(options, choice.name));
    for (const auto& sentence : options.beside)
        add("--beside", sentence);
    for (const auto& head : options.pinned)
        add("--pin", trace::toString(head));
    for (const auto& [name, value] : options.choices)
        if (!isOwnOption(options, name))
            all.push_back(optionOf(options, name));
    addFlag("--no-space-marks", !options.spaceMarks);
    addFlag("--animate", options.animate);
    if (options.animate && options.frameTime != usual.frameTime)
        add("--frame-time", std::to_string(options.frameTime));
    addNumber("--width", options.width);
    addNumber("--height", options.height);
    if (options.dpi != usual.dpi)
        add("--dpi", std::to_string(options.dpi));
    if (options.dark)
        add("--theme", "dark");
    addFlag("--caption", options.caption);
    if (!options.without.empty())
        add("--without", joined(options.without));
    addText("--font", &widgets::PictureOptions::font);
    if (options.fontSize > 0)
        add("--font-size", digits(options.fontSize));
    return all;
}

} // namespace headscope::app
