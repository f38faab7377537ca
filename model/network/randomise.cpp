#include "model/network/randomise.h"

#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <span>

namespace headscope::network {

namespace {

/// Own distributions, because those of the standard library and of LibTorch differ between builds and
/// processors.
class RandomNumbers {
  public:
    explicit RandomNumbers(std::uint64_t seed) : bits_(seed) {}

    /// Returns a number in [0, 1).
    double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
    double between(double least, double most) { return least + (most - least) * uniform(); }

    /// Returns a number with mean 0 and deviation 1 (Box & Muller 1958).
    double normal() {
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

  private:
    std::mt19937_64 bits_;
};

template <class Draw>
void fill(std::span<float> values, const std::stop_token& stop, Draw&& draw) {
    constexpr std::size_t chunk = 1 << 18; // takes some milliseconds
    while (!values.empty()) {
        if (stop.stop_requested())
            throw trace::Cancelled();
        const auto now = values.first(std::min(chunk, values.size()));
        std::generate(now.begin(), now.end(), [&] { return static_cast<float>(draw()); });
        values = values.subspan(now.size());
    }
}

bool isEmbedding(const std::string& role) {
    return role.ends_with("_embedding.weight") || role.ends_with("_positions");
}

} // namespace

void randomise(const Transformer& network, std::uint64_t seed, std::stop_token stop) {
    RandomNumbers random(seed);
    const double offset = network.config().normUnitOffset ? 1 : 0;
    const double embedding = 1 / std::sqrt(network.config().modelWidth);
    for (const auto& [role, parameter] : network.parameters()) {
        const std::span values(parameter.data_ptr<float>(), parameter.numel());
        if (role.ends_with(".gain"))
            fill(values, stop, [&] { return random.between(0.9, 1.1) - offset; });
        else if (role.ends_with(".bias"))
            fill(values, stop, [&] { return 0.02 * random.normal(); });
        else if (isEmbedding(role))
            fill(values, stop, [&] { return embedding * random.normal(); });
        else {
            const double limit = std::sqrt(6.0 / static_cast<double>(parameter.size(0) + parameter.size(1)));
            fill(values, stop, [&] { return random.between(-limit, limit); });
        }
    }
}

} // namespace headscope::network
