#include "model/engine/decoding_session.h"

#include "model/decoding/best_ids.h"
#include "model/engine/best_candidates.h"
#include "model/engine/run_recorder.h"
#include "model/engine/tensor_values.h"
#include "model/network/attention_mask.h"
#include "model/network/one_query.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <ranges>
#include <utility>

namespace headscope::engine {

namespace {

constexpr std::int64_t usualLength = 64;

/// `tensor` must be contiguous with one dimension.
std::span<const float> valuesOf(const at::Tensor& tensor) {
    return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.size(0))};
}

/// May take long for a long source, so `stop` is watched.
network::DecoderState begun(const OpenModel& model, const EncodedSource& source, std::stop_token stop) {
    StopWatcher watching(std::move(stop));
    return model.network->startDecoding(source.output, source.open, usualLength, &watching);
}

} // namespace

DecodingSession::DecodingSession(const OpenModel& model, const EncodedSource& source,
                                 const network::Interventions& interventions,
                                 const trace::Recording& recording, int candidates, std::stop_token stop)
    : model_(model), source_(source), interventions_(interventions), recording_(recording),
      candidates_(candidates), state_(begun(model, source, std::move(stop))) {
    const auto& config = model.network->config();
    for (std::size_t layer = 0; layer < state_.fed.size(); ++layer)
        queries_.emplace_back(config.decoder.heads, config.decoder.headWidth, usualLength);
}

void DecodingSession::recordLogProbabilities(bool on) {
    recording_.logProbabilities = on;
}

at::Tensor DecodingSession::vocabularyOf(const Known& one) const {
    return one.logProbabilities.defined() ? one.logProbabilities
                                          : model_.network->logProbabilities(one.output)[0].contiguous();
}

std::shared_ptr<const trace::DecodeRow> DecodingSession::recordedRow(Known& one) const {
    const bool has = !one.row->logProbabilities.empty();
    if (has == recording_.logProbabilities)
        return one.row;
    if (has) {
        auto row = std::make_shared<trace::DecodeRow>(*one.row);
        row->logProbabilities = {};
        return row;
    }
    if (!one.withLogProbabilities) {
        auto row = std::make_shared<trace::DecodeRow>(*one.row);
        row->logProbabilities = floats(vocabularyOf(one));
        one.withLogProbabilities = std::move(row);
    }
    return one.withLogProbabilities;
}

DecodingSession::Known* DecodingSession::known(const std::vector<std::int64_t>& fed) {
    if (const auto found = known_.find(fed); found != known_.end())
        return &found->second;
    // If the mask is lifted, a row belongs to exactly one target, because it attends to all of it.
    const bool fits =
        interventions_.liftsMask() ? fed.size() == long_.fed.size() : fed.size() <= long_.fed.size();
    const bool isOfLong = isLong(fed.size()) && fits && std::equal(fed.begin(), fed.end(), long_.fed.begin());
    return isOfLong ? &long_.rows[fed.size() - 1] : nullptr;
}

std::shared_ptr<const trace::DecodeRow> DecodingSession::row(const std::vector<std::int64_t>& fed,
                                                             std::stop_token stop) {
    if (Known* one = known(fed))
        return recordedRow(*one);
    if (interventions_.liftsMask())
        known_.emplace(fed, computeWhole(fed, std::move(stop)));
    else
        compute(fed, std::move(stop));
    if (isLong(fed.size())) {
        latestLong_.push_back(fed);
        forgetVocabulary();
    }
    return recordedRow(known_.at(fed));
}

std::span<const float> DecodingSession::logProbabilities(const std::vector<std::int64_t>& fed) {
    asked_ = vocabularyOf(*known(fed));
    return valuesOf(asked_);
}

double DecodingSession::logNormalizer(const std::vector<std::int64_t>& fed) {
    return model_.network->logits(known(fed)->output).logsumexp(-1).item<double>();
}

network::Pass DecodingSession::passOf(network::ForwardObserver& observer) const {
    return {.observer = &observer, .interventions = &interventions_, .longestMap = recording_.longestMap};
}

const trace::HeadStack& DecodingSession::sourceKeys(std::size_t layer) {
    for (auto next = sourceKeys_.size(); next <= layer; ++next)
        sourceKeys_.push_back(headStack(memory(next).k));
    return sourceKeys_[layer];
}

std::vector<std::int64_t> DecodingSession::fedTogether(const std::vector<std::int64_t>& fed) const {
    // General products round otherwise than those of one row: short targets keep every bit, forced or chosen.
    constexpr std::size_t least = 32;
    constexpr std::size_t most = 64; // some hundred milliseconds of a large model
    auto length = fed.size();
    if (isLong(length) || !std::ranges::equal(fed, expected_ | std::views::take(length)))
        return fed;
    length = std::min(expected_.size(), length + most - 1);
    if (recording_.longestMap > 0)
        length = std::min<std::size_t>(length, recording_.longestMap);
    // The row of a masked token depends on how many later keys there are.
    const auto masked = std::find(expected_.begin() + static_cast<std::ptrdiff_t>(fed.size() - 1),
                                  expected_.end(), model_.maskedInTarget().value_or(-1));
    length = std::min<std::size_t>(length, masked - expected_.begin());
    if (length < fed.size() - 1 + least)
        return fed;
    return {expected_.begin(), expected_.begin() + static_cast<std::ptrdiff_t>(length)};
}

void DecodingSession::compute(const std::vector<std::int64_t>& fed, std::stop_token stop) {
    const std::vector<std::int64_t> prefix(fed.begin(), fed.end() - 1);
    if (!prefix.empty())
        row(prefix, stop); // makes the rows of all prefixes known
    if (known(fed))
        return; // computed together with one of them
    bringCacheTo(prefix, stop);

    const auto together = fedTogether(fed);
    const auto first = prefix.size();
    const std::vector<std::int64_t> newest(together.begin() + static_cast<std::ptrdiff_t>(first),
                                           together.end());
    const auto n = newest.size();
    const auto ids = at::tensor(newest, at::kLong);
    const auto open = network::allowedKeys(ids, model_.maskedInTarget());
    RunRecorder recorder(recording_, std::move(stop));
    cached_.clear(); // invalid if the pass is cancelled half-way
    const auto pass = passOf(recorder);
    const auto output = model_.network->decode(ids, open, state_, pass);                 // [n, d_model]
    const auto logProbabilities = model_.network->logProbabilities(output).contiguous(); // [n, vocabulary]
    const auto positions =
        model_.network->targetPositions(static_cast<std::int64_t>(first), static_cast<std::int64_t>(n), pass);
    const auto residuals =
        recording_.residual ? at::stack(recorder.residuals) : at::Tensor(); // [sublayers + 1, n, d_model]
    for (std::size_t i = 0; i < n; ++i) {
        const auto ofToken = [&](trace::AttentionRecord& record, std::size_t keys) {
            return n == 1 ? std::move(record) : trace::rowOf(record, i, keys);
        };
        const auto step = static_cast<std::int64_t>(i);
        auto row = std::make_shared<trace::DecodeRow>();
        for (std::size_t layer = 0; layer < recorder.decoder.size(); ++layer) {
            auto& newestRow = row->self.emplace_back(ofToken(recorder.decoder[layer], first + i + 1));
            row->scoresOfEarlierQueries.push_back(
                newestRow.isRecomputed() ? trace::HeadStack() : scoresOfEarlierQueries(layer, newestRow));
            if (!newestRow.isRecomputed())
                queries_[layer].append(overValues(newestRow.q));
        }
        for (auto& cross : recorder.cross)
            row->cross.push_back(ofToken(cross, cross.keys()));
        row->candidates = candidatesOf(logProbabilities[step]);
        if (recording_.residual)
            row->residual = matrix(residuals.select(1, step));
        row->position = floats(positions[step]);
        const auto end = together.begin() + static_cast<std::ptrdiff_t>(first + i + 1);
        known_.emplace(std::vector(together.begin(), end), Known{.row = std::move(row),
                                                                 .output = output.narrow(0, step, 1),
                                                                 .logProbabilities = logProbabilities[step]});
    }
    cached_ = together;
}

/// Computes only the prediction after `fed`, whose tokens all attend to each other. Maps are needed for the
/// final target only.
DecodingSession::Known DecodingSession::computeWhole(const std::vector<std::int64_t>& fed,
                                                     std::stop_token stop) const {
    StopWatcher watching(std::move(stop));
    const auto ids = at::tensor(fed, at::kLong);
    auto state = model_.network->startDecoding(source_.output, source_.open, ids.size(0), &watching);
    const auto output = model_.network->decode(ids, network::allowedKeys(ids, model_.maskedInTarget()), state,
                                               passOf(watching));
    const auto last = output[-1].unsqueeze(0);
    const auto logProbabilities = model_.network->logProbabilities(last)[0].contiguous();
    auto row = std::make_shared<trace::DecodeRow>();
    row->candidates = candidatesOf(logProbabilities);
    return {.row = std::move(row), .output = last, .logProbabilities = logProbabilities};
}

std::vector<DecodingSession::RowBefore> DecodingSession::wholeRows(const std::vector<std::int64_t>& fed,
                                                                   std::stop_token stop) const {
    const auto ids = at::tensor(fed, at::kLong);
    RunRecorder recorder(recording_, stop, RunRecorder::Tokens::All);
    auto state = model_.network->startDecoding(source_.output, source_.open, ids.size(0), &recorder);
    const auto output = model_.network->decode(ids, network::allowedKeys(ids, model_.maskedInTarget()), state,
                                               passOf(recorder));
    return rowsOfPass(fed, std::move(recorder), output, stop);
}

std::vector<DecodingSession::RowBefore> DecodingSession::rowsOfPass(const std::vector<std::int64_t>& fed,
                                                                    RunRecorder recorder,
                                                                    const at::Tensor& output,
                                                                    const trace::Task& work) const {
    constexpr std::int64_t atOnce = 64; // rows of whole-vocabulary values
    const auto positions =
        model_.network->targetPositions(0, output.size(0), passOf(recorder)); // [T, d_model]
    auto residuals = recorder.residuals.empty() ? at::Tensor() : at::stack(recorder.residuals);
    auto records = std::make_shared<trace::PathRecords>(
        trace::PathRecords{.self = std::move(recorder.decoder), .cross = std::move(recorder.cross)});
    at::Tensor logProbabilities; // [atOnce, vocabulary]
    std::vector<RowBefore> rows;
    for (std::size_t t = 0; t < fed.size(); ++t) {
        const auto step = static_cast<std::int64_t>(t);
        if (step % atOnce == 0) {
            work.report(t, fed.size());
            logProbabilities =
                model_.network
                    ->logProbabilities(output.narrow(0, step, std::min(atOnce, output.size(0) - step)))
                    .contiguous();
        }
        const auto next = logProbabilities[step % atOnce];
        auto row = std::make_shared<trace::DecodeRow>();
        if (isLong(fed.size())) {
            row->together = records;
            row->place = t;
        } else {
            for (const auto& record : records->self)
                row->self.push_back(trace::rowOf(record, t));
            for (const auto& record : records->cross)
                row->cross.push_back(trace::rowOf(record, t));
        }
        row->candidates = candidatesOf(next);
        if (recording_.logProbabilities)
            row->logProbabilities = floats(next);
        if (residuals.defined())
            row->residual = matrix(residuals.select(1, step));
        row->position = floats(positions[step]);
        rows.push_back({.row = std::move(row)});
        if (t + 1 < fed.size()) {
            const auto values = valuesOf(next);
            rows.back().nextLogProbability = values[fed[t + 1]];
            rows.back().nextRank = decoding::rankOf(values, fed[t + 1]);
        }
    }
    return rows;
}

void DecodingSession::bringCacheTo(const std::vector<std::int64_t>& fed, std::stop_token stop) {
    auto length =
        std::mismatch(cached_.begin(), cached_.end(), fed.begin(), fed.end()).first - cached_.begin();
    if (!isLong(fed.size() + 1)) // no queries are kept for long paths
        length = std::min<std::ptrdiff_t>(length, queries_.front().length());
    std::vector<std::shared_ptr<const trace::DecodeRow>> missing;
    auto end = fed.begin() + length;
    for (; end != fed.end(); ++end)
        if (const auto found = known_.find({fed.begin(), end + 1}); found != known_.end())
            missing.push_back(found->second.row);
        else
            break;
    for (std::size_t layer = 0; layer < state_.fed.size(); ++layer) {
        state_.fed[layer].truncate(length);
        queries_[layer].truncate(std::min<std::int64_t>(length, queries_[layer].length()));
        for (const auto& row : missing) {
            const auto& record = row->self[layer];
            if (queries_[layer].length() == state_.fed[layer].length())
                queries_[layer].append(overValues(record.q));
            state_.fed[layer].append({.k = overValues(record.k), .v = overValues(record.v)});
        }
    }
    cached_.assign(fed.begin(), end);
    state_.openTarget = network::allowedKeys(at::tensor(cached_, at::kLong), model_.maskedInTarget());
    if (end != fed.end())
        feedAgain({end, fed.end()}, std::move(stop));
}

trace::HeadStack DecodingSession::scoresOfEarlierQueries(std::size_t layer,
                                                         const trace::AttentionRecord& newest) const {
    // One key with many queries is the same product as one query with many keys: [heads, 1, earlier queries].
    auto scores =
        network::scoresOfOneQuery(overValues(newest.k), queries_[layer].all(),
                                  interventions_.scoreScale(model_.network->config().decoder.scoreScale));
    if (const auto bias = biasOfEarlierQueries(layer, scores.size(2)); bias.defined())
        scores = (scores + bias).contiguous();
    const auto cap = model_.network->config().scoreCap / interventions_.temperature();
    scores = network::capped(scores, cap);
    // In memory order the same values are the column of one key, [heads, earlier queries, 1].
    return {static_cast<std::size_t>(scores.size(0)), static_cast<std::size_t>(scores.size(2)), 1,
            floats(scores)};
}

/// Returns the bias between earlier queries and the key after them, [heads, 1, earlier queries]; undefined if
/// scores have no bias.
at::Tensor DecodingSession::biasOfEarlierQueries(std::size_t layer, std::int64_t queries) const {
    if (!model_.network->config().hasDistanceBias())
        return {};
    const network::Pass pass{.interventions = &interventions_};
    const auto places = network::StackPositions::places(0, queries + 1, 0, pass);
    const auto bias = model_.network->decoderPositions(layer).bias(places.narrow(0, 0, queries),
                                                                   places.narrow(0, queries, 1));
    return bias.transpose(1, 2) / interventions_.temperature();
}

std::vector<trace::Candidate> DecodingSession::candidatesOf(const at::Tensor& logProbabilities) const {
    return bestCandidates(model_, valuesOf(logProbabilities), candidates_);
}

bool DecodingSession::isLong(std::size_t rows) const {
    return recording_.longestMap > 0 && std::cmp_greater(rows, recording_.longestMap);
}

/// Estimated from the number of multiplications.
double DecodingSession::shareOfPass(std::size_t rows) const {
    const auto& config = model_.network->config();
    const double width = config.widthOf(config.decoder);
    const double keys = static_cast<double>(rows) + static_cast<double>(source_.length());
    const double ofLayers =
        config.decoder.layers * width * (8 * width + 2.0 * config.decoder.feedForwardWidth + 2 * keys);
    return ofLayers / (ofLayers + width * static_cast<double>(config.targetVocabulary));
}

std::vector<DecodingSession::RowBefore> DecodingSession::longRows(const std::vector<std::int64_t>& fed,
                                                                  const trace::Task& work) {
    if (long_.fed == fed)
        return recordedLongRows(fed.size(), work.stop());
    if (auto rows = grownRows(fed, work.stop()))
        return *std::move(rows);
    const auto ids = at::tensor(fed, at::kLong);
    long_ = {};
    cached_.clear();
    for (std::size_t layer = 0; layer < state_.fed.size(); ++layer) {
        state_.fed[layer].truncate(0);
        queries_[layer].truncate(0);
    }
    state_.openTarget = at::ones({0}, at::kBool);
    const double pass = shareOfPass(fed.size());
    RunRecorder recorder(recording_, work.between(0, pass), RunRecorder::Tokens::All,
                         {.attentions = 2 * state_.fed.size(), .rows = ids.size(0)});
    const auto output = model_.network->decode(ids, network::allowedKeys(ids, model_.maskedInTarget()),
                                               state_, passOf(recorder));
    cached_ = fed;
    long_.before = rowsOfPass(fed, std::move(recorder), output, work.between(pass, 1));
    long_.fed = fed;
    for (std::size_t t = 0; t < fed.size(); ++t)
        long_.rows.push_back(
            {.row = long_.before[t].row, .output = output.narrow(0, static_cast<std::int64_t>(t), 1)});
    return long_.before;
}

std::vector<DecodingSession::RowBefore> DecodingSession::recordedLongRows(std::size_t count,
                                                                          const std::stop_token& stop) {
    std::vector<RowBefore> rows(long_.before.begin(),
                                long_.before.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t t = 0; t < count; ++t) {
        trace::throwIfStopped(stop);
        rows[t].row = recordedRow(long_.rows[t]);
    }
    return rows;
}

std::optional<std::vector<DecodingSession::RowBefore>>
DecodingSession::grownRows(const std::vector<std::int64_t>& fed, const std::stop_token& stop) {
    // Up to this many new tokens, a pass over the whole path would take longer.
    constexpr std::size_t few = 16;
    if (interventions_.liftsMask())
        return std::nullopt; // new tokens change every row
    const auto upTo = [&](std::size_t length) {
        return std::vector<std::int64_t>(fed.begin(), fed.begin() + static_cast<std::ptrdiff_t>(length));
    };
    const auto same = std::mismatch(fed.begin(), fed.end(), long_.fed.begin(), long_.fed.end()).first;
    std::size_t together = same - fed.begin();
    if (!isLong(together))
        together = 0; // a following step needs the maps of the rows before it
    auto length = together;
    while (length < fed.size() && known_.contains(upTo(length + 1)))
        ++length;
    if (!isLong(length) || fed.size() - length > few)
        return std::nullopt;
    auto rows = recordedLongRows(together, stop);
    for (auto t = together; t < fed.size(); ++t) {
        if (t > 0) {
            const auto next = logProbabilities(upTo(t));
            rows.back().nextLogProbability = next[fed[t]];
            rows.back().nextRank = decoding::rankOf(next, fed[t]);
        }
        rows.push_back({.row = row(upTo(t + 1), stop)});
    }
    rows.back().nextLogProbability = 0; // reset the values for another continuation
    rows.back().nextRank = 0;
    return rows;
}

std::vector<DecodingSession::RowBefore>
DecodingSession::keepTogether(const std::vector<std::int64_t>& fed, std::vector<RowBefore> rows,
                              std::shared_ptr<const trace::PathRecords> records) {
    LongPath path{.fed = fed};
    for (std::size_t t = 0; t < fed.size(); ++t) {
        const std::vector<std::int64_t> prefix(fed.begin(), fed.begin() + static_cast<std::ptrdiff_t>(t) + 1);
        Known& one = known_.contains(prefix) ? known_.at(prefix) : long_.rows[t];
        auto row = std::make_shared<trace::DecodeRow>(*recordedRow(one));
        row->self.clear();
        row->cross.clear();
        row->scoresOfEarlierQueries.clear();
        row->together = records;
        row->place = t;
        path.rows.push_back({.row = row, .output = one.output});
        rows[t].row = std::move(row);
    }
    for (auto end = fed.begin(); end != fed.end();)
        known_.erase({fed.begin(), ++end});
    std::erase_if(latestLong_, [&](const auto& one) { return !known_.contains(one); });
    path.before = rows;
    long_ = std::move(path);
    return rows;
}

/// Fills the cache by computing rows again: the shared records of long paths may hold no values (v).
void DecodingSession::feedAgain(const std::vector<std::int64_t>& fed, std::stop_token stop) {
    const auto before = std::exchange(cached_, {}); // invalid if the pass is cancelled half-way
    StopWatcher watching(std::move(stop));
    const auto ids = at::tensor(fed, at::kLong);
    model_.network->decode(ids, network::allowedKeys(ids, model_.maskedInTarget()), state_, passOf(watching));
    cached_ = before;
    cached_.insert(cached_.end(), fed.begin(), fed.end());
}

void DecodingSession::forgetVocabulary() {
    constexpr std::size_t most = 256;
    for (; latestLong_.size() > most; latestLong_.pop_front())
        if (const auto found = known_.find(latestLong_.front()); found != known_.end())
            found->second.logProbabilities = at::Tensor();
}

} // namespace headscope::engine
