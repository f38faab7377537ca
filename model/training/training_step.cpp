#include "model/training/training_step.h"

#include "model/trace/refusal.h"
#include "model/training/autograd_operations.h"
#include "model/training/tape_operations.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <cmath>
#include <numeric>

namespace headscope::training {

TrainedValues TrainedValues::zeros(std::int64_t size) {
    return {.parameters = at::zeros({size}), .first = at::zeros({size}), .second = at::zeros({size})};
}

TrainingStep::TrainingStep(const TrainingConfig& config, const TrainingNetwork& network,
                           TrainedValues& values, network::Workers& workers, std::size_t parts,
                           c10::Device device)
    : config_(config), network_(network), values_(values), workers_(workers),
      parts_(device.is_cpu() ? parts : 1), device_(device) {
    for (auto* tensor : {&values.parameters, &values.first, &values.second})
        *tensor = tensor->to(device);
    for (std::size_t part = 0; part < parts_; ++part)
        gradients_.push_back(at::zeros_like(values.parameters));
    if (config.roundedProducts.value_or(false) && device.is_cpu())
        rounded_ = at::empty(values.parameters.sizes(), at::kBFloat16);
}

bool TrainingStep::Result::finite() const {
    return std::isfinite(sums.smoothed) && std::isfinite(gradientNorm);
}

std::pair<std::int64_t, std::int64_t> TrainingStep::range(std::size_t part) const {
    const auto size = values_.parameters.numel();
    const auto count = static_cast<std::int64_t>(parts_);
    const auto at = static_cast<std::int64_t>(part);
    return {size * at / count, size * (at + 1) / count};
}

LossSums TrainingStep::addGradients(const EncodedCorpus& corpus, const std::vector<std::uint32_t>& batch,
                                    double factor, std::uint64_t number, std::size_t part) {
    const auto packed = corpus.packed(batch, part, parts_);
    if (packed.wanted.empty())
        return {};
    const LossOptions options{.smoothing = config_.labelSmoothing, .factor = factor};
    if (!device_.is_cpu()) {
        AutogradOperations operations(values_.parameters, gradients_[part], config_.dropout,
                                      config_.roundedProducts.value_or(true));
        return network_.loss(operations, packed, options);
    }
    const c10::InferenceMode withoutAutograd;
    TapeOperations operations(
        values_.parameters, gradients_[part],
        {.seed = config_.seed, .step = number, .part = part, .probability = config_.dropout}, rounded_);
    return network_.loss(operations, packed, options);
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
    if (!device_.is_cpu())
        at::manual_seed(config_.seed * 1'000'003 +
                        static_cast<std::uint64_t>(step)); // so that a resumed training repeats it
    if (rounded_.defined())
        workers_.run(parts_, [&](std::size_t part) {
            const auto [begin, end] = range(part);
            kernels::toBfloat16(static_cast<std::uint16_t*>(rounded_.data_ptr()) + begin,
                                values_.parameters.data_ptr<float>() + begin,
                                static_cast<std::size_t>(end - begin));
        });
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

void TrainingStep::update(std::int64_t step, double norm) {
    device_.is_cpu() ? updateOnProcessor(step, norm) : updateOnDevice(step, norm);
}

/// Sums the gradients of all parts into those of the first. Returns the norm.
double TrainingStep::sumParts() {
    if (!device_.is_cpu())
        return gradients_.front().norm().item<double>();
    std::vector<double> squares(parts_);
    workers_.run(parts_, [&](std::size_t part) {
        const auto [begin, end] = range(part);
        std::vector<const float*> parts;
        for (const auto& gradient : gradients_)
            parts.push_back(gradient.data_ptr<float>() + begin);
        squares[part] = kernels::sumGradients(gradients_.front().data_ptr<float>() + begin, parts.data(),
                                              parts.size(), static_cast<std::size_t>(end - begin));
    });
    return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
}

void TrainingStep::updateOnProcessor(std::int64_t step, double norm) {
    const auto& optimizer = config_.optimizer;
    const auto now = static_cast<double>(step);
    const kernels::AdamStep adam{
        .rate = static_cast<float>(config_.schedule.at(step)),
        .beta1 = static_cast<float>(optimizer.beta1),
        .beta2 = static_cast<float>(optimizer.beta2),
        .epsilon = static_cast<float>(optimizer.epsilon),
        .correction1 = static_cast<float>(1 - std::pow(optimizer.beta1, now)),
        .correction2 = static_cast<float>(1 - std::pow(optimizer.beta2, now)),
        .decay = static_cast<float>(optimizer.decoupledDecay ? optimizer.weightDecay : 0),
        .penalty = static_cast<float>(optimizer.decoupledDecay ? 0 : optimizer.weightDecay),
        .factor =
            static_cast<float>(optimizer.clip > 0 && norm > optimizer.clip ? optimizer.clip / norm : 1)};
    workers_.run(parts_, [&](std::size_t part) {
        const auto [begin, end] = range(part);
        const auto at = [begin = begin](const at::Tensor& row) { return row.data_ptr<float>() + begin; };
        kernels::adam(adam, at(values_.parameters), at(values_.first), at(values_.second),
                      at(gradients_.front()), static_cast<std::size_t>(end - begin));
    });
}

void TrainingStep::updateOnDevice(std::int64_t step, double norm) {
    const auto& optimizer = config_.optimizer;
    const auto now = static_cast<double>(step);
    const double rate = config_.schedule.at(step);
    auto gradient = gradients_.front();
    if (optimizer.clip > 0 && norm > optimizer.clip)
        gradient.mul_(optimizer.clip / norm);
    if (optimizer.decoupledDecay)
        values_.parameters.mul_(1 - rate * optimizer.weightDecay);
    else if (optimizer.weightDecay > 0)
        gradient.add_(values_.parameters, optimizer.weightDecay);
    values_.first.mul_(optimizer.beta1).add_(gradient, 1 - optimizer.beta1);
    values_.second.mul_(optimizer.beta2).addcmul_(gradient, gradient, 1 - optimizer.beta2);
    const auto deviation =
        (values_.second / (1 - std::pow(optimizer.beta2, now))).sqrt_().add_(optimizer.epsilon);
    values_.parameters.addcdiv_(values_.first, deviation, -rate / (1 - std::pow(optimizer.beta1, now)));
}

LossSums measureLosses(const TrainingNetwork& network, const EncodedCorpus& corpus,
                       std::span<const std::vector<std::uint32_t>> batches, const at::Tensor& parameters,
                       network::Workers& workers, const std::stop_token& stop) {
    const bool onProcessor = parameters.device().is_cpu();
    std::vector<LossSums> sums(batches.size());
    workers.run(batches.size(), [&](std::size_t i) {
        trace::throwIfStopped(stop);
        const c10::InferenceMode withoutAutograd;
        const auto packed = corpus.packed(batches[i], 0, 1);
        if (onProcessor) {
            TapeOperations operations(parameters, {}, {});
            sums[i] = network.loss(operations, packed, {});
        } else {
            AutogradOperations operations(parameters, {}, 0, /*mixedPrecision=*/false);
            sums[i] = network.loss(operations, packed, {});
        }
    });
    LossSums all;
    for (const auto& batch : sums)
        all += batch;
    return all;
}

} // namespace headscope::training
