#include "app/choices/picture_work.h"
#include "app/cli/command.h"
#include "app/cli/line_reader.h"
#include "app/cli/render_options.h"
#include "app/models/resource_folders.h"
#include "model/files/findings.h"
#include "model/files/folder.h"
#include "model/trace/refusal.h"
#include "model/trace/run_path.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <iostream>

namespace headscope::app {

namespace {

namespace fs = std::filesystem;

/// Whether everything that was given explicitly in `asked` agrees with `recorded`. `newTokens` is a default.
bool agrees(const trace::Request& asked, const trace::Request& recorded, int newTokens) {
    const auto& path = asked.paths.back();
    const bool isUnsaid = std::holds_alternative<std::monostate>(path.forced) && path.newTokens == newTokens;
    const auto& itsPath = recorded.paths.back();
    const bool isSaid = path.forced == itsPath.forced && path.newTokens == itsPath.newTokens;
    const bool isItsPath = asked.paths.size() == 1 && (isUnsaid || isSaid);
    const bool isUnpadded = asked.padding == trace::Padding();
    const bool isUnchanged = asked.interventions.empty() && !asked.randomTwin;
    return isItsPath && asked.decoding == recorded.decoding &&
           (isUnpadded || asked.padding == recorded.padding) &&
           (isUnchanged ||
            (asked.interventions == recorded.interventions && asked.randomTwin == recorded.randomTwin));
}

trace::Request request(const RenderOptions& options, const trace::Source& source,
                       const trace::ModelSummary& model) {
    trace::Request asked{.source = source,
                         .second = options.input.second,
                         .padding = options.decoding.padding(),
                         .paths = {options.input.path(options.decoding.newTokens(model))},
                         .decoding = options.decoding.decoding(model),
                         .interventions = options.whatIf.interventions,
                         .randomTwin = options.whatIf.randomTwin,
                         .ratherThan = options.whatIf.ratherThan};
    if (const auto branches = options.picture.choices.find(widgets::branchesChoice);
        branches != options.picture.choices.end())
        for (const auto& text : std::get<std::vector<std::string>>(branches->second))
            asked.paths.insert(asked.paths.end() - 1, *trace::branchPath(text));
    // A trace can only show the run that it contains.
    const bool isIt = options.isAsRecorded || (model.recorded && asked.source == model.recorded->source &&
                                               (!asked.second || asked.second == model.recorded->second));
    if (model.recorded && isIt && agrees(asked, *model.recorded, model.newTokens)) {
        auto recorded = *model.recorded;
        if (asked.ratherThan) // compared with another token; refused later if that was not recorded
            recorded.ratherThan = asked.ratherThan;
        return recorded;
    }
    if (options.isAsRecorded) {
        asked.source = model.recorded->source;
        asked.second = model.recorded->second;
    }
    return asked;
}

PictureJob job(const RenderOptions& options, trace::Source source, fs::path out) {
    return {.request = [&options, source = std::move(source)](
                           const trace::ModelSummary& model) { return request(options, source, model); },
            .newTokens =
                [&options](const trace::ModelSummary& model) {
                    return options.picture.besideLength.value_or(options.decoding.newTokens(model));
                },
            .out = std::move(out)};
}

/// Throws early if the output folder is a file; the folder is created with the first picture.
void refuseWhatIsNoFolder(const fs::path& folder) {
    std::error_code ignored; // errors are reported when writing
    if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
        throw trace::Refusal({.what = "The folder for the pictures cannot be made",
                              .where = folder.string(),
                              .expected = "a folder, or nothing yet",
                              .found = "a file",
                              .wayOut = "choose another one"});
}

std::string nameOfList(const RenderOptions& options) {
    return options.sentences == "-" ? "standard input" : options.sentences;
}

/// Position of a line in the list, and how the line begins.
std::string nameOfLine(const RenderOptions& options, std::size_t number, const std::string& line) {
    constexpr std::size_t shown = 40; // bytes: enough to find it
    return nameOfList(options) + ": line " + std::to_string(number) + ", \"" + files::printable(line, shown) +
           '"';
}

/// One picture per non-blank line, named by the line's number.
std::vector<PictureJob> jobs(const RenderOptions& options, std::stop_token stop) {
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
    refuseWhatIsNoFolder(options.folder);
    std::vector<PictureJob> all;
    LineReader lines(options.sentences, std::move(stop));
    for (std::size_t number = 1; const auto line = lines.next(); ++number) {
        if (std::all_of(line->begin(), line->end(), [](unsigned char c) { return std::isspace(c); })) {
            if (!options.common.quiet)
                std::cerr << nameOfList(options) << ": line " << number << " is empty and was skipped\n";
            continue;
        }
        all.push_back(
            job(options, *line, fs::path(options.folder) / numberedPicture(number, options.format)));
        all.back().line = nameOfLine(options, number, *line);
    }
    if (all.empty())
        throw trace::Refusal({.what = "There is no sentence to draw",
                              .where = nameOfList(options),
                              .expected = "one sentence per line",
                              .found = "nothing but blank lines",
                              .wayOut = "write a sentence into it, or name another file"});
    files::makeFolder(options.folder);
    return all;
}

/// Reports progress and written files on standard error; with --json only the files, on standard output.
class Teller {
  public:
    Teller(const RenderOptions& options, const std::vector<PictureJob>& jobs)
        : options_(options), jobs_(jobs) {}

    /// Called before the first of many pictures.
    void begin() const {
        if (!options_.sentences.empty() && !options_.common.json && !options_.common.quiet)
            std::cerr << "0/" << jobs_.size() << "  opening " << options_.model.model << std::endl;
    }

    void done(const trace::RefusalText* refusal) {
        if (refusal)
            std::cerr << jobs_[done_].line << ", for " << jobs_[done_].out.string() << ": "
                      << trace::paragraph(*refusal) << '\n';
        ++done_;
        status_ = refusal ? Refused : status_;
    }

    void written(const fs::path& file) const {
        using nlohmann::ordered_json;
        if (options_.common.json)
            std::cout << ordered_json{{"out", file.string()}}.dump(-1, ' ', false,
                                                                   ordered_json::error_handler_t::replace)
                      << std::endl;
        else if (!options_.common.quiet)
            std::cerr << done_ + 1 << '/' << jobs_.size() << "  " << file.string() << '\n';
    }

    void drawn(std::size_t drawn, std::size_t frames) const {
        if (options_.progressAsJson)
            std::cerr << nlohmann::ordered_json{{"frame", drawn}, {"frames", frames}}.dump() << std::endl;
    }

    void foundNotFinite() { isFinite_ = false; }

    int status() const { return status_ != Done || isFinite_ ? status_ : NotFinite; }

  private:
    const RenderOptions& options_;
    const std::vector<PictureJob>& jobs_;
    std::size_t done_ = 0;
    int status_ = Done;
    bool isFinite_ = true;
};

int render(const RenderOptions& options, std::stop_token stop) {
    const files::NewFolder removedIfEmpty(options.folder);
    std::vector<PictureJob> all;
    Teller teller(options, all);
    const std::function<void(const std::string&)> say = [](const std::string& words) {
        std::cerr << words << '\n';
    };
    drawPictures({.engine = options.common.engineOptions(),
                  .model = options.model.source(),
                  .modelName = nameOfModel(options.model.model).string(), // also if its path is given
                  .options = options.picture,
                  .jobs = [&]() -> const std::vector<PictureJob>& {
                      all = jobs(options, stop);
                      teller.begin();
                      return all;
                  },
                  .impossible = [](const std::string& option,
                                   const std::string& why) { throw CLI::ValidationError(option, why); },
                  .done = [&](const trace::RefusalText* refusal) { teller.done(refusal); },
                  .drawn = [&](std::size_t drawn, std::size_t frames) { teller.drawn(drawn, frames); },
                  .written = [&](const fs::path& file) { teller.written(file); },
                  .warned = say,
                  .notFinite = [&] { teller.foundNotFinite(); },
                  .hardToRead = options.progressAsJson ? nullptr : say}, // --progress-json is only for frames
                 stop);
    return teller.status();
}

} // namespace

void addRender(CLI::App& program, Action& chosen) {
    auto options = std::make_shared<RenderOptions>();
    auto* command = program.add_subcommand(
        "render", "Draws any view of the window without a display, as PNG, SVG or PDF");
    options->addTo(*command);
    command->callback([options, command, &chosen] {
        options->check(*command);
        chosen = [options](std::stop_token stop) { return render(*options, std::move(stop)); };
    });
}

} // namespace headscope::app
