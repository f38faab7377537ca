#pragma once

#include "model/engine/decoding_session.h"
#include "model/engine/encoded_source.h"
#include "model/engine/engine.h"
#include "model/engine/open_model.h"

#include <chrono>
#include <memory>
#include <stop_token>
#include <vector>

namespace headscope::engine {

/// Decodes the paths of one request over an encoded source and makes the Run.
class RunBuilder {
  public:
    /// `session` is null for a model without a decoder.
    RunBuilder(const OpenModel& model, const EncodedSource& source, DecodingSession* session,
               const trace::Request& request, std::stop_token stop, const Engine::Progress& progress);

    std::shared_ptr<const trace::Run> build();

  private:
    using NodeId = trace::DecodeTree::NodeId;

    std::vector<std::int64_t> forcedIds(const trace::TargetPrefix& forced) const;
    void refuseForced(const trace::TargetPrefix& forced) const;
    void decodePath(const trace::DecodePath& path);
    NodeId forcePrefix(const std::vector<std::int64_t>& ids);
    void decodeOn(NodeId last, int newTokens);
    void addPadding(NodeId node);
    void feed(NodeId node);
    NodeId childOf(NodeId parent, const trace::Token& token);
    void reportProgress(NodeId leaf);
    std::shared_ptr<trace::Run> runUpTo(NodeId leaf) const;
    void fillTarget(trace::Run& run) const;
    double differenceFromFullPass(const trace::Run& run) const;

    const OpenModel& model_;
    const EncodedSource& source_;
    DecodingSession* session_;
    const trace::Request& request_;
    std::stop_token stop_;
    const Engine::Progress& progress_;
    std::chrono::steady_clock::time_point lastProgress_;

    trace::DecodeTree tree_;
    NodeId leaf_ = 0;              ///< end of the path decoded last
    std::size_t forcedTokens_ = 0; ///< of that path, the start token among them
    bool onLastPath_ = false;
    bool decodedOn_ = false; ///< that path went on after its forced tokens
};

} // namespace headscope::engine
