#include "app/cli/command.h"

#include "app/cli/line_reader.h"
#include "app/plain/blas_kernels.h"
#include "app/plain/picture_work.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
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
    std::string out;
    std::string sentences; ///< a file of them
    std::string folder;    ///< where their pictures go
    std::string format = "png";
};

/// "4,5,6"
std::vector<int> numbers(const std::string& option, const std::string& text) {
    std::vector<int> list;
    for (const auto id : parseIds(option, text))
        list.push_back(static_cast<int>(std::min<std::int64_t>(id, 1'000'000)));
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

CLI::Validator ending() {
    return CLI::Validator(
        [](const std::string& path) {
            const auto found = fs::path(path).extension();
            return found == ".png" || found == ".svg" || found == ".pdf"
                       ? std::string()
                       : "expected .png, .svg or .pdf, found " + path;
        },
        "");
}

void addWhat(CLI::App& command, PictureOptions& picture) {
    const auto group = "What is drawn";
    std::vector<std::string> views;
    for (const auto& view : pictureViews())
        views.emplace_back(view.name);
    command.add_option("--view", picture.view, "Which view")
        ->required()
        ->check(CLI::IsMember(views))
        ->group(group);
    command
        .add_option_function<std::string>(
            "--head", [&picture](const std::string& text) { picture.head = trace::parseHeadAddress(text); },
            "Such as cross.2.5 (default: the best-aligning cross-attention head, else encoder.0.0)")
        ->check(CLI::Validator(
            [](const std::string& text) {
                return trace::parseHeadAddress(text) ? std::string()
                                                     : "expected a head such as cross.2.5, found " + text;
            },
            "HEAD"))
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
            "Query and key that are looked at")
        ->check(numberList("Q,K"))
        ->group(group);
    command
        .add_option("--page", picture.page, "Of masks, positions, scale or classifier: which of its pages")
        ->group(group);
    command.add_option("--lines-of", picture.lines, "Heads of the layer whose lines are drawn, or all")
        ->check(CLI::Validator(
            [](const std::string& text) { return text == "all" ? std::string() : numberList("")(text); },
            "H,H"))
        ->group(group);
    command.add_option("--side", picture.side, "Of positions: whose")
        ->check(CLI::IsMember({"source", "target"}))
        ->group(group);
    command
        .add_option_function<std::string>(
            "--dimensions",
            [&picture](const std::string& text) { picture.dimensions = numbers("--dimensions", text); },
            "Of positions: which are drawn, eight at most")
        ->check(numberList("D,D"))
        ->group(group);
    command.add_option("--count", picture.count, "Of positions: how many")
        ->check(wholeNumber(1, 1'000'000))
        ->group(group);
    command.add_option("--offset", picture.offset, "Of positions: how far they are shifted")
        ->check(wholeNumber(-1'000'000, 1'000'000))
        ->group(group);
    command.add_option("--beside", picture.beside, "Of inputs: another sentence of the batch, two at most")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
}

void addMap(CLI::App& command, PictureOptions& picture) {
    const auto group = "How a heatmap is drawn";
    const auto names = [](const auto& list) { return std::vector<std::string>(list.begin(), list.end()); };
    command.add_option("--quantity", picture.quantity, "What its cells are")
        ->check(CLI::IsMember(names(pictureQuantities())))
        ->group(group);
    command.add_option("--scale", picture.scale, "How colours grow with it")
        ->check(CLI::IsMember(names(pictureScales())))
        ->group(group);
    const auto flag = [&](const char* option, bool& value, const char* help) {
        command.add_flag(option, value, help)->group(group);
    };
    flag("--per-row", picture.perRow, "Each row up to its own largest value");
    flag("--without-special", picture.withoutSpecial, "Keys that are no text left out");
    flag("--words", picture.words, "Words instead of pieces");
    flag("--transposed", picture.transposed, "Keys down the side");
    flag("--numbers", picture.numbers, "Numbers in the cells, where there is room");
    flag("--received", picture.received, "Bars of what each key receives");
    flag("--losses", picture.losses, "Bars of what the step loses without each source token");
}

void addFile(CLI::App& command, Options& options) {
    const auto group = "How it is written";
    auto& picture = options.picture;
    constexpr int longest = 1'000'000; // what is too large is refused with the largest that can be had
    command.add_option("--out", options.out, "FILE.png, FILE.svg or FILE.pdf")->check(ending())->group(group);
    command.add_option("--input", options.sentences, "A file with one sentence a line; - is standard input")
        ->group(group);
    command.add_option("--out-dir", options.folder, "Where their pictures go: 0001.png for the first line")
        ->group(group);
    command.add_option("--format", options.format, "Of those")
        ->check(CLI::IsMember({"png", "svg", "pdf"}))
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

void checkTogether(const Options& options, const CLI::App& command) {
    const auto given = [&](const char* option) { return command.count(option) > 0; };
    if (given("--input") != given("--out-dir"))
        throw CLI::ValidationError("--out-dir", "expected --input and --out-dir together");
    if (given("--out") == given("--out-dir"))
        throw CLI::ValidationError("--out", "expected a file to write: --out, or --input with --out-dir");
    if (given("--format") && !given("--out-dir"))
        throw CLI::ValidationError("--format", "expected --out-dir: the ending of --out is its format");
    if (!given("--input"))
        options.input.check(command);
    else if (given("--source") || given("--source-ids") || given("--source-embeddings"))
        throw CLI::ValidationError("--input", "expected the sentences of a file or one input, not both");
    options.decoding.check();
    const auto& picture = options.picture;
    for (const auto& view : pictureViews()) {
        if (view.name != picture.view || picture.page.empty())
            continue;
        const std::vector<std::string> pages(view.pages.begin(), view.pages.end());
        std::string list;
        for (const auto& page : pages)
            list += (list.empty() ? "" : ", ") + page;
        if (std::find(pages.begin(), pages.end(), picture.page) == pages.end())
            throw CLI::ValidationError("--page", pages.empty()
                                                     ? "this view has no pages"
                                                     : "expected " + list + ", found " + picture.page);
    }
}

trace::Request request(const Options& options, const trace::Source& source,
                       const trace::ModelSummary& model) {
    return {.source = source,
            .padding = options.decoding.padding(),
            .paths = {options.input.path(options.decoding.newTokens(model))},
            .decoding = options.decoding.decoding(model),
            .interventions = options.whatIf.interventions,
            .randomTwin = options.whatIf.randomTwin,
            .ratherThan = options.whatIf.ratherThan};
}

PictureJob job(const Options& options, trace::Source source, fs::path out) {
    return {.request = [&options, source = std::move(source)](
                           const trace::ModelSummary& model) { return request(options, source, model); },
            .out = std::move(out)};
}

/// A picture for every line that holds something, named by the line's number.
std::vector<PictureJob> jobs(const Options& options, std::stop_token stop) {
    if (options.sentences.empty())
        return {job(options, options.input.sourceValue(), options.out)};
    std::error_code failure;
    fs::create_directories(options.folder, failure);
    if (failure)
        throw trace::Refusal({.what = "The folder for the pictures cannot be made",
                              .where = options.folder,
                              .found = failure.message(),
                              .wayOut = "choose another one"});
    std::vector<PictureJob> all;
    LineReader lines(options.sentences, std::move(stop));
    for (std::size_t number = 1; const auto line = lines.next(); ++number) {
        if (std::all_of(line->begin(), line->end(), [](unsigned char c) { return std::isspace(c); }))
            continue;
        auto name = std::to_string(number);
        name.insert(0, name.size() < 4 ? 4 - name.size() : 0, '0');
        all.push_back(job(options, *line, fs::path(options.folder) / (name + "." + options.format)));
    }
    return all;
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
                     .modelName = options.model.model,
                     .options = options.picture,
                     .jobs = jobs(options, stop)};
    work.done = [&](std::size_t done, const trace::RefusalText* refusal) {
        const auto out = work.jobs[done].out.string();
        if (refusal)
            std::cerr << out << ": " << trace::paragraph(*refusal) << '\n';
        else if (options.common.json)
            std::cout << nlohmann::ordered_json{{"out", out}}.dump(
                             -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
                      << std::endl;
        else if (!options.common.quiet)
            std::cerr << done + 1 << '/' << work.jobs.size() << "  " << out << '\n';
        status = refusal ? 1 : status;
    };
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
    addWhat(*command, options->picture);
    addMap(*command, options->picture);
    addFile(*command, *options);
    options->decoding.addTo(*command);
    options->whatIf.addTo(*command);
    options->common.addTo(*command);
    command->callback([options, command, &chosen] {
        checkTogether(*options, *command);
        chosen = [options](std::stop_token stop) { return render(*options, std::move(stop)); };
    });
}

} // namespace headscope::app
