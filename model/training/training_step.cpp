#include "model/training/training_step.h"

#include "model/trace/refusal.h"
#include "model/training/operations.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <cmath>
#include <numeric>

namespace headscope::training {

TrainedValues TrainedValues::zeros(std::int64_t size) {
    return {.parameters = at::zeros({size}), .first = at::zeros({size}), .second = at::zeros({size})};
}

TrainingStep::TrainingStep(const TrainingConfig& config, const TrainingNetwork& network,
                           TrainedValues& values, network::Workers& workers, std::size_t parts)
    : config_(config), network_(network), values_(values), workers_(workers), parts_(parts) {
    for (std::size_t part = 0; part < parts_; ++part)
        gradients_.push_back(at::zeros_like(values.parameters));
}

bool TrainingStep::Result::finite() const {
    return std::isfinite(sums.smoothed) && std::isfinite(gradientNorm);
}

at::Tensor TrainingStep::own(const at::Tensor& row, std::size_t part) const {
    const auto begin = [&](std::size_t of) {
        return row.numel() * static_cast<std::int64_t>(of) / static_cast<std::int64_t>(parts_);
    };
    return row.slice(0, begin(part), begin(part + 1));
}

LossSums TrainingStep::addGradients(const EncodedCorpus& corpus, const std::vector<std::uint32_t>& batch,
                                    double factor, std::uint64_t number, std::size_t part) {
    const auto packed = corpus.packed(batch, part, parts_);
    if (packed.wanted.empty())
        return {};
    Operations operations(
        values_.parameters, gradients_[part],
        {.seed = config_.seed, .step = number, .part = part, .probability = config_.dropout},
        config_.roundedProducts);
    return network_.loss(operations, packed, {.smoothing = config_.labelSmoothing, .factor = factor});
}

TrainingStep::Result TrainingStep::gradients(const EncodedCorpus& corpus,
                                             std::span<const std::vector<std::uint32_t>> batches,
                                             std::int64_t step) {
    std::size_t answers = 0;
    for (const auto& batch : batches)
        answers +=
            std::accumulate(batch.begin(), batch.end(), std::size_t{0},
                            [&](std::size_t sum, auto example) { return sum + corpus.answers(example); });
    const double factor = 1 / static_cast<double>(std::max<std::size_t>(1, answers));
    std::vector<LossSums> sums(parts_);
    workers_.run(parts_, [&](std::size_t part) {
        gradients_[part].zero_();
        for (std::size_t i = 0; i < batches.size(); ++i)
            sums[part] += addGradients(corpus, batches[i], factor,
                                       static_cast<std::uint64_t>(step * config_.accumulate) + i, part);
    });
    Result result;
    for (const auto& part : sums)
        result.sums += part;
    result.gradientNorm = sumParts();
    return result;
}

/// Sums the gradients of all parts into those of the first. Returns the norm.
double TrainingStep::sumParts() {
    std::vector<double> squares(parts_);
    workers_.run(parts_, [&](std::size_t part) {
        auto sum = own(gradients_.front(), part);
        for (std::size_t other = 1; other < parts_; ++other)
            sum.add_(own(gradients_[other], part));
        squares[part] = sum.square().sum(at::kDouble).item<double>();
    });
    return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
}

/// Adam with bias-corrected moments (Kingma & Ba 2015, algorithm 1) and optional decoupled weight decay
/// (Loshchilov & Hutter 2019, algorithm 2).
void TrainingStep::update(std::int64_t step, double norm) {
    const auto& optimizer = config_.optimizer;
    const auto now = static_cast<double>(step);
    const double rate = config_.schedule.at(step);
    const double correction1 = 1 - std::pow(optimizer.beta1, now);
    const double correction2 = 1 - std::pow(optimizer.beta2, now);
    workers_.run(parts_, [&](std::size_t part) {
        auto value = own(values_.parameters, part), first = own(values_.first, part),
             second = own(values_.second, part), gradient = own(gradients_.front(), part);
        if (optimizer.clip > 0 && norm > optimizer.clip)
            gradient.mul_(optimizer.clip / norm);
        if (optimizer.decoupledDecay)
            value.mul_(1 - rate * optimizer.weightDecay);
        else if (optimizer.weightDecay > 0)
            gradient.add_(value, optimizer.weightDecay);
        first.mul_(optimizer.beta1).add_(gradient, 1 - optimizer.beta1);
        second.mul_(optimizer.beta2).addcmul_(gradient, gradient, 1 - optimizer.beta2);
        const auto deviation = (second / correction2).sqrt_().add_(optimizer.epsilon);
        value.addcdiv_(first, deviation, -rate / correction1);
    });
}

LossSums measureLosses(const TrainingNetwork& network, const EncodedCorpus& corpus,
                       const at::Tensor& parameters, network::Workers& workers, const std::stop_token& stop) {
    const auto batches = corpus.sortedBatches(/*tokens=*/1500);
    std::vector<LossSums> sums(batches.size());
    workers.run(batches.size(), [&](std::size_t i) {
        trace::throwIfStopped(stop);
        const c10::InferenceMode withoutAutograd;
        Operations operations(parameters, {}, {});
        sums[i] = network.loss(operations, corpus.packed(batches[i], 0, 1), {});
    });
    LossSums all;
    for (const auto& batch : sums)
        all += batch;
    return all;
}

} // namespace headscope::training
