#include "model/training/training_log.h"

#include "model/files/atomic_file.h"
#include "model/files/read_file.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

namespace headscope::training {

namespace {

constexpr const char* header =
    "step,epoch,loss,learning_rate,tokens_per_second,gradient_norm,seconds,valid_loss,valid_accuracy,"
    "bleu,entropy_encoder,entropy_decoder,entropy_cross\n";

std::string number(double value) {
    char text[32];
    const auto result = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 7);
    return {text, result.ptr};
}

std::string number(const std::optional<double>& value) {
    return value ? number(*value) : std::string();
}

/// Extends a line of an older log with fewer columns.
std::string padded(std::string line) {
    const auto commas = std::ranges::count(std::string_view(header), ',');
    const auto missing = commas - std::ranges::count(line, ',');
    line.append(std::max<std::ptrdiff_t>(0, missing), ',');
    return line;
}

} // namespace

TrainingLog::TrainingLog(std::filesystem::path path, std::int64_t step) : path_(std::move(path)) {
    std::string kept = header;
    std::error_code ignored;
    if (step > 0 && std::filesystem::is_regular_file(path_, ignored)) {
        std::istringstream lines(
            files::readText(path_, files::defaultMaximumTextBytes, files::FileRole::Training));
        for (std::string line; std::getline(lines, line);) {
            std::int64_t at = 0;
            const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), at);
            if (error == std::errc() && *end == ',' && at <= step)
                kept += padded(std::move(line)) + "\n";
        }
    }
    files::saveAtomically(path_, kept, files::FileRole::Training);
}

void TrainingLog::add(const TrainingProgress& progress, double gradientNorm, double seconds) {
    std::ostringstream line;
    line << progress.step << ',' << progress.epoch << ',' << number(progress.loss) << ','
         << number(progress.learningRate) << ',' << number(progress.tokensPerSecond) << ','
         << number(gradientNorm) << ',' << number(seconds) << ',';
    if (const auto& valid = progress.validation)
        line << number(valid->loss) << ',' << number(valid->accuracy) << ',' << number(valid->bleu) << ','
             << number(valid->entropy.encoder) << ',' << number(valid->entropy.decoder) << ','
             << number(valid->entropy.cross);
    else
        line << ",,,,,";
    std::ofstream file(path_, std::ios::app);
    if (!(file << line.str() << '\n' << std::flush))
        throw trace::Refusal(
            {.what = "The log of the training cannot be written",
             .where = path_.string(),
             .expected = "room for a line",
             .found = std::strerror(errno),
             .wayOut = "make room, and start the same command again: it goes on from where it was"});
}

} // namespace headscope::training
