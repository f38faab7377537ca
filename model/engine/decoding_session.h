#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/trace/decode_tree.h"
#include "model/trace/task.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace headscope::engine {

class RunRecorder;

/// Computes the rows of target prefixes over one encoded source. Computed rows are kept and shared. The
/// network's key-value cache is brought to a prefix by copying from kept rows, so that going back or
/// branching costs only the new row.
class DecodingSession {
  public:
    /// The references must outlive the session.
    DecodingSession(const OpenModel& model, const EncodedSource& source,
                    const network::Interventions& interventions, const trace::Recording& recording,
                    int candidates, std::stop_token stop = {});

    /// From now on, rows have the log-probabilities of all tokens, or not. Rows that are known gain them
    /// without being computed again.
    void recordLogProbabilities(bool on);

    /// Announces tokens whose rows row() will be asked for, one after the other: they are computed together.
    void expect(std::vector<std::int64_t> fed) { expected_ = std::move(fed); }
    /// Returns the row of the last token of `fed`, given the tokens before it. Throws trace::Cancelled.
    std::shared_ptr<const trace::DecodeRow> row(const std::vector<std::int64_t>& fed, std::stop_token stop);

    /// Returns the log-probabilities of all tokens after `fed`, [vocabulary]. row() or longRows() must have
    /// computed the row of `fed`. Valid until the next call of the session.
    std::span<const float> logProbabilities(const std::vector<std::int64_t>& fed);

    /// Returns the logarithm of the sum of exp(logit) over all tokens after `fed`: logit - log-probability.
    /// The row of `fed` must be known, as for logProbabilities().
    double logNormalizer(const std::vector<std::int64_t>& fed);

    /// A row and its prediction for the token that follows it.
    struct RowBefore {
        std::shared_ptr<const trace::DecodeRow> row;
        double nextLogProbability = 0; ///< 0 for the last row
        std::int64_t nextRank = 0;
    };
    /// Returns one row for each token of `fed` from one pass over all of them. Used if rows depend on later
    /// tokens. The rows are not kept. Throws trace::Cancelled.
    std::vector<RowBefore> wholeRows(const std::vector<std::int64_t>& fed, std::stop_token stop) const;

    /// Same as wholeRows(), for a given target too long for its maps to be stored (isLong()). Kept until the
    /// next long target. If only a few tokens follow known rows, their rows are computed one by one. Throws
    /// trace::Cancelled.
    std::vector<RowBefore> longRows(const std::vector<std::int64_t>& fed, const trace::Task& work);
    /// Returns true if maps with this many rows are not stored.
    bool isLong(std::size_t rows) const;
    /// Replaces the individually computed rows of `fed` by rows that share `records`, the maps of the whole
    /// path, which halves their memory. Returns the new rows.
    std::vector<RowBefore> keepTogether(const std::vector<std::int64_t>& fed, std::vector<RowBefore> rows,
                                        std::shared_ptr<const trace::PathRecords> records);

    /// Returns the source keys and values used by cross-attention in a layer.
    const network::KeysValues& memory(std::size_t layer) const { return state_.memory[layer]; }

    /// Returns the keys of memory() as plain values, shared by all users.
    const trace::HeadStack& sourceKeys(std::size_t layer);

  private:
    struct Known {
        std::shared_ptr<const trace::DecodeRow> row;
        std::shared_ptr<const trace::DecodeRow> withLogProbabilities; ///< the same; null until asked for
        at::Tensor output;                                            ///< [1, d_model] decoder output
        at::Tensor logProbabilities; ///< [vocabulary]; undefined: computed on demand
    };

    /// A path whose maps are not stored.
    struct LongPath {
        std::vector<std::int64_t> fed;
        std::vector<Known> rows;       ///< one per token
        std::vector<RowBefore> before; ///< the same rows
    };

    network::Pass passOf(network::ForwardObserver& observer) const;
    /// Makes the row of `fed` known, and further rows of the expected tokens.
    void compute(const std::vector<std::int64_t>& fed, std::stop_token stop);
    /// Returns `fed` and the expected tokens after it that are computed in the same pass.
    std::vector<std::int64_t> fedTogether(const std::vector<std::int64_t>& fed) const;
    /// Returns null if the row is not known.
    Known* known(const std::vector<std::int64_t>& fed);
    /// Returns a known row with all that is recorded.
    std::shared_ptr<const trace::DecodeRow> recordedRow(Known& one) const;
    /// Returns the first `count` rows of the long path, with all that is recorded. Throws trace::Cancelled.
    std::vector<RowBefore> recordedLongRows(std::size_t count, const std::stop_token& stop);
    /// Returns the log-probabilities of all tokens, [vocabulary].
    at::Tensor vocabularyOf(const Known& one) const;
    /// Returns the rows of longRows() by continuing known rows; nullopt if more than a few tokens of `fed`
    /// follow them.
    std::optional<std::vector<RowBefore>> grownRows(const std::vector<std::int64_t>& fed,
                                                    const std::stop_token& stop);
    /// Returns the rows of a pass over all of `fed`. Rows of long paths share their records.
    std::vector<RowBefore> rowsOfPass(const std::vector<std::int64_t>& fed, RunRecorder recorder,
                                      const at::Tensor& output, const trace::Task& work) const;
    /// Returns the share of the pass in the work on a given target. The rest is the output distribution of
    /// each row.
    double shareOfPass(std::size_t rows) const;
    /// Drops the whole-vocabulary log-probabilities of all but the latest rows of long paths.
    void forgetVocabulary();
    Known computeWhole(const std::vector<std::int64_t>& fed, std::stop_token stop) const;
    void bringCacheTo(const std::vector<std::int64_t>& fed, std::stop_token stop);
    void feedAgain(const std::vector<std::int64_t>& fed, std::stop_token stop);
    trace::HeadStack scoresOfEarlierQueries(std::size_t layer, const trace::AttentionRecord& newest) const;
    at::Tensor biasOfEarlierQueries(std::size_t layer, std::int64_t queries) const;
    std::vector<trace::Candidate> candidatesOf(const at::Tensor& logProbabilities) const;

    const OpenModel& model_;
    const EncodedSource& source_;
    const network::Interventions& interventions_;
    trace::Recording recording_;
    int candidates_;
    std::map<std::vector<std::int64_t>, Known> known_; ///< by fed tokens
    /// Keys in `known_` of long rows that still hold log-probabilities, oldest first.
    std::deque<std::vector<std::int64_t>> latestLong_;
    LongPath long_;
    std::vector<std::int64_t> expected_;
    at::Tensor asked_; ///< [vocabulary], result of the last call of logProbabilities()

    network::DecoderState state_;
    std::vector<std::int64_t> cached_;         ///< ids whose keys and values `state_` holds
    std::vector<trace::HeadStack> sourceKeys_; ///< one per layer, for the layers requested so far
    std::vector<network::RowCache> queries_;   ///< one per layer: queries of the cached tokens
};

} // namespace headscope::engine
