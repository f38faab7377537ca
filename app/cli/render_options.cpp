#include "app/cli/render_options.h"

#include "app/choices/animation.h"
#include "app/cli/picture_options.h"
#include "app/models/resource_folders.h"
#include "app/sessions/choice_text.h"
#include "app/traces/read_trace.h"
#include "app/typed_arguments.h"
#include "model/files/figure_files.h"
#include "model/trace/joined.h"
#include "model/trace/refusal.h"
#include "model/trace/run_path.h"
#include "widgets/view_spec.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <utility>

namespace headscope::app {

namespace {

namespace fs = std::filesystem;
using CLI::ValidationError;

/// The file name's extension in lower case.
std::string endingOf(const std::string& path) {
    auto found = fs::path(path).extension().string();
    std::ranges::transform(found, found.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return found;
}

CLI::Validator ending() {
    return CLI::Validator(
        [](const std::string& path) {
            const auto found = endingOf(path);
            if (found == ".png" || found == ".svg" || found == ".pdf" || found == ".html" ||
                files::isDataFile(path))
                return std::string();
            std::string expected =
                "expected .png, .svg, .pdf or .html, or for the numbers behind the picture";
            for (const auto& ending : files::dataEndings())
                expected += " " + ending;
            return expected + ", found " + path;
        },
        "");
}

/// Parses "caption,notes"; the result is unique and in the order of pictureParts(). Throws ValidationError.
std::vector<std::string> readParts(const std::string& text) {
    const auto& known = pictureParts();
    std::vector<std::string> given;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(',', from), text.size());
        given.push_back(text.substr(from, end - from));
        if (std::ranges::find(known, given.back()) == known.end())
            throw ValidationError("--without", "expected some of " + trace::joined(known) +
                                                   ", separated by commas; found " + text);
        from = end + 1;
    }
    std::vector<std::string> parts;
    std::ranges::copy_if(known, std::back_inserter(parts),
                         [&](const char* part) { return std::ranges::find(given, part) != given.end(); });
    return parts;
}

} // namespace

void RenderOptions::addFile(CLI::App& command) {
    const auto group = "Output";
    constexpr int longest = 1'000'000; // the drawing code refuses large sizes and names the largest possible
    addTexts(command, "--out", out,
             "Output file: .png, .svg, .pdf, or .html with values under the pointer; its numbers as .csv, "
             ".json or .npz; can be given several times")
        ->check(ending())
        ->group(group);
    command
        .add_flag(
            "--animate", picture.animate,
            "Draw a frame for each step of the decoding: an animated PNG, or numbered files in --out-dir")
        ->group(group);
    command
        .add_option("--frame-time", picture.frameTime,
                    "Milliseconds per frame; the last frame is shown three times as long")
        ->check(wholeNumber(1, 60'000))
        ->capture_default_str()
        ->group(group);
    command
        .add_flag("--progress-json", progressAsJson,
                  "Report each frame as one JSON object per line on standard error")
        ->group(group);
    command.add_option("--input", sentences, "File with one sentence per line; - is standard input")
        ->group(group);
    command
        .add_option("--out-dir", folder, "Folder for the pictures of --input: 0001.png for the first line")
        ->group(group);
    command.add_option("--format", format, "Format of the files in --out-dir")
        ->check(CLI::IsMember({"png", "svg", "pdf", "html", "csv", "json", "npz"}))
        ->group(group);
    command.add_option("--width", picture.width, "Width in pixels at 96 dots per inch")
        ->check(wholeNumber(leastPictureSide, longest))
        ->group(group);
    command.add_option("--height", picture.height, "Height in pixels at 96 dots per inch")
        ->check(wholeNumber(leastPictureSide, longest))
        ->group(group);
    command.add_option("--dpi", picture.dpi, "Dots per inch of a PNG")
        ->check(wholeNumber(1, 100'000))
        ->capture_default_str()
        ->group(group);
    command
        .add_option_function<std::string>(
            "--theme", [this](const std::string& theme) { picture.dark = theme == "dark"; },
            "Theme (default: light)")
        ->check(CLI::IsMember({"light", "dark"}))
        ->group(group);
    command.add_flag("--enlarge", picture.enlarged)->group(""); // in commands that older versions copied
    command.add_flag("--caption", picture.caption, "Add a caption: model, weights, sentence, head, version")
        ->group(group);
    command
        .add_option_function<std::string>(
            "--without", [this](const std::string& parts) { picture.without = readParts(parts); },
            "Parts to omit, such as notes,marks: the caption below the picture, notes on how to read it, "
            "marks of the current step, of pins and of selections")
        ->type_name("PARTS")
        ->group(group);
    command
        .add_flag_callback(
            "--no-space-marks", [this] { picture.spaceMarks = false; }, "Do not show space marks in tokens")
        ->group(group);
    command.add_option("--font", picture.font, "Font family (default: Qt's own)")->group(group);
    command.add_option("--font-size", picture.fontSize, "Font size in points (default: Qt's own)")
        ->check(CLI::Range(1.0, widgets::largestFontSize))
        ->group(group);
}

void RenderOptions::addTo(CLI::App& command) {
    model.addTo(command);
    input.addTo(command);
    addPictureOptions(command, picture, choices);
    addFile(command);
    decoding.addTo(command);
    whatIf.addTo(command);
    common.addTo(command);
}

void RenderOptions::check(const CLI::App& command) {
    checkView(command);
    readChoices(picture, choices);
    checkTraining(command);
    checkAnimation(command);
    checkFiles(command);
    checkInput(command);
    decoding.check();
    checkPicture();
}

/// Rejects options that the view would ignore.
void RenderOptions::checkView(const CLI::App& command) const {
    for (const auto* given : command.get_options()) {
        const auto views = given->count() > 0 ? viewsThatUse(given->get_name()) : std::nullopt;
        if (views && std::ranges::find(*views, picture.view) == views->end())
            throw ValidationError(given->get_name(), "expected a view that uses it, " +
                                                         trace::joined(*views) + "; found " + picture.view);
    }
}

void RenderOptions::checkAnimation(const CLI::App& command) const {
    const auto given = [&](const char* option) { return command.count(option) > 0; };
    const bool animates = picture.animate;
    if (given("--input") && animates)
        throw ValidationError("--animate", "expected one sentence, found --input");
    if (given("--step") && animates)
        throw ValidationError("--animate", "expected no --step: there is a frame for each");
    const bool isAnimation =
        given("--out") ? out.size() == 1 && endingOf(out.front()) == ".png" : format == "png";
    if (animates && !isAnimation)
        throw ValidationError("--animate", "expected one PNG: the other formats do not move");
    if (const auto why = staticReason(picture); animates && why != widgets::StaticReason::None)
        throw ValidationError("--animate", std::string("expected ") + inWords(why).onCommandLine + ". " +
                                               inWords(why).why);
    if (given("--frame-time") && !(animates && given("--out")))
        throw ValidationError("--frame-time", "expected --animate with --out");
    if (given("--progress-json") && !animates)
        throw ValidationError("--progress-json", "expected --animate");
}

void RenderOptions::checkFiles(const CLI::App& command) const {
    const auto given = [&](const char* option) { return command.count(option) > 0; };
    if (given("--input") != (given("--out-dir") && !picture.animate))
        throw ValidationError("--out-dir", "expected --input and --out-dir together");
    if (given("--out") == given("--out-dir"))
        throw ValidationError("--out", "expected a file to write: --out, or --input with --out-dir");
    if (given("--format") && !given("--out-dir"))
        throw ValidationError("--format", "expected --out-dir: the ending of --out is its format");
    const bool isOfNumbers = given("--out") ? std::ranges::all_of(out, files::isDataFile)
                                            : files::isDataFile(numberedPicture(1, format));
    for (const char* option : {"--caption", "--without", "--dpi", "--enlarge"})
        if (given(option) && isOfNumbers)
            throw ValidationError(option, "expected a picture, as .png, .svg, .pdf or .html: numbers have no "
                                          "words, marks, dots or letters");
    if (given("--enlarge") && !given("--width") && !given("--height"))
        throw ValidationError("--enlarge", "expected what it is enlarged to: --width, --height or both");
}

/// Rejects options of a run for the training view, which only draws a log.
void RenderOptions::checkTraining(const CLI::App& command) const {
    if (!widgets::viewSpec(picture.view)->isOfTraining)
        return;
    const auto isOfRun = [](const CLI::Option* option) {
        const std::string group = option->get_group(), name = option->get_name();
        return name == "--input" || name == "--animate" || group == groups::input ||
               group == groups::decoding || group == groups::whatIf || group == groups::model;
    };
    for (const auto* option : command.get_options())
        if (option->count() > 0 && isOfRun(option))
            throw ValidationError(option->get_name(),
                                  "expected none: the curves of a training are drawn of its log, which is "
                                  "named in place of the model");
}

void RenderOptions::checkInput(const CLI::App& command) {
    const auto given = [&](const char* option) { return command.count(option) > 0; };
    if (widgets::viewSpec(picture.view)->isOfTraining)
        return;
    const auto inputs = {"--input",  "--source",     "--source-ids", "--source-embeddings",
                         "--target", "--target-ids", "--continue"};
    isAsRecorded = std::ranges::none_of(inputs, given) && isTrace(resolveModel(model.model));
    if (!given("--input") && !isAsRecorded)
        input.check(command);
    else if (given("--source") || given("--source-ids") || given("--source-embeddings"))
        throw ValidationError("--input", "expected the sentences of a file or one input, not both");
}

void RenderOptions::checkPicture() const {
    if (const auto branches = picture.choices.find(widgets::branchesChoice);
        branches != picture.choices.end())
        for (const auto& text : std::get<std::vector<std::string>>(branches->second))
            if (!trace::branchPath(text))
                throw ValidationError("--choose", "expected branches of ids, the start token's first, "
                                                  "such as branches=[\"2,8,9\"]; found " +
                                                      text);
    const auto page = widgets::chosenValue(picture, "page");
    if (!page)
        return;
    auto pages = widgets::asWords(widgets::viewSpec(picture.view)->pages);
    if (pages.empty())
        pages = widgets::pictureChoice(picture.view, "page")->words;
    const auto& name = std::get<std::string>(*page);
    if (std::ranges::find(pages, name) == pages.end())
        throw ValidationError("--page", "expected " + trace::joined(pages) + ", found " + name);
}

} // namespace headscope::app
