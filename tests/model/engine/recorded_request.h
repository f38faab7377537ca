#pragma once

#include "tests/model/engine/engines.h"
#include "tests/model/engine/recordings.h"

#include "model/files/read_file.h"

/// What to ask for to get what was recorded.
namespace recordings {

using namespace headscope;

/// What was recorded under a name; empty where the model has no such thing.
inline std::vector<std::int64_t> integersIn(const Arrays& recorded, const std::string& name) {
    return recorded.contains(name) ? integers(recorded, name) : std::vector<std::int64_t>();
}

/// The vectors that a model without an embedding is fed.
inline trace::Source embeddingsOf(const std::string& model) {
    const std::string path = folder + model + "/embeddings.npy";
    const auto array = files::parseNpy(*files::readFile(path), path);
    return trace::SourceEmbeddings{{static_cast<std::size_t>(array.shape[0]),
                                    static_cast<std::size_t>(array.shape[1]), files::floatsOf(array)}};
}

/// A recording's source and forced target with everything recorded; the padding it ends with is asked for.
inline trace::Request requestOf(const std::string& model, const Arrays& recorded) {
    auto source = integersIn(recorded, "source_ids");
    auto target = integersIn(recorded, "target_ids");
    trace::Padding padding;
    if (recorded.contains("padding")) {
        const auto counts = integers(recorded, "padding");
        padding = {.source = static_cast<int>(counts[0]), .target = static_cast<int>(counts[1])};
    }
    source.resize(source.size() - static_cast<std::size_t>(padding.source));
    if (!target.empty())
        target.resize(target.size() - static_cast<std::size_t>(padding.target));
    auto request = target.empty() ? engines::greedy(source) : engines::forced(source, target);
    if (source.empty())
        request.source = embeddingsOf(model);
    request.padding = padding;
    request.recording = {
        .projections = true, .residual = true, .encoderOutput = true, .logProbabilities = true};
    return request;
}

} // namespace recordings
