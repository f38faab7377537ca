#include "app/cli/command.h"
#include "app/cli/progress_lines.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"

#include "model/engine/trainer.h"
#include "model/files/findings.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

#include <unistd.h>

namespace headscope::app {

namespace {

using training::TrainingProgress;

struct TrainOptions {
    CommonOptions common;
    std::string config;
    bool progressAsJson = false;
};

std::string duration(double seconds) {
    if (!(seconds < 1e7))
        return "?";
    const auto whole = static_cast<long>(seconds);
    char text[32];
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    return text;
}

/// Progress lines on standard error; on a terminal the newest line is overwritten.
class ProgressBar {
  public:
    ~ProgressBar() {
        if (isOpen_) // also before an error message
            std::cerr << '\n';
    }
    void show(const TrainingProgress& progress) {
        if (!progress.message.empty())
            return say(progress.message);
        constexpr int width = 24;
        const int done = width * progress.step / std::max<std::int64_t>(1, progress.steps);
        char line[256];
        std::snprintf(line, sizeof line,
                      "[%s%s] step %lld/%lld  epoch %lld  loss %.4f  %.0f tokens/s  rate %.2e  %s left",
                      std::string(done, '#').c_str(), std::string(width - done, '.').c_str(),
                      static_cast<long long>(progress.step), static_cast<long long>(progress.steps),
                      static_cast<long long>(progress.epoch + 1), progress.loss, progress.tokensPerSecond,
                      progress.learningRate, duration(progress.secondsLeft).c_str());
        isOpen_ = isTerminal_;
        if (isTerminal_) {
            beginLineAnew();
            std::cerr << line << std::flush;
        } else if (progress.step % 50 == 0 || progress.validation)
            std::cerr << line << '\n';
        if (progress.validation) {
            std::snprintf(line, sizeof line, "step %lld  validation loss %.4f  accuracy %.4f%s",
                          static_cast<long long>(progress.step), progress.validation->loss,
                          progress.validation->accuracy, progress.validation->best ? "  best so far" : "");
            say(line);
        }
        if (progress.sample)
            say("  " + files::printable(progress.sample->source, longest) + "  ->  " +
                files::printable(progress.sample->output, longest));
    }

  private:
    static constexpr std::size_t longest = 300; ///< bytes of a sample

    void say(const std::string& text) {
        beginLineAnew();
        std::cerr << text << '\n';
        isOpen_ = false;
    }

    /// Writes past std::cerr, which escapes control characters on terminals (ReadableOnTerminals).
    void beginLineAnew() const {
        constexpr std::string_view toItsBegin = "\r\x1b[K";
        std::cerr << std::flush;
        if (isTerminal_ && ::write(STDERR_FILENO, toItsBegin.data(), toItsBegin.size()) < 0)
            return; // later output will fail as well
    }

    bool isTerminal_ = isatty(STDERR_FILENO) != 0;
    bool isOpen_ = false; ///< the last line has no line end yet
};

void print(const training::TrainingSummary& summary, bool asJson) {
    if (asJson) {
        nlohmann::ordered_json json{{"model", summary.model.string()},
                                    {"steps", summary.step},
                                    {"stopped_early", summary.stoppedEarly}};
        if (summary.validation)
            json.update({{"loss", summary.validation->loss}, {"accuracy", summary.validation->accuracy}});
        std::cout << json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
        return;
    }
    std::cout << "wrote " << summary.model.string() << " after " << summary.step << " steps"
              << (summary.stoppedEarly ? ", no validation was better" : "") << '\n';
    if (summary.validation)
        std::printf("validation loss %.4f, accuracy %.4f\n", summary.validation->loss,
                    summary.validation->accuracy);
}

int train(const TrainOptions& options, std::stop_token stop) {
    const auto trainer = loadTrainer({.familyFolders = familyFolders(),
                                      .device = options.common.device,
                                      .threads = options.common.threads});
    const auto summary = [&] {
        ProgressBar bar; // destroyed before anything else is written
        return trainer->train(options.config, stop, [&](const TrainingProgress& progress) {
            if (options.progressAsJson)
                std::cerr << progressLine(progress) << std::endl; // flushed for the reading program
            else if (!options.common.quiet)
                bar.show(progress);
        });
    }();
    print(summary, options.common.json);
    return 0;
}

} // namespace

void addTrain(CLI::App& program, Action& chosen) {
    auto options = std::make_shared<TrainOptions>();
    auto* command = program.add_subcommand("train", "Trains a model, or resumes a stopped training");
    command->add_option("CONFIG", options->config, "JSON file that describes data, network and training")
        ->required();
    options->common.addTo(*command);
    command->add_flag("--progress-json", options->progressAsJson,
                      "Report progress as one JSON object per line on standard error");
    command->callback(
        [options, &chosen] { chosen = [options](std::stop_token stop) { return train(*options, stop); }; });
}

} // namespace headscope::app
