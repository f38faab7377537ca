#include "model/analysis/architecture/architecture_sublayers.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace headscope::analysis {

namespace {

using trace::SublayerKind;

Side sideOf(SublayerKind kind) {
    return kind == SublayerKind::EncoderSelf || kind == SublayerKind::EncoderFeedForward ? Side::Source
                                                                                         : Side::Target;
}

/// Name used in the summary's blocks.
std::string partName(SublayerKind kind) {
    return kind == SublayerKind::EncoderFeedForward || kind == SublayerKind::DecoderFeedForward
               ? "feed_forward"
           : kind == SublayerKind::Cross ? "cross"
                                         : "self";
}

void place(ArchitectureBlock& block, const trace::SublayerAddress& address) {
    block.layer = address.layer;
    block.sublayer = address;
    for (auto& child : block.children)
        place(child, address);
}

} // namespace

std::string stackName(Side side) {
    return side == Side::Source ? "encoder" : "decoder";
}

void finish(ArchitectureBlock& block) {
    for (const auto& child : block.children) {
        block.parameters += child.parameters;
        block.readsMemory = block.readsMemory || child.readsMemory;
    }
    if (!block.children.empty())
        block.out = block.children.back().out;
}

Axis ArchitectureParts::length(Side side) const {
    return side == Side::Source ? Axis{Axis::Along::Source, "S"} : Axis{Axis::Along::Target, "T"};
}

Axis ArchitectureParts::modelWidth(Side side) const {
    const auto own = side == Side::Target ? flag("decoder_width") : std::string();
    return {Axis::Along::Model, "d_model", own.empty() ? model_.modelWidth : std::stoll(own)};
}

std::string ArchitectureParts::flag(Side side, const std::string& key) const {
    const auto own = side == Side::Target ? flag("decoder_" + key) : std::string();
    return own.empty() ? flag(key) : own;
}

std::int64_t ArchitectureParts::parametersOf(const std::string& block) const {
    const auto found = std::ranges::find(model_.blocks, block, &std::pair<std::string, std::int64_t>::first);
    return found == model_.blocks.end() ? 0 : found->second;
}

std::int64_t ArchitectureParts::linear(std::int64_t in, std::int64_t out, const std::string& bias) const {
    return parametersAreKnown(model_) ? in * out + (flag(bias) == "no" ? 0 : out) : 0;
}

ArchitectureBlock ArchitectureParts::norm(Side side, const std::string& role) const {
    return {.kind = BlockKind::Norm,
            .side = side,
            .role = role,
            .out = {{"", stream(side)}},
            .parameters = parametersOf(role),
            .computed = {stream(side)}};
}

ArchitectureBlock ArchitectureParts::add(Side side, const std::string& role) const {
    return {.kind = BlockKind::Add,
            .side = side,
            .role = role,
            .out = {{"", stream(side)}},
            .computed = {stream(side)}};
}

ArchitectureBlock ArchitectureParts::attention(const trace::SublayerAddress& address,
                                               const std::string& role) const {
    const Side side = sideOf(address.kind);
    const bool cross = address.kind == SublayerKind::Cross;
    const std::int64_t heads = side == Side::Source ? model_.encoderHeads : model_.decoderHeads;
    const auto headWidth = model_.headWidthOf(side == Side::Source ? trace::AttentionKind::EncoderSelf
                                                                   : trace::AttentionKind::DecoderSelf);
    const std::int64_t inner = heads * headWidth;
    const Axis h{Axis::Along::Model, "h", heads};
    const Axis width{Axis::Along::Model, "d_k", headWidth};
    const Axis queries = length(side);
    const Axis keys = cross ? length(Side::Source) : queries;
    const Shape q{batch(), h, queries, width};
    const Shape k{batch(), h, keys, width};
    const Shape map{batch(), h, queries, keys};

    ArchitectureBlock block{
        .kind = cross ? BlockKind::CrossAttention : BlockKind::SelfAttention, .side = side, .role = role};
    const auto part = [&](BlockKind kind, const char* name, std::vector<FlowingTensor> out,
                          std::vector<Shape> computed, std::int64_t parameters = 0) {
        block.children.push_back({.kind = kind,
                                  .side = side,
                                  .role = role + "." + name,
                                  .out = std::move(out),
                                  .parameters = parameters,
                                  .computed = std::move(computed)});
    };
    // Rotations and distance biases are applied in the attention instead of the embeddings.
    const bool turned = !cross && model_.positionKind == trace::PositionKind::Rotation;
    const bool biased = !cross && model_.positionKind == trace::PositionKind::DistanceBias;
    const auto known = parametersAreKnown(model_) ? parametersOf(role) : 0;
    const auto ofOutput = linear(inner, modelWidth(side).size, "bias_attention_output");
    std::vector<FlowingTensor> projected{{cross ? "Q" : "Q, K", q}};
    if (cross)
        projected.push_back({"K", k});
    part(BlockKind::Projections, "projections", std::move(projected),
         turned ? std::vector<Shape>{q, k, k, q, k} : std::vector<Shape>{q, k, k},
         // Heads may share keys and values: what is not the output projection's.
         known > 0 ? known - ofOutput : 3 * linear(modelWidth(side).size, inner, "bias_query_key_value"));
    block.children.back().readsMemory = cross;
    part(BlockKind::Scores, "scores", {{"", map}},
         biased ? std::vector<Shape>{map, map} : std::vector<Shape>{map});
    part(BlockKind::Softmax, "softmax", {{"", map}}, {map});
    part(BlockKind::WeightedSum, "weighted_sum", {{"", q}}, {q});
    part(BlockKind::OutputProjection, "output", {{"", stream(side)}}, {stream(side)}, ofOutput);
    block.bypasses = {{.from = 1, .to = 3, .tensor = {"V", k}}};
    return block;
}

bool ArchitectureParts::hasExperts(const trace::SublayerAddress& address) const {
    const auto layers = flag("expert_layers"); // "1,3"; empty: all
    const auto listed = ',' + layers + ',';
    return sideOf(address.kind) == Side::Target && !flag("experts").empty() &&
           (layers.empty() || listed.find(',' + std::to_string(address.layer) + ',') != listed.npos);
}

ArchitectureBlock ArchitectureParts::feedForward(const trace::SublayerAddress& address,
                                                 const std::string& role) const {
    const Side side = sideOf(address.kind);
    const bool isDecoders = side == Side::Target && model_.decoderFeedForwardWidth > 0;
    const bool isMixture = hasExperts(address);
    const auto number = [&](const char* key) { return std::atoll(flag(key).c_str()); };
    const std::int64_t shared = number("shared_expert_width");
    const std::int64_t units =
        isMixture    ? number("experts_per_token") * number("expert_width") + shared // that a token uses
        : isDecoders ? model_.decoderFeedForwardWidth
                     : model_.feedForwardWidth;
    const Shape wide{batch(), length(side), {Axis::Along::Model, isMixture ? "d_experts" : "d_ff", units}};
    ArchitectureBlock block{.kind = BlockKind::FeedForward, .side = side, .role = role};
    const auto part = [&](BlockKind kind, const char* name, const Shape& out, std::int64_t parameters) {
        block.children.push_back({.kind = kind,
                                  .side = side,
                                  .role = role + "." + name,
                                  .out = {{"", out}},
                                  .parameters = parameters,
                                  .computed = {out}});
    };
    const bool isGated = flag("feed_forward_gate") == "yes"; // by a second map of the same shape
    const auto ofMixture = parametersOf(role);
    const std::int64_t ofRouter =
        isMixture && ofMixture > 0 ? (number("experts") + (shared > 0 ? 1 : 0)) * modelWidth(side).size : 0;
    // In a mixture, of all experts: they have no biases.
    const auto ofMaps = [&](std::int64_t maps) {
        const std::int64_t all = isGated ? 3 : 2;
        return isMixture ? (ofMixture - ofRouter) / all * maps
                         : maps * linear(modelWidth(side).size, units, "bias_feed_forward");
    };
    if (isMixture)
        part(BlockKind::Router, "router",
             {batch(), length(side), {Axis::Along::Model, "experts", number("experts")}}, ofRouter);
    part(BlockKind::Widen, "in", wide, ofMaps(isGated ? 2 : 1));
    if (isGated)
        block.children.back().computed.push_back(wide);
    part(BlockKind::Activation, "activation", wide, 0);
    part(BlockKind::Narrow, "out", stream(side),
         isMixture ? ofMaps(1) : linear(units, modelWidth(side).size, "bias_feed_forward"));
    return block;
}

void ArchitectureParts::addSublayer(ArchitectureBlock& layer, const trace::SublayerAddress& address) const {
    const std::string part = partName(address.kind);
    if (!isBuildKnown(model_)) { // only the attention was recorded
        if (part == "feed_forward")
            return;
        auto alone = attention(address, layer.role + "." + part);
        finish(alone);
        place(alone, address);
        layer.children.push_back(std::move(alone));
        return;
    }
    const std::string before = layer.role + ".";
    auto f = part == "feed_forward" ? feedForward(address, before + part) : attention(address, before + part);
    finish(f);
    auto around = norm(layer.side, before + "norm_" + part);
    auto sum = add(layer.side, before + "add_" + part);
    auto after = norm(layer.side, before + "norm_" + part + "_after"); // of a sandwich
    for (ArchitectureBlock* each : {&f, &around, &after, &sum})
        place(*each, address);
    const std::string scheme = flag(layer.side, "norm");
    const std::size_t first = layer.children.size();
    if (scheme == "parallel") { // one sum for both sublayers of the layer, which read the same stream
        around.isFedByBypass = first > 0;
        layer.children.push_back(std::move(around));
        layer.children.push_back(std::move(f));
        if (first == 0)
            return;
        layer.children.push_back(std::move(sum));
        const FlowingTensor x{"", stream(layer.side)};
        layer.bypasses = {{.from = 0, .to = first + 2, .tensor = x},
                          {.from = 0, .to = first, .tensor = x},
                          {.from = first, .to = first + 2, .tensor = x, .isInner = true}};
        return;
    }
    const bool normFirst = scheme != "post" && scheme != "sublayer-output";
    std::vector<ArchitectureBlock> order;
    if (scheme == "sandwich")
        order = {std::move(around), std::move(f), std::move(after), std::move(sum)};
    else if (normFirst)
        order = {std::move(around), std::move(f), std::move(sum)};
    else if (scheme == "post")
        order = {std::move(f), std::move(sum), std::move(around)};
    else
        order = {std::move(f), std::move(around), std::move(sum)};
    for (auto& each : order)
        layer.children.push_back(std::move(each));
    layer.bypasses.push_back({.from = scheme == "pre-normed-residual" ? first + 1 : first,
                              .to = scheme == "post"       ? first + 1
                                    : scheme == "sandwich" ? first + 3
                                                           : first + 2,
                              .tensor = {"", stream(layer.side)}});
}

} // namespace headscope::analysis
