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

/// Computes the rows of target prefixes over one encoded source. A row that was computed once is kept and
/// shared; the network's cache of keys and values is brought to a prefix by copying from kept rows, so that
/// going back and branching cost nothing but the new row.
class DecodingSession {
  public:
    /// What it is given must outlive it.
    DecodingSession(const OpenModel& model, const EncodedSource& source,
                    const network::Interventions& interventions, const trace::Recording& recording,
                    int candidates, std::stop_token stop = {});

    /// The row of the last of `fed`, given the tokens before it. Throws trace::Cancelled.
    std::shared_ptr<const trace::DecodeRow> row(const std::vector<std::int64_t>& fed, std::stop_token stop);

    /// Of all tokens after what was fed, whose row is the session's, [vocabulary]; valid until the session is
    /// asked for anything else.
    std::span<const float> logProbabilities(const std::vector<std::int64_t>& fed);

    /// A row and what it thinks of the token that comes after it.
    struct RowBefore {
        std::shared_ptr<const trace::DecodeRow> row;
        double nextLogProbability = 0; ///< 0 of the last row
        std::int64_t nextRank = 0;
    };
    /// One row for each of `fed` from one pass over all of them, for where rows depend on later tokens. They
    /// are not kept. Throws trace::Cancelled.
    std::vector<RowBefore> wholeRows(const std::vector<std::int64_t>& fed, std::stop_token stop) const;

    /// The same of a target that is given and too long for its maps to be kept (isLong()), kept until another
    /// one comes. What goes on after known rows by a few tokens is computed one by one. Throws
    /// trace::Cancelled.
    std::vector<RowBefore> longRows(const std::vector<std::int64_t>& fed, const trace::Task& work);
    /// True where maps of so many rows are left out.
    bool isLong(std::size_t rows) const;
    /// The session's rows of `fed` were computed one by one, and `records` are their maps: they are kept
    /// together from now on, which halves their memory. The rows anew.
    std::vector<RowBefore> keepTogether(const std::vector<std::int64_t>& fed, std::vector<RowBefore> rows,
                                        std::shared_ptr<const trace::PathRecords> records);

    /// The keys and values that cross-attention reads of the source in a layer.
    const network::KeysValues& memory(std::size_t layer) const { return state_.memory[layer]; }

    /// Its keys as values; what takes them shares them.
    const trace::HeadStack& sourceKeys(std::size_t layer);

  private:
    struct Known {
        std::shared_ptr<const trace::DecodeRow> row;
        at::Tensor output;           ///< [1, d_model] of the decoder
        at::Tensor logProbabilities; ///< [vocabulary]; undefined: computed when it is asked for
    };

    /// A path whose maps are left out.
    struct LongPath {
        std::vector<std::int64_t> fed;
        std::vector<Known> rows;       ///< one a token
        std::vector<RowBefore> before; ///< the same
    };

    network::Pass passOf(network::ForwardObserver& observer) const;
    Known compute(const std::vector<std::int64_t>& fed, std::stop_token stop);
    /// Null if it is not known.
    const Known* known(const std::vector<std::int64_t>& fed) const;
    /// longRows() after the rows that are known; nothing where more than a few of `fed` follow them.
    std::optional<std::vector<RowBefore>> grownRows(const std::vector<std::int64_t>& fed,
                                                    const std::stop_token& stop);
    /// Of a pass over all of `fed`. Rows of long ones share their records.
    std::vector<RowBefore> rowsOfPass(const std::vector<std::int64_t>& fed, RunRecorder recorder,
                                      const at::Tensor& output, const trace::Task& work) const;
    /// How much of the work on a target that is given is the pass; the rest is what each row says of the
    /// vocabulary.
    double shareOfPass(std::size_t rows) const;
    /// Of long paths only the latest rows keep what they think of the whole vocabulary.
    void forgetVocabulary();
    Known computeWhole(const std::vector<std::int64_t>& fed, std::stop_token stop) const;
    void bringCacheTo(const std::vector<std::int64_t>& fed, std::stop_token stop);
    void feedAgain(const std::vector<std::int64_t>& fed, std::stop_token stop);
    trace::HeadStack scoresOfEarlierQueries(std::size_t layer, const trace::AttentionRecord& newest) const;
    at::Tensor biasOfEarlierQueries(std::int64_t queries) const;
    std::vector<trace::Candidate> candidatesOf(const at::Tensor& logProbabilities) const;

    const OpenModel& model_;
    const EncodedSource& source_;
    const network::Interventions& interventions_;
    trace::Recording recording_;
    int candidates_;
    std::map<std::vector<std::int64_t>, Known> known_; ///< by what was fed
    std::deque<std::vector<std::int64_t>> latestLong_; ///< of them, those of long paths that keep more
    LongPath long_;
    at::Tensor asked_; ///< [vocabulary], what was asked for last, of a row that does not keep it

    network::DecoderState state_;
    std::vector<std::int64_t> cached_;         ///< the ids whose keys and values the state holds
    std::vector<trace::HeadStack> sourceKeys_; ///< one a layer, of the first ones that were asked for
    std::vector<network::RowCache> queries_;   ///< one a layer: the queries of the same tokens
};

} // namespace headscope::engine
