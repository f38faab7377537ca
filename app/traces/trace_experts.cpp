#include "app/traces/array_fields.h"
#include "app/traces/trace_results.h"

#include <algorithm>
#include <functional>

namespace headscope::app {

namespace {

using trace::ExpertRouting;
using trace::LayerRouting;

/// The layers are in the value already, each with room for its numbers.
template <class Arrays>
bool numbers(Arrays& arrays, typename Arrays::template Of<ExpertRouting>& routing, std::size_t tokens) {
    const auto perLayer = tokens * count(routing.used);
    const Shape shape{size(routing.layers.size()), size(tokens), routing.used};
    const auto each = [&](const char* name, auto part) {
        return arrays.each(
            name, shape, [&](std::size_t i) -> auto& {
                return (routing.layers[i / perLayer].*part)[i % perLayer];
            });
    };
    return each("experts/chosen", &LayerRouting::experts) &&
           each("experts/router_weights", &LayerRouting::weights);
}

} // namespace

std::vector<files::NamedArray> expertArrays(const ExpertRouting& routing) {
    ArrayWriter writer;
    std::vector<std::int64_t> layers;
    for (const auto& layer : routing.layers)
        layers.push_back(layer.layer);
    writer.list("experts/layers", {size(layers.size())}, layers);
    writer.list("experts/count", {1}, std::vector<std::int64_t>{routing.experts});
    const auto chosen = routing.layers.empty() ? 0 : routing.layers.front().experts.size();
    numbers(writer, routing, routing.used > 0 ? chosen / count(routing.used) : 0);
    return writer.arrays();
}

std::shared_ptr<const ExpertRouting> readExperts(TraceTensors& tensors, const trace::Run& run) {
    const auto tokens = run.target.size();
    const auto* chosen = tokens > 0 ? tensors.find("experts/chosen", {-1, size(tokens), -1}) : nullptr;
    ArrayReader reader(tensors);
    std::vector<int> layers, experts;
    if (!chosen || !reader.list("experts/layers", {chosen->shape[0]}, layers) ||
        !reader.list("experts/count", {1}, experts))
        return nullptr;
    auto routing = std::make_shared<ExpertRouting>();
    routing->request = run.request;
    routing->experts = experts.front();
    routing->used = chosen->shape[2];
    for (const int layer : layers)
        routing->layers.push_back({.layer = layer,
                                   .experts = std::vector<int>(tokens * count(routing->used)),
                                   .weights = std::vector<float>(tokens * count(routing->used))});
    if (!numbers(reader, *routing, tokens))
        return nullptr;
    for (const auto& layer : routing->layers)
        if (std::ranges::any_of(layer.experts,
                                [&](int expert) { return expert < 0 || expert >= routing->experts; })) {
            tensors.addFinding("\"experts/chosen\" names experts that are not there");
            return nullptr;
        }
    return routing;
}

} // namespace headscope::app
