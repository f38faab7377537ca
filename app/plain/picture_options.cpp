#include "app/plain/picture_options.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace headscope::app {

namespace {

std::string joined(const std::vector<int>& numbers) {
    std::string text;
    for (const int number : numbers)
        text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

/// The shortest digits that are read back as the same number.
std::string digits(double value) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

} // namespace

const std::vector<PictureView>& pictureViews() {
    static const std::vector<PictureView> views{
        {"overview", {}, {"tint", "order", "threshold", "search"}},
        {"heatmap", {}, {"zoom", "pinned-zoom"}},
        {"lines", {}, {}},
        {"arithmetic", {}, {"page"}},
        {"masks", {"why", "effect"}, {}},
        {"positions",
         {"curves", "table", "similarity", "wavelengths", "shift", "words", "scores"},
         {"centred"}},
        {"inputs", {}, {"batch", "sentence"}, "masks"},
        {"architecture", {}, {"page", "unfolded", "block", "zoom"}},
        {"scale", {"scores", "variance", "temperature"}, {"scores-of", "temperature"}},
        {"classifier", {"answer", "words"}, {"class", "sorted", "loss"}},
        {"compare", {}, {"with", "sentence", "model", "step", "head", "aligned-only"}},
        {"logit-lens", {}, {"tint"}},
        {"attribution", {}, {"parts"}, "logit-lens"},
        {"importance", {}, {"of", "kind"}},
        {"candidates", {}, {}},
        {"beam-tree", {}, {}},
        {"contact-sheet", {}, {"by", "tinted", "sorted", "layer"}, "heads"}};
    return views;
}

const ChoiceRule* pictureChoice(const std::string& view, const std::string& choice) {
    for (const auto& known : pictureViews())
        if (known.name == view && std::ranges::find(known.choices, choice) != known.choices.end())
            return choiceRule(known.rules, choice);
    return nullptr;
}

const std::vector<const char*>& pictureQuantities() {
    static const std::vector<const char*> names{"weights",     "scores",  "open-scores",   "norm-weighted",
                                                "norm-shares", "rollout", "contributions", "gradient"};
    return names;
}

const std::vector<const char*>& pictureScales() {
    static const std::vector<const char*> names{"linear", "log", "rank"};
    return names;
}

bool comparesWithStep(const PictureOptions& options) {
    const auto with = options.choices.find("with");
    return options.view == "compare" && with != options.choices.end() &&
           with->second == ChoiceValue(std::string("step"));
}

int lastFrameTime(int milliseconds) {
    constexpr int times = 3;
    constexpr int longest = 65'535; // of an animated PNG
    return std::min(times * milliseconds, longest);
}

std::string numberedPicture(std::size_t number, const std::string& ending) {
    auto name = std::to_string(number);
    name.insert(0, name.size() < 4 ? 4 - name.size() : 0, '0');
    return name + "." + ending;
}

std::vector<std::pair<std::string, std::string>> toOptions(const PictureOptions& options) {
    const PictureOptions usual;
    std::vector<std::pair<std::string, std::string>> all{{"--view", options.view}};
    const auto add = [&](const char* option, const std::string& value) { all.emplace_back(option, value); };
    const auto addText = [&](const char* option, std::string PictureOptions::*part) {
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
    addText("--quantity", &PictureOptions::quantity);
    addText("--scale", &PictureOptions::scale);
    addFlag("--per-row", options.perRow);
    addFlag("--without-special", options.withoutSpecial);
    addFlag("--words", options.words);
    addFlag("--transposed", options.transposed);
    addFlag("--numbers", options.numbers);
    addFlag("--received", options.received);
    addFlag("--losses", options.losses);
    addText("--lines-of", &PictureOptions::lines);
    addText("--page", &PictureOptions::page);
    addText("--side", &PictureOptions::side);
    if (!options.dimensions.empty())
        add("--dimensions", joined(options.dimensions));
    addNumber("--count", options.count);
    addNumber("--offset", options.offset);
    for (const auto& sentence : options.beside)
        add("--beside", sentence);
    for (const auto& head : options.pinned)
        add("--pin", trace::toString(head));
    for (const auto& [name, value] : options.choices)
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
    addText("--font", &PictureOptions::font);
    if (options.fontSize > 0)
        add("--font-size", digits(options.fontSize));
    return all;
}

} // namespace headscope::app
