#include "app/choices/picture_options.h"

#include "app/choices/view_options.h"
#include "app/sessions/choice_text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace headscope::app {

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words)
        text += (text.empty() ? "" : ",") + word;
    return text;
}

std::string joined(const std::vector<int>& numbers) {
    std::vector<std::string> words;
    for (const int number : numbers)
        words.push_back(std::to_string(number));
    return joined(words);
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

bool decodesOthers(const widgets::PictureOptions& options) {
    return isUsed("--beside", options.view);
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
        add("--cell", joined({options.cell->first, options.cell->second}));
    addNumber("--query", options.query);
    addNumber("--key", options.key);
    addText("--quantity", &widgets::PictureOptions::quantity);
    addText("--scale", &widgets::PictureOptions::scale);
#define MAP_FLAG(MEMBER, ACTION, NAME, ...) addFlag("--" NAME, options.MEMBER);
#include "widgets/map_flags.def"
#undef MAP_FLAG
    addText("--lines-of", &widgets::PictureOptions::lines);
    addText("--page", &widgets::PictureOptions::page);
    addText("--side", &widgets::PictureOptions::side);
    if (!options.dimensions.empty())
        add("--dimensions", joined(options.dimensions));
    addNumber("--count", options.count);
    addNumber("--offset", options.offset);
    for (const auto& sentence : options.beside)
        add("--beside", sentence);
    for (const auto& head : options.pinned)
        add("--pin", trace::toString(head));
    for (const auto& [name, value] : options.choices)
        if (name == "page")
            add("--page", choiceText(value));
        else
            add("--choose", name + "=" + choiceText(value));
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
