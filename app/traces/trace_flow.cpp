#include "app/traces/array_fields.h"
#include "app/traces/trace_results.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

namespace {

using trace::ModelFlow;
using trace::SublayerFlow;
using trace::SublayerKind;

/// Arrays with one number for each token.
constexpr std::array<std::pair<const char*, std::vector<double> ModelFlow::*>, 4> streams{
    {{"flow/source_embedding", &ModelFlow::sourceEmbedding},
     {"flow/target_embedding", &ModelFlow::targetEmbedding},
     {"flow/encoder_output", &ModelFlow::encoderOutput},
     {"flow/decoder_output", &ModelFlow::decoderOutput}}};

/// Order within the arrays.
constexpr std::array parts{&SublayerFlow::before, &SublayerFlow::added, &SublayerFlow::after,
                           &SublayerFlow::cosine};

bool isOfEncoder(const SublayerFlow& flow) {
    return flow.sublayer.kind == SublayerKind::EncoderSelf ||
           flow.sublayer.kind == SublayerKind::EncoderFeedForward;
}

/// The sublayers are in the value already, with a number for each token. `lengths`: of the source, of the
/// target.
template <class Arrays>
bool numbers(Arrays& arrays, typename Arrays::template Of<ModelFlow>& flow, std::size_t source,
             std::size_t target) {
    for (const auto& [name, part] : streams) {
        const bool ofEncoder = part == &ModelFlow::sourceEmbedding || part == &ModelFlow::encoderOutput;
        if (!Arrays::writes || !(flow.*part).empty())
            arrays.list(name, {size(ofEncoder ? source : target)}, flow.*part);
    }
    for (const bool ofEncoder : {true, false}) {
        const std::size_t tokens = ofEncoder ? source : target;
        std::vector<std::size_t> sublayers;
        for (std::size_t i = 0; i < flow.sublayers.size(); ++i)
            if (isOfEncoder(flow.sublayers[i]) == ofEncoder)
                sublayers.push_back(i);
        const auto number = [&](std::size_t i) -> auto& {
            const auto row = i / tokens;
            return (flow.sublayers[sublayers[row / parts.size()]].*parts[row % parts.size()])[i % tokens];
        };
        const char* name = ofEncoder ? "flow/encoder" : "flow/decoder";
        if (!sublayers.empty() &&
            !arrays.each(name, {size(sublayers.size()), size(parts.size()), size(tokens)}, number))
            return false;
    }
    return true;
}

} // namespace

std::vector<files::NamedArray> flowArrays(const ModelFlow& flow) {
    const auto tokens = [&](bool ofEncoder) {
        const auto found = std::ranges::find(flow.sublayers, ofEncoder, isOfEncoder);
        return found == flow.sublayers.end() ? 0 : found->before.size();
    };
    ArrayWriter writer;
    numbers(writer, flow, std::max(tokens(true), flow.sourceEmbedding.size()),
            std::max(tokens(false), flow.targetEmbedding.size()));
    return writer.arrays();
}

std::shared_ptr<const ModelFlow> readFlow(TraceTensors& tensors, const ModelFlow& words,
                                          const trace::Run& run) {
    auto flow = std::make_shared<ModelFlow>(words);
    for (auto& each : flow->sublayers)
        for (const auto part : parts)
            (each.*part).resize(isOfEncoder(each) ? run.source.size() : run.target.size());
    ArrayReader reader(tensors);
    return numbers(reader, *flow, run.source.size(), run.target.size()) ? flow : nullptr;
}

} // namespace headscope::app
