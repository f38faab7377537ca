#pragma once

#include "model/trace/model_flow.h"
#include "tests/widgets/example_run.h"

namespace headscope::example {

struct ArchitectureOptions {
    const char* norm = "pre";
    bool tied = false;       ///< one embedding for source, target and generator
    bool classifier = false; ///< an encoder with two classes, no decoder
};

inline void describe(trace::ModelSummary& model, const ArchitectureOptions& options) {
    const std::int64_t d = model.modelWidth;
    const std::int64_t wide = 4 * d;
    model.headWidth = model.modelWidth / model.encoderHeads;
    model.feedForwardWidth = static_cast<int>(wide);
    model.sourceVocabulary = 8000;
    model.targetVocabulary = options.classifier ? 0 : 8000;
    const char* tied = options.tied ? "yes" : "no";
    model.architecture = {{"norm", options.norm},       {"norm_kind", "layer-norm"},
                          {"embedding_scale", "8"},     {"positions", "sinusoid-interleaved"},
                          {"activation", "relu"},       {"score_scale", "0.3535533905932738"},
                          {"tied_source_target", tied}, {"tied_generator", tied}};
    const auto add = [&](std::string name, std::int64_t count) {
        model.blocks.emplace_back(std::move(name), count);
        model.parameters += count;
    };
    const auto stack = [&](const std::string& name, int layers, bool cross) {
        for (int layer = 0; layer < layers; ++layer) {
            const std::string at = name + "." + std::to_string(layer) + ".";
            for (const char* part : {"self", "cross"})
                if (cross || std::string(part) == "self") {
                    add(at + part, 4 * (d * d + d));
                    add(at + "norm_" + part, 2 * d);
                }
            add(at + "feed_forward", 2 * d * wide + wide + d);
            add(at + "norm_feed_forward", 2 * d);
        }
        if (std::string(options.norm) == "pre")
            add(name + ".final_norm", 2 * d);
    };
    add("source_embedding", 8000 * d);
    stack("encoder", model.encoderLayers, false);
    if (options.classifier) {
        model.classes = 2;
        model.decoderLayers = model.decoderHeads = 0;
        model.targetPositions = nullptr;
        add("classifier", 2 * d + 2);
    } else {
        if (!options.tied)
            add("target_embedding", 8000 * d);
        stack("decoder", model.decoderLayers, true);
        if (!options.tied)
            add("generator", 8000 * d + 8000);
    }
    model.bytes = 4 * model.parameters;
}

/// The same run in a model that says all of itself.
inline std::shared_ptr<trace::Run> withArchitecture(const trace::Run& run,
                                                    const ArchitectureOptions& options = {}) {
    auto made = std::make_shared<trace::Run>(run);
    auto model = std::make_shared<trace::ModelSummary>(*run.model);
    describe(*model, options);
    made->model = model;
    if (options.classifier) {
        made->tree = {};
        made->path.clear();
        made->paths.clear();
        made->target.clear();
        made->next.clear();
        made->decoder.clear();
        made->cross.clear();
        made->classLogProbabilities = {-2.3F, -0.105F};
    }
    return made;
}

/// Streams that grow from sublayer to sublayer, a little more at every token.
inline std::shared_ptr<trace::ModelFlow> flow(const trace::Run& run) {
    auto made = std::make_shared<trace::ModelFlow>();
    made->request = run.request;
    const auto fill = [](double first, std::size_t count) {
        std::vector<double> values;
        for (std::size_t token = 0; token < count; ++token)
            values.push_back(first + 0.125 * static_cast<double>(token));
        return values;
    };
    using trace::SublayerKind;
    const auto stack = [&](std::initializer_list<SublayerKind> kinds, int layers, std::size_t tokens) {
        double length = 8;
        for (int layer = 0; layer < layers; ++layer)
            for (const auto kind : kinds) {
                trace::SublayerFlow each{.sublayer = {kind, layer},
                                         .before = fill(length, tokens),
                                         .added = fill(3, tokens),
                                         .after = fill(length + 1.5, tokens),
                                         .cosine = std::vector<double>(tokens, 0.25)};
                if (kind == SublayerKind::EncoderFeedForward || kind == SublayerKind::DecoderFeedForward) {
                    each.units = run.model->feedForwardWidth;
                    each.deadUnits = 32;
                    each.activeShare = 0.2;
                }
                made->sublayers.push_back(std::move(each));
                length += 1.5;
            }
    };
    stack({SublayerKind::EncoderSelf, SublayerKind::EncoderFeedForward}, run.model->encoderLayers,
          run.source.size());
    stack({SublayerKind::DecoderSelf, SublayerKind::Cross, SublayerKind::DecoderFeedForward},
          run.model->decoderLayers, run.target.size());
    made->sourceEmbedding = fill(8, run.source.size());
    made->targetEmbedding = fill(8, run.target.size());
    made->encoderOutput = made->sourceEmbedding;
    made->decoderOutput = made->targetEmbedding;
    return made;
}

} // namespace headscope::example
