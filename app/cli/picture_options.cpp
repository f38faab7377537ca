#include "app/cli/picture_options.h"

#include "app/cli/options.h"
#include "app/sessions/choice_text.h"
#include "app/typed_arguments.h"
#include "model/trace/refusal.h"
#include "widgets/view_spec.h"

#include <algorithm>

namespace headscope::app {

namespace {

/// Parses "4,5,6".
std::vector<int> numbers(const std::string& option, const std::string& text) {
    std::vector<int> list;
    for (const auto id : parseIds(option, text))
        list.push_back(std::min<std::int64_t>(id, 1'000'000));
    return list;
}

CLI::Validator numberList(const char* name) {
    return CLI::Validator(
        [](const std::string& text) -> std::string {
            try {
                numbers("", text);
                return {};
            } catch (const CLI::ValidationError& error) {
                return "expected numbers from 0 on, separated by commas, found \"" + text + "\"";
            }
        },
        name);
}

CLI::Validator headAddress() {
    return CLI::Validator(
        [](const std::string& text) {
            return trace::parseHeadAddress(text) ? std::string()
                                                 : "expected a head such as cross.2.5, found " + text;
        },
        "HEAD");
}

void addWhat(CLI::App& command, widgets::PictureOptions& picture) {
    const auto group = "Picture";
    std::vector<std::string> views;
    for (const auto& view : widgets::viewSpecs())
        views.emplace_back(view.key);
    command
        .add_option(
            "--view", picture.view,
            "View to draw; for training-curves, MODEL is the log.csv of a training, or the trained model")
        ->required()
        ->check(CLI::IsMember(views))
        ->group(group);
    command
        .add_option_function<std::string>(
            "--head", [&picture](const std::string& text) { picture.head = trace::parseHeadAddress(text); },
            "Head, such as cross.2.5 (default: the best-aligning cross-attention head, else encoder.0.0)")
        ->check(headAddress())
        ->group(group);
    command.add_option("--step", picture.step, "Row of the target, from 0")
        ->check(wholeNumber(0, 1'000'000))
        ->group(group);
    command
        .add_option_function<std::string>(
            "--cell",
            [&picture](const std::string& text) {
                const auto cell = numbers("--cell", text);
                if (cell.size() != 2)
                    throw CLI::ValidationError("--cell", "expected a query and a key, such as 3,4");
                picture.cell = {cell[0], cell[1]};
            },
            "Highlighted query and key")
        ->check(numberList("Q,K"))
        ->group(group);
    for (const auto& [option, token] :
         {std::pair("--query", &picture.query), std::pair("--key", &picture.key)})
        command.add_option(option, *token, "A single highlighted token, such as one whose lines are drawn")
            ->check(wholeNumber(0, 1'000'000))
            ->excludes("--cell")
            ->group(group);
    command
        .add_option("--page", picture.page,
                    "Page of arithmetic, architecture, masks, positions, scale, classifier or compare")
        ->group(group);
    command.add_option("--lines-of", picture.lines, "Heads of the layer for which lines are drawn, or all")
        ->check(CLI::Validator(
            [](const std::string& text) { return text == "all" ? std::string() : numberList("")(text); },
            "H,H"))
        ->group(group);
    command.add_option("--side", picture.side, "Side of positions")
        ->check(CLI::IsMember({"source", "target"}))
        ->group(group);
    command
        .add_option_function<std::string>(
            "--dimensions",
            [&picture](const std::string& text) { picture.dimensions = numbers("--dimensions", text); },
            "Dimensions in positions, eight at most")
        ->check(numberList("D,D"))
        ->group(group);
    command.add_option("--count", picture.count, "Number of positions in positions")
        ->check(wholeNumber(1, 1'000'000))
        ->group(group);
    command.add_option("--offset", picture.offset, "Offset of positions")
        ->check(wholeNumber(-1'000'000, 1'000'000))
        ->group(group);
    addTexts(command, "--beside", picture.beside, "Another sentence of the batch in inputs, two at most")
        ->group(group);
    command
        .add_option("--beside-length", picture.besideLength,
                    "Maximum number of tokens decoded for it (default: --max-length)")
        ->check(wholeNumber(1, 1'000'000))
        ->group(group);
    command
        .add_option_function<std::vector<std::string>>(
            "--pin",
            [&picture](const std::vector<std::string>& heads) {
                for (const auto& head : heads)
                    picture.pinned.push_back(trace::parseHeadAddress(head).value());
            },
            "Head pinned beside others in a heatmap, four at most")
        ->check(headAddress())
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
}

void addMap(CLI::App& command, widgets::PictureOptions& picture) {
    const auto group = "Heatmap";
    const auto names = [](const auto& list) { return std::vector<std::string>(list.begin(), list.end()); };
    command.add_option("--quantity", picture.quantity, "Quantity in the cells")
        ->check(CLI::IsMember(names(widgets::quantityNames())))
        ->group(group);
    command.add_option("--scale", picture.scale, "Scale of the colours")
        ->check(CLI::IsMember(names(widgets::scaleNames())))
        ->group(group);
#define MAP_FLAG(MEMBER, ACTION, NAME, MENU, SHORTCUT, SEPARATED, TIP, HELP)                                 \
    command.add_flag("--" NAME, picture.MEMBER, HELP)->group(group);
#include "widgets/map_flags.def"
#undef MAP_FLAG
}

} // namespace

void readChoices(widgets::PictureOptions& picture, const std::vector<std::string>& texts) {
    for (const auto& text : texts) {
        const auto end = std::min(text.find('='), text.size());
        const auto name = text.substr(0, end);
        const auto* rule = widgets::pictureChoice(picture.view, name);
        if (!rule || end == text.size()) {
            std::string expected;
            for (const auto& drawn : widgets::viewSpec(picture.view)->drawn)
                expected += (expected.empty() ? "" : ", ") + std::string(drawn.name) + "=...";
            throw CLI::ValidationError("--choose", "expected " + expected + "; found " + text);
        }
        try {
            picture.choices[name] = parseChoice(*rule, text.substr(end + 1), "--choose " + name);
        } catch (const trace::Refusal& refusal) {
            throw CLI::ValidationError("--choose", refusal.what());
        }
    }
}

void addPictureOptions(CLI::App& command, widgets::PictureOptions& picture,
                       std::vector<std::string>& choices) {
    addWhat(command, picture);
    addMap(command, picture);
    addTexts(command, "--choose", choices,
             "Another choice of the view, named as in session files: tint=entropy for overview, "
             "temperature=0.5 for scale, with=sentence and sentence=TEXT for compare")
        ->group("Picture");
}

std::vector<std::string> viewsOfTrace(const Trace& trace, const std::stop_token& stop) {
    const auto& analyses = trace.analyses;
    const widgets::KnownResults known{.lens = analyses.lens.get(),
                                      .importance = analyses.importance.get(),
                                      .classifier = analyses.classifier.get(),
                                      .maps = analyses.maps};
    std::vector<std::string> held;
    for (const auto& view : widgets::viewSpecs())
        if (!view.isHeld || view.isHeld(*trace.run, known, stop))
            held.emplace_back(view.key);
    return held;
}

} // namespace headscope::app
