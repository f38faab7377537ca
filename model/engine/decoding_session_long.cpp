#include "model/engine/decoding_session.h"

#include "model/decoding/best_ids.h"
#include "model/engine/run_recorder.h"
#include "model/network/attention_mask.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

// DecodingSession: paths whose maps are not stored.

namespace headscope::engine {

bool DecodingSession::isLong(std::size_t rows) const {
    return recording_.longestMap > 0 && rows > static_cast<std::size_t>(recording_.longestMap);
}

/// Estimated from the number of multiplications.
double DecodingSession::shareOfPass(std::size_t rows) const {
    const auto& config = model_.network->config();
    const double width = config.modelWidth;
    const double keys = static_cast<double>(rows) + static_cast<double>(source_.length());
    const double ofLayers =
        config.decoder.layers * width * (8 * width + 2.0 * config.decoder.feedForwardWidth + 2 * keys);
    return ofLayers / (ofLayers + width * static_cast<double>(config.targetVocabulary));
}

std::vector<DecodingSession::RowBefore> DecodingSession::longRows(const std::vector<std::int64_t>& fed,
                                                                  const trace::Task& work) {
    if (long_.fed == fed)
        return long_.before;
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
    auto together = static_cast<std::size_t>(same - fed.begin());
    if (!isLong(together))
        together = 0; // a following step needs the maps of the rows before it
    auto length = together;
    while (length < fed.size() && known_.contains(upTo(length + 1)))
        ++length;
    if (!isLong(length) || fed.size() - length > few)
        return std::nullopt;
    std::vector<RowBefore> rows(long_.before.begin(),
                                long_.before.begin() + static_cast<std::ptrdiff_t>(together));
    for (auto t = together; t < fed.size(); ++t) {
        if (t > 0) {
            const auto next = logProbabilities(upTo(t));
            rows.back().nextLogProbability = next[static_cast<std::size_t>(fed[t])];
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
