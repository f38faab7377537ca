#pragma once

#include "model/network/forward_observer.h"
#include "model/trace/attention_record.h"
#include "model/trace/request.h"
#include "model/trace/task.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <stop_token>
#include <vector>

namespace headscope::engine {

/// Total work of a pass, for reporting progress. Zero: progress is not reported.
struct PassExtent {
    std::size_t attentions = 0;
    std::int64_t rows = 0; ///< queries per attention
};

/// Stores what a pass reports as plain values. Also cancels the pass, because every layer reports.
class RunRecorder : public network::ForwardObserver {
  public:
    /// Whether the tokens of a pass continue those of earlier ones, or are all there are.
    enum class Tokens { Newest, All };
    RunRecorder(const trace::Recording& recording, trace::Task work, Tokens tokens = Tokens::Newest,
                PassExtent whole = {})
        : recording_(recording), work_(std::move(work)), tokens_(tokens), whole_(whole) {}

    void attention(const network::AttentionReport& report) override;
    void attentionRows(const network::AttentionRows& rows) override;
    void report() override;
    void residual(network::Stack stack, int sublayer, const at::Tensor& x) override;

    std::vector<trace::AttentionRecord> encoder; ///< one per layer
    /// One per layer; k and v of the pass's tokens, v of recomputed maps only if requested or Tokens::Newest.
    std::vector<trace::AttentionRecord> decoder;
    /// One per layer, without k and v, which belong to the source; q if maps may not be stored.
    std::vector<trace::AttentionRecord> cross;
    std::vector<at::Tensor> residuals; ///< one per sublayer, [rows, d_model], if requested

  private:
    trace::AttentionRecord recordOf(const network::AttentionReport& report);
    void tell() const;

    trace::Recording recording_;
    trace::Task work_;
    Tokens tokens_;
    PassExtent whole_;
    std::size_t attentionsDone_ = 0;
    std::int64_t rowsDone_ = 0;    ///< rows of the attention in progress
    trace::RowsMeasured measured_; ///< of the map in progress
    /// Shared by all layers, and the tensors they were made from.
    std::shared_ptr<const trace::AllowedRanges> open_;
    std::shared_ptr<const trace::RelativeBias> bias_;
    at::Tensor openOf_;
    at::Tensor biasOf_;
};

/// Stores nothing; only makes a pass cancellable.
class StopWatcher : public network::ForwardObserver {
  public:
    explicit StopWatcher(std::stop_token stop) : stop_(std::move(stop)) {}

    void attention(const network::AttentionReport& report) override;
    void attentionRows(const network::AttentionRows& rows) override;
    void report() override;
    void residual(network::Stack, int, const at::Tensor&) override {}

  private:
    std::stop_token stop_;
};

/// Stores only the weights of the decoder's maps, for comparison. None is recomputed.
class WeightRecorder : public network::ForwardObserver {
  public:
    explicit WeightRecorder(std::stop_token stop) : stop_(std::move(stop)) {}

    void attention(const network::AttentionReport& report) override;
    void residual(network::Stack, int, const at::Tensor&) override {}

    std::vector<at::Tensor> self;  ///< one per layer, [heads, T, T]
    std::vector<at::Tensor> cross; ///< one per layer, [heads, T, S]

  private:
    std::stop_token stop_;
};

} // namespace headscope::engine
