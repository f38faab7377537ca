#pragma once

#include "model/decoding/beam_search.h"
#include "model/engine/decoding_session.h"
#include "model/engine/open_model.h"
#include "model/trace/decode_tree.h"
#include "model/trace/request.h"
#include "model/trace/task.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace headscope::engine {

/// Decodes the paths of one request into one tree.
class TreeDecoder {
  public:
    using NodeId = trace::DecodeTree::NodeId;
    /// Called after every token of the path with its current last node.
    using Progress = std::function<void(NodeId leaf)>;

    /// The references must outlive the decoder.
    TreeDecoder(const OpenModel& model, const EncodedSource& source, DecodingSession& session,
                const trace::Request& request, std::stop_token stop);

    /// Decodes one path, which then ends at leaf(). `work` receives the progress of a pass over a long
    /// target. Throws trace::Refusal, trace::Cancelled.
    void decode(const trace::DecodePath& path, const trace::Task& work, const Progress& progress);

    /// Makes the rows of the last decoded path share `records`, its maps, which are not stored. Not allowed
    /// if other paths use the rows or the rows depend on later tokens.
    void keepTogether(std::shared_ptr<const trace::PathRecords> records);

    const trace::DecodeTree& tree() const { return tree_; }
    NodeId leaf() const { return leaf_; }
    /// Number of tokens forced on the path, start token included.
    std::size_t forcedTokens() const { return forcedTokens_; }
    /// Number of tokens that the output begins after: the start token, or the prompt of a decoder alone.
    std::size_t startTokens() const;
    /// Returns true if tokens were decoded after the forced ones.
    bool decodedOn() const { return decodedOn_; }
    /// Returns true if the path was decoded by beam search.
    bool searched() const { return searched_; }

  private:
    /// Returns the ids fed first: the start token, or the prompt of a decoder alone.
    std::vector<std::int64_t> startIds() const;
    std::vector<std::int64_t> forcedIds(const trace::TargetPrefix& forced) const;
    /// 0: not limited.
    std::int64_t longestTarget() const;
    void refuseTooLongTarget(std::int64_t tokens) const;
    void refuseTooLittleMemoryFor(std::int64_t tokens) const;
    void refuseTooLittleMemoryForBeamsOf(std::int64_t tokens) const;
    /// Returns how many of a row's keys have stored weights.
    std::int64_t keptOf(std::int64_t keys) const;
    NodeId forcePrefix(const std::vector<std::int64_t>& ids, const trace::Task& work,
                       const Progress& progress);
    NodeId forceLong(const std::vector<std::int64_t>& ids, const trace::Task& work, const Progress& progress);
    decoding::SearchStart searchStart(std::vector<std::int64_t> ids, const trace::DecodePath& path) const;
    void chooseOneByOne(const decoding::SearchStart& start, const Progress& progress);
    void searchBeams(const decoding::SearchStart& start, const Progress& progress);
    void feedWholeTarget();
    void addPadding();
    void seeWholeTarget(const trace::Task& work);
    void feed(NodeId node);
    NodeId childOf(NodeId parent, const trace::Token& token);
    std::vector<std::int64_t> fedAlong(NodeId leaf) const;

    const OpenModel& model_;
    const EncodedSource& source_;
    DecodingSession& session_;
    const trace::Request& request_;
    std::stop_token stop_;

    trace::DecodeTree tree_;
    NodeId leaf_ = 0;
    std::size_t forcedTokens_ = 0;
    bool decodedOn_ = false;
    bool searched_ = false;
    bool pathIsLong_ = false;  ///< its maps are not stored, from the first row on
    bool wholePasses_ = false; ///< rows depend on later tokens
};

} // namespace headscope::engine
