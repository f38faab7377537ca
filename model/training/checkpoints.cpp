#include "model/training/checkpoints.h"

#include "model/training/training_state.h"

#include <ATen/ATen.h>

#include <set>
#include <string>

namespace headscope::training {

namespace {

namespace fs = std::filesystem;

constexpr const char* prefix = "checkpoint-";
constexpr const char* ending = ".safetensors";

bool isCheckpoint(const fs::path& path) {
    const auto name = path.filename().string();
    return name.starts_with(prefix) && name.ends_with(ending);
}

} // namespace

std::vector<std::int64_t> CheckpointPlan::averagedUpTo(std::int64_t step) const {
    std::vector<std::int64_t> steps;
    const auto last = step / every * every;
    for (std::int64_t i = 0; averaged > 1 && i < averaged && last - i * every > 0; ++i)
        steps.push_back(last - i * every);
    return steps;
}

std::vector<std::int64_t> CheckpointPlan::chosen(std::int64_t step, std::int64_t bestStep) const {
    const bool ofBest = best && bestStep > 0;
    auto steps = averagedUpTo(ofBest ? bestStep : step);
    if (steps.empty() && ofBest)
        steps.push_back(bestStep);
    return steps;
}

std::vector<std::int64_t> CheckpointPlan::needed(std::int64_t step, std::int64_t bestStep) const {
    auto steps = chosen(step, bestStep);
    const auto last = averagedUpTo(step); // for a better validation that may follow
    steps.insert(steps.end(), last.begin(), last.end());
    return steps;
}

fs::path Checkpoints::fileOf(std::int64_t step) const {
    return folder_ / (prefix + std::to_string(step) + ending);
}

void Checkpoints::keep(std::int64_t step, const at::Tensor& parameters) const {
    saveParameters(parameters, fileOf(step));
}

at::Tensor Checkpoints::mean(const std::vector<std::int64_t>& steps, std::int64_t size) const {
    auto sum = at::zeros({size}, at::kDouble);
    for (const auto step : steps)
        sum += readParameters(fileOf(step), size);
    return (sum / static_cast<double>(steps.size())).to(at::kFloat);
}

void Checkpoints::removeAllBut(const std::vector<std::int64_t>& steps) const {
    std::set<fs::path> kept;
    for (const auto step : steps)
        kept.insert(fileOf(step));
    std::vector<fs::path> old;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder_, ignored), end; !ignored && entry != end;
         entry.increment(ignored))
        if (isCheckpoint(entry->path()) && !kept.contains(entry->path()))
            old.push_back(entry->path());
    for (const auto& path : old)
        fs::remove(path, ignored);
}

} // namespace headscope::training
