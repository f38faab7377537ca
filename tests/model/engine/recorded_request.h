#pragma once

#include "tests/model/engine/engines.h"
#include "tests/model/engine/recordings.h"

#include "model/files/read_file.h"

/// Requests that reproduce the reference outputs.
namespace recordings {

using namespace headscope;

/// The recorded integers under `name`; empty if the model has none.
inline std::vector<std::int64_t> integersIn(const Arrays& recorded, const std::string& name) {
    return recorded.contains(name) ? integers(recorded, name) : std::vector<std::int64_t>();
}

/// The input vectors of a model without an embedding.
inline trace::Source embeddingsOf(const std::string& model) {
    const std::string path = folder + model + "/embeddings.npy";
    const auto array = files::parseNpy(*files::readFile(path), path);
    return trace::SourceEmbeddings{{static_cast<std::size_t>(array.shape[0]),
                                    static_cast<std::size_t>(array.shape[1]), files::floatsOf(array)}};
}

/// The source and forced target of a reference output, with its padding and everything recorded.
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
