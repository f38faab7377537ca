#include "app/traces/trace_flow.h"

#include "app/traces/trace_names.h"
#include "model/files/limited_json.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

namespace {

using trace::ModelFlow;
using trace::SublayerFlow;
using trace::SublayerKind;

/// Arrays with one number per token.
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

const char* stackName(bool ofEncoder) {
    return ofEncoder ? "flow/encoder" : "flow/decoder";
}

} // namespace

std::vector<files::NamedArray> flowArrays(const ModelFlow& flow) {
    std::vector<files::NamedArray> arrays;
    for (const auto& [name, part] : streams)
        if (!(flow.*part).empty())
            arrays.push_back(files::doubleArray(name, {size((flow.*part).size())}, flow.*part));
    for (const bool ofEncoder : {true, false}) {
        std::vector<double> values;
        std::int64_t sublayers = 0, tokens = 0;
        for (const auto& each : flow.sublayers) {
            if (isOfEncoder(each) != ofEncoder)
                continue;
            ++sublayers;
            tokens = size(each.before.size());
            for (const auto part : parts)
                values.insert(values.end(), (each.*part).begin(), (each.*part).end());
        }
        if (sublayers > 0)
            arrays.push_back(
                files::doubleArray(stackName(ofEncoder), {sublayers, size(parts.size()), tokens}, values));
    }
    return arrays;
}

nlohmann::ordered_json wordsOf(const ModelFlow& flow) {
    auto sublayers = nlohmann::ordered_json::array();
    for (const auto& each : flow.sublayers)
        sublayers.push_back({{"sublayer", toString(each.sublayer)},
                             {"units", each.units},
                             {"dead_units", each.deadUnits},
                             {"active_share", each.activeShare}});
    return {{"sublayers", sublayers}};
}

FlowWords flowWords(const nlohmann::json& object, const std::string& where) {
    FlowWords words;
    for (const auto& entry : files::arrayAt(object, "sublayers", where)) {
        const auto name = files::stringAt(entry, "sublayer", where);
        const auto sublayer = trace::parseSublayerAddress(name);
        if (!sublayer)
            throw trace::Refusal({.what = "This trace names a sublayer that means nothing",
                                  .where = where + ", \"flow\"",
                                  .expected = "such as encoder.0, decoder.1, cross.1 or decoder-ff.1",
                                  .found = files::printable(name),
                                  .wayOut = "write it anew"});
        words.sublayers.push_back({.sublayer = *sublayer,
                                   .units = files::integerAt(entry, "units", where, 0),
                                   .deadUnits = files::integerAt(entry, "dead_units", where, 0),
                                   .activeShare = files::numberAt(entry, "active_share", where, 0)});
    }
    return words;
}

std::shared_ptr<const ModelFlow> readFlow(TraceTensors& tensors, const FlowWords& words,
                                          const trace::Run& run) {
    const auto tokens = [&](bool ofEncoder) {
        return size(ofEncoder ? run.source.size() : run.target.size());
    };
    auto flow = std::make_shared<ModelFlow>();
    flow->sublayers = words.sublayers;
    for (const auto& [name, part] : streams) {
        const bool ofEncoder = part == &ModelFlow::sourceEmbedding || part == &ModelFlow::encoderOutput;
        if (const auto* stored = tensors.find(name, {tokens(ofEncoder)}))
            (*flow).*part = tensors.doubles(*stored);
    }
    for (const bool ofEncoder : {true, false}) {
        const auto sublayers = std::ranges::count_if(
            words.sublayers, [&](const auto& each) { return isOfEncoder(each) == ofEncoder; });
        if (sublayers == 0)
            continue;
        const auto* stored =
            tensors.find(stackName(ofEncoder), {sublayers, size(parts.size()), tokens(ofEncoder)});
        if (!stored)
            return nullptr;
        const auto values = tensors.doubles(*stored);
        auto next = values.begin();
        for (auto& each : flow->sublayers)
            for (const auto part : parts)
                if (isOfEncoder(each) == ofEncoder) {
                    (each.*part).assign(next, next + tokens(ofEncoder));
                    next += tokens(ofEncoder);
                }
    }
    return flow;
}

} // namespace headscope::app
