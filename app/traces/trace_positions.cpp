#include "app/traces/trace_positions.h"

#include "app/traces/trace_fields.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace headscope::app {

namespace {

using files::NamedArray;
using trace::DistanceBias;
using trace::Matrix;

NamedArray array(const std::string& name, const Matrix& matrix, std::size_t rows) {
    return files::floatArray(name,
                             {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(matrix.columns())},
                             std::span(matrix.values()).first(rows * matrix.columns()));
}

std::shared_ptr<const Matrix> matrixOf(TraceTensors& tensors, const std::string& name,
                                       const std::vector<std::int64_t>& shape) {
    const auto* stored = tensors.find(name, shape);
    return stored ? std::make_shared<const Matrix>(count(stored->shape[0]), count(stored->shape[1]),
                                                   tensors.list(*stored))
                  : nullptr;
}

std::shared_ptr<const DistanceBias> biasOf(TraceTensors& tensors, const std::string& name,
                                           const std::optional<DistanceBias>& said) {
    const auto values =
        said ? matrixOf(tensors, name, {-1, static_cast<std::int64_t>(said->buckets.size())}) : nullptr;
    if (!values || values->rows() % static_cast<std::size_t>(said->layers) != 0)
        return nullptr;
    auto bias = std::make_shared<DistanceBias>(*said);
    bias->values = *values;
    return bias;
}

bool movesPositions(const trace::Request& request) {
    return std::ranges::any_of(trace::effective(request.interventions), [](const auto& change) {
        return std::holds_alternative<trace::ChangePositions>(change);
    });
}

} // namespace

std::vector<NamedArray> positionArrays(const trace::Run& run) {
    constexpr std::size_t fewest = 64; // enough rows for readable curves
    const auto& model = *run.model;
    std::vector<NamedArray> arrays;
    for (const auto& [name, table] : {std::pair("positions/source_table", model.sourcePositions),
                                      std::pair("positions/target_table", model.targetPositions)})
        if (table)
            arrays.push_back(
                array(name, *table,
                      std::min(table->rows(), std::max({fewest, run.source.size(), run.target.size()}))));
    for (const auto& [name, bias] : {std::pair("positions/encoder_bias", model.encoderBias),
                                     std::pair("positions/decoder_bias", model.decoderBias)})
        if (bias)
            arrays.push_back(array(name, bias->values, bias->values.rows()));
    return arrays;
}

void readPositions(TraceTensors& tensors, TraceMetadata& words, const trace::Run& run) {
    const bool moved = movesPositions(words.request);
    const bool mayAdd =
        words.model.positionKind.value_or(trace::PositionKind::Added) == trace::PositionKind::Added;
    const auto table = [&](const std::string& side, std::size_t tokens) -> std::shared_ptr<const Matrix> {
        if (!mayAdd) // what other models add is zero
            return nullptr;
        auto stored = matrixOf(tensors, "positions/" + side + "_table", {-1, -1});
        if (!stored && !moved && tokens > 0)
            stored = matrixOf(tensors, "positions/" + side, {static_cast<std::int64_t>(tokens), -1});
        return stored;
    };
    auto& model = words.model.summary;
    model.sourcePositions = table("source", run.source.size());
    model.targetPositions = table("target", run.target.size());
    model.encoderBias = biasOf(tensors, "positions/encoder_bias", words.model.encoderBias);
    model.decoderBias = biasOf(tensors, "positions/decoder_bias", words.model.decoderBias);
    const bool adds = model.sourcePositions || model.targetPositions;
    model.positionKind =
        words.model.positionKind.value_or(adds ? trace::PositionKind::Added : trace::PositionKind::None);
}

} // namespace headscope::app
