#include "app/cli/command.h"

#include "app/cli/line_reader.h"
#include "app/cli/picture_options.h"
#include "app/plain/blas_kernels.h"
#include "app/plain/picture_work.h"
#include "app/plain/read_trace.h"
#include "app/plain/resource_folders.h"
#include "model/files/figure_files.h"
#include "model/trace/joined.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>

namespace headscope::app {

namespace {

namespace fs = std::filesystem;

struct Options {
    CommonOptions common;
    ModelOptions model;
    InputOptions input;
    DecodingOptions decoding;
    WhatIfOptions whatIf;
    PictureOptions picture;
    std::vector<std::string> choices; ///< of the picture, as they are written
    std::vector<std::string> out;
    std::string sentences; ///< a file of them
    std::string folder;    ///< where their pictures go
    std::string format = "png";
    bool progressAsJson = false;
    bool isAsRecorded = false; ///< a trace, and no other input than its own
};

/// Of a file's name, in small letters.
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
            if (found == ".png" || found == ".svg" || found == ".pdf" || files::isDataFile(path))
                return std::string();
            std::string expected = "expected .png, .svg or .pdf, or for the numbers behind the picture";
            for (const auto& ending : files::dataEndings())
                expected += " " + ending;
            return expected + ", found " + path;
        },
        "");
}

void addFile(CLI::App& command, Options& options) {
    const auto group = "How it is written";
    auto& picture = options.picture;
    constexpr int longest = 1'000'000; // what is too large is refused with the largest that can be had
    command
        .add_option(
            "--out", options.out,
            "FILE.png, .svg or .pdf; the numbers behind it as .csv, .json, .npz, .npy or .safetensors; "
            "several are drawn once")
        ->check(ending())
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
    command
        .add_flag("--animate", picture.animate,
                  "The decoding, a frame for each step: an animated PNG, or numbered ones in --out-dir")
        ->group(group);
    command.add_option("--frame-time", picture.frameTime, "Milliseconds that each is shown")
        ->check(wholeNumber(1, 60'000))
        ->capture_default_str()
        ->group(group);
    command
        .add_flag("--progress-json", options.progressAsJson,
                  "Frames that are drawn, as one JSON object a line on standard error")
        ->group(group);
    command.add_option("--input", options.sentences, "A file with one sentence a line; - is standard input")
        ->group(group);
    command.add_option("--out-dir", options.folder, "Where their pictures go: 0001.png for the first line")
        ->group(group);
    command.add_option("--format", options.format, "Of those")
        ->check(CLI::IsMember({"png", "svg", "pdf", "csv", "json", "npz", "npy", "safetensors"}))
        ->group(group);
    command.add_option("--width", picture.width, "In pixels at 96 dots per inch")
        ->check(wholeNumber(1, longest))
        ->group(group);
    command.add_option("--height", picture.height, "The same")->check(wholeNumber(1, longest))->group(group);
    command.add_option("--dpi", picture.dpi, "Dots per inch of a PNG")
        ->check(wholeNumber(1, 100'000))
        ->capture_default_str()
        ->group(group);
    command
        .add_option_function<std::string>(
            "--theme", [&picture](const std::string& theme) { picture.dark = theme == "dark"; },
            "light or dark (default: light)")
        ->check(CLI::IsMember({"light", "dark"}))
        ->group(group);
    command
        .add_flag("--caption", picture.caption, "Below the picture: model, weights, sentence, head, version")
        ->group(group);
    command
        .add_flag_callback(
            "--no-space-marks", [&picture] { picture.spaceMarks = false; }, "Tokens without space marks")
        ->group(group);
    command.add_option("--font", picture.font, "A family (default: Qt's own)")->group(group);
    command.add_option("--font-size", picture.fontSize, "In points (default: Qt's own)")
        ->check(CLI::Range(1.0, 200.0))
        ->group(group);
}

void checkTogether(Options& options, const CLI::App& command) {
    const auto given = [&](const char* option) { return command.count(option) > 0; };
    const bool animates = options.picture.animate;
    if (given("--input") && animates)
        throw CLI::ValidationError("--animate", "expected one sentence, found --input");
    if (given("--step") && animates)
        throw CLI::ValidationError("--animate", "expected no --step: there is a frame for each");
    const bool isFilm = given("--out") ? options.out.size() == 1 && endingOf(options.out.front()) == ".png"
                                       : options.format == "png";
    if (animates && !isFilm)
        throw CLI::ValidationError("--animate", "expected one PNG: the other formats do not move");
    if (animates && comparesWithStep(options.picture))
        throw CLI::ValidationError("--animate", "expected another --choose with=...: at the step that the "
                                                "others are compared with there is nothing to compare");
    if (given("--frame-time") && !(animates && given("--out")))
        throw CLI::ValidationError("--frame-time", "expected --animate with --out");
    if (given("--progress-json") && !animates)
        throw CLI::ValidationError("--progress-json", "expected --animate");
    if (given("--input") != (given("--out-dir") && !animates))
        throw CLI::ValidationError("--out-dir", "expected --input and --out-dir together");
    if (given("--out") == given("--out-dir"))
        throw CLI::ValidationError("--out", "expected a file to write: --out, or --input with --out-dir");
    if (given("--format") && !given("--out-dir"))
        throw CLI::ValidationError("--format", "expected --out-dir: the ending of --out is its format");
    const auto inputs = {"--input",  "--source",     "--source-ids", "--source-embeddings",
                         "--target", "--target-ids", "--continue"};
    options.isAsRecorded = std::ranges::none_of(inputs, given) && isTrace(resolveModel(options.model.model));
    if (!given("--input") && !options.isAsRecorded)
        options.input.check(command);
    else if (given("--source") || given("--source-ids") || given("--source-embeddings"))
        throw CLI::ValidationError("--input", "expected the sentences of a file or one input, not both");
    options.decoding.check();
    const auto& picture = options.picture;
    if (const auto branches = picture.choices.find("branches"); branches != picture.choices.end())
        for (const auto& text : std::get<std::vector<std::string>>(branches->second))
            if (!branchPath(text))
                throw CLI::ValidationError("--choose", "expected branches of ids, the start token's first, "
                                                       "such as branches=[\"2,8,9\"]; found " +
                                                           text);
    for (const auto& view : pictureViews()) {
        if (view.name != picture.view || picture.page.empty())
            continue;
        const std::vector<std::string> pages(view.pages.begin(), view.pages.end());
        if (std::find(pages.begin(), pages.end(), picture.page) == pages.end())
            throw CLI::ValidationError("--page", pages.empty() ? "this view has no pages"
                                                               : "expected " + trace::joined(pages) +
                                                                     ", found " + picture.page);
    }
}

trace::Request request(const Options& options, const trace::Source& source,
                       const trace::ModelSummary& model) {
    trace::Request asked{.source = source,
                         .padding = options.decoding.padding(),
                         .paths = {options.input.path(options.decoding.newTokens(model))},
                         .decoding = options.decoding.decoding(model),
                         .interventions = options.whatIf.interventions,
                         .randomTwin = options.whatIf.randomTwin,
                         .ratherThan = options.whatIf.ratherThan};
    if (const auto branches = options.picture.choices.find("branches");
        branches != options.picture.choices.end())
        for (const auto& text : std::get<std::vector<std::string>>(branches->second))
            asked.paths.insert(asked.paths.end() - 1, *branchPath(text));
    // Of a trace there is the one run that it holds.
    const bool isIt = options.isAsRecorded || (model.recorded && asked.source == model.recorded->source);
    const bool unchanged = asked.interventions.empty() && !asked.randomTwin;
    if (model.recorded && isIt && (unchanged || asked.interventions == model.recorded->interventions))
        return *model.recorded;
    if (options.isAsRecorded)
        asked.source = model.recorded->source;
    return asked;
}

PictureJob job(const Options& options, trace::Source source, fs::path out) {
    return {.request = [&options, source = std::move(source)](
                           const trace::ModelSummary& model) { return request(options, source, model); },
            .newTokens =
                [&options](const trace::ModelSummary& model) {
                    return options.picture.besideLength.value_or(options.decoding.newTokens(model));
                },
            .out = std::move(out)};
}

void makeFolder(const fs::path& folder) {
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure)
        throw trace::Refusal({.what = "The folder for the pictures cannot be made",
                              .where = folder.string(),
                              .found = failure.message(),
                              .wayOut = "choose another one"});
}

/// The folder of frames is made once they are drawn; what stands in its place is said before.
void refuseWhatIsNoFolder(const fs::path& folder) {
    std::error_code ignored; // what cannot be looked at is refused where it is written
    if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
        throw trace::Refusal({.what = "The folder for the pictures cannot be made",
                              .where = folder.string(),
                              .found = "a file",
                              .wayOut = "choose another one"});
}

/// A picture for every line that holds something, named by the line's number.
std::vector<PictureJob> jobs(const Options& options, std::stop_token stop) {
    if (options.sentences.empty()) {
        const bool isFolder = options.out.empty();
        auto one = job(options, options.input.sourceValue(), isFolder ? options.folder : options.out.front());
        one.isFolder = isFolder;
        for (std::size_t more = 1; more < options.out.size(); ++more)
            one.alsoOut.emplace_back(options.out[more]);
        if (isFolder)
            refuseWhatIsNoFolder(options.folder);
        return {std::move(one)};
    }
    makeFolder(options.folder);
    std::vector<PictureJob> all;
    LineReader lines(options.sentences, std::move(stop));
    for (std::size_t number = 1; const auto line = lines.next(); ++number) {
        if (std::all_of(line->begin(), line->end(), [](unsigned char c) { return std::isspace(c); })) {
            if (!options.common.quiet)
                std::cerr << options.sentences << ": line " << number << " is empty and was skipped\n";
            continue;
        }
        all.push_back(
            job(options, *line, fs::path(options.folder) / numberedPicture(number, options.format)));
    }
    return all;
}

/// A line of JSON.
void tellFile(const std::string& out) {
    std::cout << nlohmann::ordered_json{{"out", out}}.dump(-1, ' ', false,
                                                           nlohmann::ordered_json::error_handler_t::replace)
              << std::endl;
}

int render(const Options& options, std::stop_token stop) {
    if (fs::path(options.model.model).extension() == ".npz")
        throw trace::Refusal({.what = "Pictures are drawn of a model",
                              .where = options.model.model,
                              .expected = "a model folder or a weights file",
                              .found = "a trace",
                              .wayOut = "name the model that it was made with, and the same input"});
    chooseBlasKernels(options.common.threads);
    int status = 0;
    PictureWork work{.engine = options.common.engineOptions(),
                     .model = options.model.source(),
                     .modelName = nameOfModel(options.model.model).string(), // also where its path is given
                     .options = options.picture,
                     .jobs = jobs(options, stop)};
    work.done = [&](std::size_t done, const trace::RefusalText* refusal) {
        const auto out = work.jobs[done].out.string();
        if (refusal)
            std::cerr << out << ": " << trace::paragraph(*refusal) << '\n';
        else if (files::isDataFile(out))
            return; // its files are told one by one
        else if (options.common.json)
            tellFile(out);
        else if (!options.common.quiet)
            std::cerr << done + 1 << '/' << work.jobs.size() << "  " << out << '\n';
        status = refusal ? 1 : status;
    };
    work.written = [&](const fs::path& file) {
        if (options.common.json)
            tellFile(file.string());
        else if (!options.common.quiet)
            std::cerr << file.string() << '\n';
    };
    work.drawn = [&](std::size_t drawn, std::size_t frames) {
        if (options.progressAsJson)
            std::cerr << nlohmann::ordered_json{{"frame", drawn}, {"frames", frames}}.dump() << std::endl;
    };
    work.warned = [](const std::string& words) { std::cerr << words << '\n'; };
    if (!work.jobs.empty())
        drawPictures(work, std::move(stop));
    return status;
}

} // namespace

void addRender(CLI::App& program, Action& chosen) {
    auto options = std::make_shared<Options>();
    auto* command = program.add_subcommand(
        "render", "Draws what the window draws, without a display, as PNG, SVG or PDF");
    options->model.addTo(*command);
    options->input.addTo(*command);
    addPictureOptions(*command, options->picture, options->choices);
    addFile(*command, *options);
    options->decoding.addTo(*command);
    options->whatIf.addTo(*command);
    options->common.addTo(*command);
    command->callback([options, command, &chosen] {
        readChoices(options->picture, options->choices);
        checkTogether(*options, *command);
        chosen = [options](std::stop_token stop) { return render(*options, std::move(stop)); };
    });
}

} // namespace headscope::app
