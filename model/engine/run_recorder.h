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

/// What comes of a pass in all, so that it can be told how far it is; nothing: it is not.
struct PassExtent {
    std::size_t attentions = 0;
    std::int64_t rows = 0; ///< queries of each
};

/// Keeps what a pass reports as plain values. Because every layer reports, it is also where a pass is
/// cancelled.
class RunRecorder : public network::ForwardObserver {
  public:
    /// Whose keys and values of decoder self-attention are kept: in a step only the newest token's are new.
    enum class Keys { Newest, All };
    RunRecorder(const trace::Recording& recording, trace::Task work, Keys keys = Keys::Newest,
                PassExtent whole = {})
        : recording_(recording), work_(std::move(work)), keys_(keys), whole_(whole) {}

    void attention(const network::AttentionReport& report) override;
    void attentionRows(const network::AttentionRows& rows) override;
    void report() override;
    void residual(network::Stack stack, int sublayer, const at::Tensor& x) override;

    std::vector<trace::AttentionRecord> encoder; ///< one a layer
    std::vector<trace::AttentionRecord>
        decoder; ///< one a layer; k and v as `keys` says, v of long paths if recorded
    std::vector<trace::AttentionRecord>
        cross; ///< one a layer, without k and v: they are the source's; q where maps may be left out
    std::vector<at::Tensor> residuals; ///< one a sublayer, [rows, d_model], if recorded

  private:
    trace::AttentionRecord recordOf(const network::AttentionReport& report);
    void tell() const;

    trace::Recording recording_;
    trace::Task work_;
    Keys keys_;
    PassExtent whole_;
    std::size_t attentionsDone_ = 0;
    std::int64_t rowsDone_ = 0;    ///< of the next one
    trace::RowsMeasured measured_; ///< of the map that is under way
    /// What every layer shares, and of which tensors.
    std::shared_ptr<const trace::OpenRanges> open_;
    std::shared_ptr<const trace::RelativeBias> bias_;
    at::Tensor openOf_;
    at::Tensor biasOf_;
};

/// Keeps nothing: a pass that can be cancelled.
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

/// Keeps only the weights of the decoder's maps, for comparing. None is left out.
class WeightRecorder : public network::ForwardObserver {
  public:
    explicit WeightRecorder(std::stop_token stop) : stop_(std::move(stop)) {}

    void attention(const network::AttentionReport& report) override;
    void residual(network::Stack, int, const at::Tensor&) override {}

    std::vector<at::Tensor> self;  ///< one a layer, [heads, T, T]
    std::vector<at::Tensor> cross; ///< one a layer, [heads, T, S]

  private:
    std::stop_token stop_;
};

} // namespace headscope::engine
