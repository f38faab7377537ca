#include "model/analysis/architecture/architecture_blocks.h"

#include "model/analysis/architecture/architecture_sublayers.h"
#include "model/trace/sublayer_site.h"

#include <algorithm>

namespace headscope::analysis {

namespace {

const ArchitectureBlock* findIn(const std::vector<ArchitectureBlock>& blocks, const std::string& role) {
    for (const auto& block : blocks) {
        if (block.role == role)
            return &block;
        if (const auto* found = findIn(block.children, role))
            return found;
    }
    return nullptr;
}

ArchitectureBlock layer(const ArchitectureParts& parts, Side side, int number, bool hasCross) {
    ArchitectureBlock block{.kind = BlockKind::Layer,
                            .side = side,
                            .role = stackName(side) + "." + std::to_string(number),
                            .layer = number};
    block.parameters = parts.parametersOf(block.role + ".relative_bias"); // if the layer has its own
    const auto kinds = side == Side::Source ? trace::encoderSublayers() : trace::decoderSublayers(hasCross);
    for (const auto kind : kinds)
        parts.addSublayer(block, {kind, number});
    finish(block);
    return block;
}

/// The first layer again, with the same weights, which count once.
ArchitectureBlock again(ArchitectureBlock block, int layer) {
    constexpr std::string_view first = "encoder.0";
    if (block.role.starts_with(first))
        block.role.replace(0, first.size(), "encoder." + std::to_string(layer));
    block.parameters = 0;
    block.layer = layer;
    if (block.sublayer)
        block.sublayer->layer = layer;
    for (auto& child : block.children)
        child = again(std::move(child), layer);
    return block;
}

ArchitectureBlock stack(const ArchitectureParts& parts, Side side, int layers, bool hasCross) {
    // Usually the layers share one table of distance biases.
    ArchitectureBlock block{.kind = BlockKind::Stack,
                            .side = side,
                            .role = stackName(side),
                            .parameters = parts.parametersOf(stackName(side) + ".relative_bias")};
    for (int number = 0; number < layers; ++number)
        block.children.push_back(number > 0 && parts.flag("shared_layers") == "yes" && side == Side::Source
                                     ? again(block.children.front(), number)
                                     : layer(parts, side, number, hasCross));
    if (const auto role = stackName(side) + ".final_norm"; parts.has(role))
        block.children.push_back(parts.norm(side, role));
    finish(block);
    return block;
}

void addLast(std::vector<ArchitectureBlock>& column, Side side, BlockKind kind, const std::string& role,
             const Shape& out, std::int64_t parameters) {
    column.push_back({.kind = kind,
                      .side = side,
                      .role = role,
                      .out = {{"", out}},
                      .parameters = parameters,
                      .computed = {out}});
}

/// Embeddings of another width than the model's, all blocks of `column` so far, are projected to it.
void addProjection(std::vector<ArchitectureBlock>& column, const ArchitectureParts& parts, Side side) {
    const bool isSource = side == Side::Source;
    const auto width = parts.flag(isSource ? "embedding_width" : "target_embedding_width");
    if (width.empty())
        return;
    const auto narrow = [&](Shape& shape) { shape.back() = {Axis::Along::Model, "E", std::stoll(width)}; };
    for (auto& block : column) {
        for (auto& tensor : block.out)
            narrow(tensor.shape);
        for (auto& shape : block.computed)
            narrow(shape);
    }
    const std::string role = isSource ? "embedding_projection" : "target_embedding_projection";
    addLast(column, side, BlockKind::Narrow, role, parts.stream(side), parts.parametersOf(role));
}

/// Word vectors, the positions that are added to them, and the norm of the sum.
void addEmbedding(std::vector<ArchitectureBlock>& column, const ArchitectureParts& parts, Side side,
                  bool tied, bool positions) {
    const std::string name = side == Side::Source ? "source" : "target";
    ArchitectureBlock words{.kind = BlockKind::Embedding,
                            .side = side,
                            .role = name + "_embedding",
                            .out = {{"", parts.stream(side)}},
                            .parameters = tied ? 0 : parts.parametersOf(name + "_embedding"),
                            .computed = {parts.stream(side)}};
    if (const auto scale = parts.flag("embedding_scale"); !scale.empty() && scale != "1")
        words.computed.push_back(parts.stream(side));
    column.push_back(std::move(words));
    if (side == Side::Target) // positions are as wide as the model
        addProjection(column, parts, side);
    if (const std::string role = side == Side::Source ? "segment_embedding" : "target_segment_embedding";
        parts.has(role)) {
        column.push_back({.kind = BlockKind::Positions,
                          .side = side,
                          .role = role,
                          .out = {{"", {parts.length(side), parts.modelWidth(side)}}},
                          .parameters = parts.parametersOf(role)});
        column.push_back(parts.add(side, side == Side::Source ? "segment_sum" : "target_segment_sum"));
    }
    if (positions) {
        column.push_back({.kind = BlockKind::Positions,
                          .side = side,
                          .role = name + "_positions",
                          .out = {{"", {parts.length(side), parts.modelWidth(side)}}},
                          .parameters = parts.parametersOf(name + "_positions")});
        column.push_back(parts.add(side, name + "_sum"));
    }
    if (const auto role = stackName(side) + ".embedding_norm"; parts.has(role))
        column.push_back(parts.norm(side, role));
}

/// What a head may have before its output projection.
void addLayersOfHead(std::vector<ArchitectureBlock>& column, const ArchitectureParts& parts, Side side,
                     const std::string& role, const Shape& out) {
    for (const auto& [ending, kind] :
         {std::pair("_hidden", BlockKind::Narrow), std::pair("_norm", BlockKind::Norm)})
        if (parts.has(role + ending))
            addLast(column, side, kind, role + ending, out, parts.parametersOf(role + ending));
}

/// The head on the encoder output, if there is one.
void addHead(Architecture& made, const ArchitectureParts& parts, const trace::ModelSummary& model) {
    using trace::TokenPrediction;
    if (model.decoderLayers > 0 || model.hasNoHead())
        return;
    const bool classifies = model.tokenPrediction == TokenPrediction::None;
    const bool predictsTokens = model.tokenPrediction == TokenPrediction::Masked;
    const bool labels = model.tokenPrediction == TokenPrediction::Labels;
    const bool spans = model.tokenPrediction == TokenPrediction::Span;
    const std::string role = classifies       ? "classifier"
                             : predictsTokens ? "masked_tokens"
                             : labels         ? "token_labels"
                             : spans          ? "answer_span"
                                              : "replaced_tokens";
    const auto outputs = labels ? model.tokenLabels : std::max(model.classes, model.numbers);
    Shape read = parts.stream(Side::Source);
    if (classifies)
        read = {parts.batch(), parts.modelWidth(Side::Source)};
    if (classifies && parts.flag("classifier_input") != "first-token")
        addLast(made.source, Side::Source, BlockKind::MaxPooling, "pooling", read, 0);
    if (predictsTokens)
        if (const auto width = parts.flag("embedding_width"); !width.empty())
            read.back() = {Axis::Along::Model, "E", std::stoll(width)};
    addLayersOfHead(made.source, parts, Side::Source, role, read);
    Shape out = read;
    out.back() = classifies || labels ? Axis{Axis::Along::Model, "C", outputs}
                 : predictsTokens     ? Axis{Axis::Along::Model, "V", model.sourceVocabulary}
                 : spans              ? Axis{Axis::Along::Model, "2", 2}
                                      : Axis{Axis::Along::Model, "1", 1};
    addLast(made.source, Side::Source, predictsTokens ? BlockKind::Generator : BlockKind::Classifier, role,
            out, parts.parametersOf(role));
    const bool isOneOfClasses = classifies && model.numbers == 0 && !model.areClassesSeparate;
    if (isOneOfClasses || predictsTokens || labels)
        addLast(made.source, Side::Source, BlockKind::LogSoftmax,
                classifies ? "class_log_softmax" : "token_log_softmax", out, 0);
    if (predictsTokens && parts.flag("tied_generator") == "yes")
        made.ties.emplace_back("source_embedding", role);
}

} // namespace

const ArchitectureBlock* Architecture::find(const std::string& role) const {
    const auto* found = findIn(source, role);
    return found ? found : findIn(target, role);
}

Architecture architectureOf(const trace::ModelSummary& model) {
    const ArchitectureParts parts(model);
    Architecture made;
    const bool hasCross = !model.isDecoderAlone();
    if (!model.isDecoderAlone()) {
        made.sourceIn = {parts.batch(), parts.length(Side::Source)};
        if (model.sourceVocabulary > 0) {
            addEmbedding(made.source, parts, Side::Source, false, model.sourcePositions != nullptr);
            addProjection(made.source, parts, Side::Source);
        } else
            made.sourceIn = parts.stream(Side::Source);
        made.source.push_back(stack(parts, Side::Source, model.encoderLayers, hasCross));
        if (const std::string role = "bridge"; parts.has(role)) {
            Shape wide = parts.stream(Side::Source);
            wide.back() = parts.modelWidth(Side::Target);
            addLast(made.source, Side::Source, BlockKind::Narrow, role, wide, parts.parametersOf(role));
        }
    }
    addHead(made, parts, model);
    if (model.decoderLayers == 0)
        return made;
    const bool hasWords = model.targetVocabulary > 0 || isBuildKnown(model);

    const bool oneEmbedding = parts.flag("tied_source_target") == "yes";
    made.targetIn = {parts.batch(), parts.length(Side::Target)};
    if (hasWords)
        addEmbedding(made.target, parts, Side::Target, oneEmbedding, model.targetPositions != nullptr);
    else
        made.targetIn = parts.stream(Side::Target);
    made.target.push_back(stack(parts, Side::Target, model.decoderLayers, hasCross));
    if (!hasWords)
        return made;
    Shape read = parts.stream(Side::Target);
    if (const auto width = parts.flag("target_embedding_width"); !width.empty())
        read.back() = {Axis::Along::Model, "E", std::stoll(width)};
    addLayersOfHead(made.target, parts, Side::Target, "generator", read);
    Shape words = made.targetIn;
    words.push_back({Axis::Along::Model, "V", model.targetVocabulary});
    addLast(made.target, Side::Target, BlockKind::Generator, "generator", words,
            parts.parametersOf("generator"));
    addLast(made.target, Side::Target, BlockKind::LogSoftmax, "log_softmax", words, 0);
    if (oneEmbedding)
        made.ties.emplace_back("source_embedding", "target_embedding");
    if (parts.flag("tied_generator") == "yes")
        made.ties.emplace_back("target_embedding", "generator");
    return made;
}

bool isBuildKnown(const trace::ModelSummary& model) {
    return !model.recorded || !model.architecture.empty();
}

bool parametersAreKnown(const trace::ModelSummary& model) {
    return !model.recorded || model.parameters > 0;
}

} // namespace headscope::analysis
