#include "model/training/attention_entropies.h"

#include "model/trace/refusal.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace headscope::training {

namespace {

class EntropyMeter : public network::ForwardObserver {
  public:
    void attention(const network::AttentionReport& report) override {
        auto& sum = sums_[static_cast<std::size_t>(report.site.kind)];
        const auto weights = report.weights.to(at::kDouble);
        sum.nats -= at::xlogy(weights, weights).sum().item<double>();
        // Rows with at least two allowed keys.
        const auto choices = report.mask.sum(-1).ge(2).sum().item<std::int64_t>();
        sum.rows += weights.size(0) * choices;
    }
    void residual(network::Stack, int, const at::Tensor&) override {}

    std::optional<double> bits(trace::AttentionKind kind) const {
        const auto& sum = sums_[static_cast<std::size_t>(kind)];
        return sum.rows == 0 ? std::nullopt
                             : std::optional(sum.nats / static_cast<double>(sum.rows) / std::log(2.0));
    }

  private:
    struct Sum {
        double nats = 0;
        std::int64_t rows = 0;
    };
    std::array<Sum, 3> sums_;
};

void pass(const network::Transformer& network, const PackedBatch& example, EntropyMeter& meter) {
    const auto tensorOf = [](const std::vector<std::int64_t>& ids) { return at::tensor(ids, at::kLong); };
    const auto openOf = [](const PackedSentences& sentence) {
        return at::ones({static_cast<std::int64_t>(sentence.tokens())}, at::kBool);
    };
    const network::Pass watched{.observer = &meter};
    const auto open = openOf(example.source);
    const auto memory =
        network.encode(network.sourceEmbedding()(tensorOf(example.source.ids), 0), open, watched);
    if (network.config().decoder.layers == 0)
        return;
    auto state = network.startDecoding(memory, open, static_cast<std::int64_t>(example.fed.tokens()));
    network.decode(tensorOf(example.fed.ids), openOf(example.fed), state, watched);
}

} // namespace

AttentionEntropies attentionEntropies(const network::Transformer& network,
                                      const std::vector<PackedBatch>& examples, const std::stop_token& stop) {
    const c10::InferenceMode withoutAutograd;
    EntropyMeter meter;
    for (const auto& example : examples) {
        trace::throwIfStopped(stop);
        pass(network, example, meter);
    }
    return {.encoder = meter.bits(trace::AttentionKind::EncoderSelf),
            .decoder = meter.bits(trace::AttentionKind::DecoderSelf),
            .cross = meter.bits(trace::AttentionKind::Cross)};
}

} // namespace headscope::training
