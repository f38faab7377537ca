#include "model/engine/decoding_session.h"

#include "model/engine/best_candidates.h"
#include "model/engine/run_recorder.h"
#include "model/engine/tensor_values.h"
#include "model/network/attention_mask.h"
#include "model/network/one_query.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace headscope::engine {

namespace {

constexpr std::int64_t usualLength = 64;

} // namespace

DecodingSession::DecodingSession(const OpenModel& model, const EncodedSource& source,
                                 const network::Interventions& interventions,
                                 const trace::Recording& recording, int candidates)
    : model_(model), source_(source), interventions_(interventions), recording_(recording),
      candidates_(candidates), state_(model.network->startDecoding(source.output, source.open, usualLength)) {
    const auto& config = model.network->config();
    for (std::size_t layer = 0; layer < state_.fed.size(); ++layer)
        queries_.emplace_back(config.decoderHeads, config.headWidth, usualLength);
}

std::shared_ptr<const trace::DecodeRow> DecodingSession::row(const std::vector<std::int64_t>& fed,
                                                             std::stop_token stop) {
    auto found = known_.find(fed);
    if (found == known_.end())
        found = known_.emplace(fed, compute(fed, std::move(stop))).first;
    return found->second.row;
}

std::span<const float> DecodingSession::logProbabilities(const std::vector<std::int64_t>& fed) const {
    const auto& values = known_.at(fed).logProbabilities;
    return {values.data_ptr<float>(), static_cast<std::size_t>(values.size(0))};
}

network::Pass DecodingSession::passOf(network::ForwardObserver& observer) const {
    return {.observer = &observer, .interventions = &interventions_, .longestMap = recording_.longestMap};
}

const trace::HeadStack& DecodingSession::sourceKeys(std::size_t layer) {
    for (auto next = sourceKeys_.size(); next <= layer; ++next)
        sourceKeys_.push_back(headStack(memory(next).k));
    return sourceKeys_[layer];
}

DecodingSession::Known DecodingSession::compute(const std::vector<std::int64_t>& fed, std::stop_token stop) {
    if (interventions_.liftsMask())
        return computeWhole(fed, std::move(stop));
    const std::vector<std::int64_t> prefix(fed.begin(), fed.end() - 1);
    if (!prefix.empty())
        row(prefix, stop); // from here on the rows of all prefixes are known
    bringCacheTo(prefix);

    const auto ids = at::tensor(std::vector<std::int64_t>{fed.back()}, at::kLong);
    const auto open = network::openKeys(ids, model_.maskedInTarget());
    RunRecorder recorder(recording_, std::move(stop));
    cached_.clear(); // of no use if the pass is cancelled half-way
    const auto pass = passOf(recorder);
    const auto output = model_.network->decode(ids, open, state_, pass);                    // [1, d_model]
    const auto logProbabilities = model_.network->logProbabilities(output)[0].contiguous(); // [vocabulary]

    auto row = std::make_shared<trace::DecodeRow>();
    for (std::size_t layer = 0; layer < recorder.decoder.size(); ++layer) {
        const auto& newest = recorder.decoder[layer];
        row->scoresOfEarlierQueries.push_back(newest.isLeftOut() ? trace::HeadStack()
                                                                 : scoresOfEarlierQueries(layer, newest));
        queries_[layer].append(overValues(newest.q));
    }
    cached_ = fed;
    row->self = std::move(recorder.decoder);
    row->cross = std::move(recorder.cross);
    row->candidates = candidatesOf(logProbabilities);
    if (recording_.logProbabilities)
        row->logProbabilities = floats(logProbabilities);
    if (recording_.residual)
        row->residual = matrix(at::cat(recorder.residuals));
    row->position =
        floats(model_.network->targetPositions(static_cast<std::int64_t>(prefix.size()), 1, pass));
    return {std::move(row), logProbabilities};
}

/// What comes next after tokens that all see each other. Of the maps only those of the whole target count.
DecodingSession::Known DecodingSession::computeWhole(const std::vector<std::int64_t>& fed,
                                                     std::stop_token stop) const {
    StopWatcher watching(std::move(stop));
    const auto ids = at::tensor(fed, at::kLong);
    auto state = model_.network->startDecoding(source_.output, source_.open, ids.size(0));
    const auto output =
        model_.network->decode(ids, network::openKeys(ids, model_.maskedInTarget()), state, passOf(watching));
    const auto logProbabilities = model_.network->logProbabilities(output[-1].unsqueeze(0))[0].contiguous();
    auto row = std::make_shared<trace::DecodeRow>();
    row->candidates = candidatesOf(logProbabilities);
    return {std::move(row), logProbabilities};
}

std::vector<DecodingSession::WholeRow> DecodingSession::wholeRows(const std::vector<std::int64_t>& fed,
                                                                  std::stop_token stop) const {
    const auto ids = at::tensor(fed, at::kLong);
    auto state = model_.network->startDecoding(source_.output, source_.open, ids.size(0));
    RunRecorder recorder(recording_, std::move(stop), RunRecorder::Keys::All);
    const auto pass = passOf(recorder);
    const auto output =
        model_.network->decode(ids, network::openKeys(ids, model_.maskedInTarget()), state, pass);
    const auto logProbabilities = model_.network->logProbabilities(output).contiguous(); // [T, vocabulary]
    const auto positions = model_.network->targetPositions(0, ids.size(0), pass);        // [T, d_model]
    std::vector<WholeRow> rows;
    for (std::size_t t = 0; t < fed.size(); ++t) {
        const auto step = static_cast<std::int64_t>(t);
        auto row = std::make_shared<trace::DecodeRow>();
        for (const auto& record : recorder.decoder)
            row->self.push_back(trace::rowOf(record, t));
        for (const auto& record : recorder.cross)
            row->cross.push_back(trace::rowOf(record, t));
        row->candidates = candidatesOf(logProbabilities[step]);
        if (recording_.logProbabilities)
            row->logProbabilities = floats(logProbabilities[step]);
        if (recording_.residual)
            row->residual = matrix(at::stack(recorder.residuals).select(1, step));
        row->position = floats(positions[step]);
        rows.push_back({std::move(row), floats(logProbabilities[step])});
    }
    return rows;
}

void DecodingSession::bringCacheTo(const std::vector<std::int64_t>& fed) {
    const auto length =
        std::mismatch(cached_.begin(), cached_.end(), fed.begin(), fed.end()).first - cached_.begin();
    std::vector<std::shared_ptr<const trace::DecodeRow>> missing;
    for (auto end = fed.begin() + length; end != fed.end(); ++end)
        missing.push_back(known_.at({fed.begin(), end + 1}).row);
    for (std::size_t layer = 0; layer < state_.fed.size(); ++layer) {
        state_.fed[layer].truncate(length);
        queries_[layer].truncate(length);
        for (const auto& row : missing) {
            const auto& record = row->self[layer];
            state_.fed[layer].append({.k = overValues(record.k), .v = overValues(record.v)});
            queries_[layer].append(overValues(record.q));
        }
    }
    state_.openTarget = network::openKeys(at::tensor(fed, at::kLong), model_.maskedInTarget());
    cached_ = fed;
}

trace::HeadStack DecodingSession::scoresOfEarlierQueries(std::size_t layer,
                                                         const trace::AttentionRecord& newest) const {
    // One key against many queries is the same product: [heads, 1, earlier queries].
    auto scores = network::scoresOfOneQuery(overValues(newest.k), queries_[layer].all(),
                                            interventions_.scoreScale(model_.network->config().scoreScale));
    if (const auto bias = biasOfEarlierQueries(scores.size(2)); bias.defined())
        scores = (scores + bias).contiguous();
    // The same numbers in the same order are one key's column, [heads, earlier queries, 1].
    return {static_cast<std::size_t>(scores.size(0)), static_cast<std::size_t>(scores.size(2)), 1,
            floats(scores)};
}

/// Of the key that comes after them, [heads, 1, earlier queries]; undefined where scores have none.
at::Tensor DecodingSession::biasOfEarlierQueries(std::int64_t queries) const {
    if (model_.network->config().positions != network::PositionScheme::RelativeBuckets)
        return {};
    const network::Pass pass{.interventions = &interventions_};
    const auto places = network::StackPositions::places(0, queries + 1, 0, pass);
    const auto bias =
        model_.network->decoderPositions().bias(places.narrow(0, 0, queries), places.narrow(0, queries, 1));
    return bias.transpose(1, 2) / interventions_.temperature();
}

std::vector<trace::Candidate> DecodingSession::candidatesOf(const at::Tensor& logProbabilities) const {
    const auto values = logProbabilities.contiguous();
    return bestCandidates(model_, {values.data_ptr<float>(), static_cast<std::size_t>(values.size(0))},
                          static_cast<std::size_t>(candidates_));
}

} // namespace headscope::engine
