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
    /// Told after every token of the path that it leads to this node so far.
    using Progress = std::function<void(NodeId leaf)>;

    /// What it is given must outlive it.
    TreeDecoder(const OpenModel& model, std::int64_t sourceLength, DecodingSession& session,
                const trace::Request& request, std::stop_token stop);

    /// Decodes one path; leaf() is its end then. `work` is told how far a pass over a long target is. Throws
    /// trace::Refusal, trace::Cancelled.
    void decode(const trace::DecodePath& path, const trace::Task& work, const Progress& progress);

    /// The path that was decoded last has these maps, which are left out: its rows share them from now on.
    /// Not where other paths look at the rows or they depend on later ones.
    void keepTogether(std::shared_ptr<const trace::PathRecords> records);

    const trace::DecodeTree& tree() const { return tree_; }
    NodeId leaf() const { return leaf_; }
    /// Tokens that were forced on the path, the start token among them.
    std::size_t forcedTokens() const { return forcedTokens_; }
    /// The path went on after its forced tokens.
    bool decodedOn() const { return decodedOn_; }
    /// With a beam.
    bool searched() const { return searched_; }

  private:
    std::vector<std::int64_t> forcedIds(const trace::TargetPrefix& forced) const;
    void refuseTooLongTarget(std::int64_t tokens) const;
    void refuseTooLittleMemoryFor(std::int64_t tokens) const;
    void refuseTooLittleMemoryForBeamsOf(std::int64_t tokens) const;
    /// Keys of a row whose weights are kept.
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
    std::int64_t sourceLength_;
    DecodingSession& session_;
    const trace::Request& request_;
    std::stop_token stop_;

    trace::DecodeTree tree_;
    NodeId leaf_ = 0;
    std::size_t forcedTokens_ = 0;
    bool decodedOn_ = false;
    bool searched_ = false;
    bool pathIsLong_ = false;  ///< its maps are left out from the first row on
    bool wholePasses_ = false; ///< rows depend on later tokens
};

} // namespace headscope::engine
