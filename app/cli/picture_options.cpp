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
std::vector<std::int64_t> numbers(const std::string& option, const std::string& text) {
    auto list = parseIds(option, text);
    for (auto& number : list)
        number = std::min<std::int64_t>(number, 1'000'000);
    return list;
}

/// `word` may stand in place of the numbers; empty: none.
CLI::Validator numberList(const char* name, const std::string& word = {}) {
    return CLI::Validator(
        [word](const std::string& text) -> std::string {
            try {
                if (word.empty() || text != word)
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

/// The option of a choice that has its own.
CLI::Option* addChoice(CLI::App& command, widgets::PictureOptions& picture,
                       const widgets::ChoiceSpec& choice) {
    using Kind = widgets::ChoiceSpec::Kind;
    const std::string option = "--" + choice.name;
    auto& value = picture.choices;
    if (choice.kind == Kind::Flag)
        return command.add_flag_callback(
            option, [&value, name = choice.name] { value[name] = true; }, choice.help);
    if (choice.kind == Kind::Whole)
        return command
            .add_option_function<int>(
                option, [&value, name = choice.name](int number) { value[name] = std::int64_t(number); },
                choice.help)
            ->check(wholeNumber(static_cast<int>(choice.low), static_cast<int>(choice.high)));
    const bool isList = choice.kind == Kind::Wholes;
    auto* text = command.add_option_function<std::string>(
        option,
        [&value, option, isList, name = choice.name](const std::string& given) {
            value[name] = isList ? widgets::ChoiceValue(numbers(option, given)) : widgets::ChoiceValue(given);
        },
        choice.help);
    if (*choice.form)
        text->check(numberList(choice.form, choice.word));
    if (!choice.words.empty())
        text->check(CLI::IsMember(choice.words));
    return text;
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
    command.add_option("--step", picture.step, "Row of the target, or mask, from 0")
        ->check(wholeNumber(0, 1'000'000))
        ->group(group);
    command
        .add_option_function<std::string>(
            "--cell",
            [&picture](const std::string& text) {
                const auto cell = numbers("--cell", text);
                if (cell.size() != 2)
                    throw CLI::ValidationError("--cell", "expected a query and a key, such as 3,4");
                picture.cell = {static_cast<int>(cell[0]), static_cast<int>(cell[1])};
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
        .add_option_function<std::string>(
            "--page", [&picture](const std::string& page) { picture.choices["page"] = page; },
            "Page of arithmetic, architecture, masks, positions, scale, classifier or compare")
        ->group(group);
    for (const auto& choice : widgets::choiceSpecs())
        if (choice.view != "map" && *choice.help)
            addChoice(command, picture, choice)->group(group);
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
    for (const auto& choice : widgets::sharedChoices())
        addChoice(command, picture, choice)->group("Heatmap");
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
                                      .maps = analyses.maps,
                                      .hasKnockOut = !analyses.knockOut.empty(),
                                      .hasExperts = analyses.experts != nullptr};
    std::vector<std::string> held;
    for (const auto& view : widgets::viewSpecs())
        if (!view.isHeld || view.isHeld(*trace.run, known, stop))
            held.emplace_back(view.key);
    return held;
}

} // namespace headscope::app
