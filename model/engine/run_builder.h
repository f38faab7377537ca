#pragma once

#include "model/engine/decoding_session.h"
#include "model/engine/encoded_source.h"
#include "model/engine/engine.h"
#include "model/engine/open_model.h"
#include "model/engine/tree_decoder.h"

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>

namespace headscope::engine {

/// Decodes the paths of one request over an encoded source and builds the Run.
class RunBuilder {
  public:
    /// `session` is null for a model without a decoder.
    RunBuilder(const OpenModel& model, const EncodedSource& source,
               const network::Interventions& interventions, DecodingSession* session,
               const trace::Request& request, trace::Task work, const trace::Partial& partial);

    std::shared_ptr<const trace::Run> build();

  private:
    using NodeId = trace::DecodeTree::NodeId;

    bool keepsTogether(const trace::Run& run) const;
    void refuseForced(const trace::TargetPrefix& forced) const;
    void reportProgress(NodeId leaf);
    std::shared_ptr<trace::Run> runUpTo(NodeId leaf) const;
    /// Returns the last decoded path, up to this node.
    trace::RunPath pathTo(NodeId leaf) const;
    /// Returns nullopt if a full pass would need too much memory.
    std::optional<double> differenceFromFullPass(const trace::Run& run) const;

    const OpenModel& model_;
    const EncodedSource& source_;
    const network::Interventions& interventions_;
    DecodingSession* session_;
    const trace::Request& request_;
    trace::Task work_;
    const trace::Partial& partial_;
    std::optional<trace::Token> contrast_;
    std::chrono::steady_clock::time_point lastProgress_;

    std::optional<TreeDecoder> decoder_; ///< nullopt for a model without a decoder
    std::vector<trace::RunPath> ended_;  ///< all paths before the shown one
};

} // namespace headscope::engine
