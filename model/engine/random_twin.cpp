#include "model/engine/random_twin.h"

#include "model/checkpoint/position_formula.h"
#include "model/engine/random_network.h"
#include "model/engine/summarise.h"

#include <string>
#include <utility>

namespace headscope::engine {

namespace {

/// Replaces position tables that match a formula by that formula.
network::NetworkConfig architectureOf(const OpenModel& model) {
    auto config = model.network->config();
    const double base = model.settings.number("position_base").value_or(10000);
    if (const auto formula = checkpoint::positionFormula(*model.network, base)) {
        config.positions = *formula;
        config.positionBase = base;
    }
    return config;
}

std::shared_ptr<const trace::ModelSummary>
summariseTwin(const OpenModel& twin, const trace::ModelSummary& model, const std::string& weights) {
    auto summary = std::make_shared<trace::ModelSummary>(
        *summarise(twin, {.name = model.name, .weights = model.path}, {.format = weights}));
    summary->name = model.name + ", " + weights;
    return summary;
}

} // namespace

std::unique_ptr<OpenModel> makeRandomTwin(const OpenModel& model, std::uint64_t seed, std::stop_token stop) {
    const std::string weights = "random weights (seed " + std::to_string(seed) + ")";
    auto twin = std::make_unique<OpenModel>();
    twin->family = model.family;
    twin->settings = model.settings;
    twin->tokenizer = model.tokenizer;
    twin->tokenizerFiles = model.tokenizerFiles;
    twin->generation = model.generation;
    twin->network = makeRandomNetwork(architectureOf(model),
                                      {.seed = seed,
                                       .where = model.summary->path + ", " + weights,
                                       .wayOut = "close other programs, or look at a smaller model"},
                                      std::move(stop));
    twin->summary = summariseTwin(*twin, *model.summary, weights);
    return twin;
}

} // namespace headscope::engine
