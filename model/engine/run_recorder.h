#pragma once

#include "model/network/forward_observer.h"
#include "model/trace/attention_record.h"
#include "model/trace/request.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <stop_token>
#include <vector>

namespace headscope::engine {

/// Keeps what a pass reports as plain values. Because every layer reports, it is also where a pass is
/// cancelled.
class RunRecorder : public network::ForwardObserver {
  public:
    /// Whose keys and values of decoder self-attention are kept: in a step only the newest token's are new.
    enum class Keys { Newest, All };

    RunRecorder(const trace::Recording& recording, std::stop_token stop, Keys keys = Keys::Newest)
        : recording_(recording), stop_(std::move(stop)), keys_(keys) {}

    void attention(const network::AttentionReport& report) override;
    void attentionRows(const network::AttentionRows& rows) override;
    void goesOn() override;
    void residual(network::Stack stack, int sublayer, const at::Tensor& x) override;

    std::vector<trace::AttentionRecord> encoder; ///< one a layer
    std::vector<trace::AttentionRecord>
        decoder; ///< one a layer; k and v as `keys` says, v of long paths if recorded
    std::vector<trace::AttentionRecord>
        cross; ///< one a layer, without k and v: they are the source's; q where maps may be left out
    std::vector<at::Tensor> residuals; ///< one a sublayer, [rows, d_model], if recorded

  private:
    trace::AttentionRecord recordOf(const network::AttentionReport& report);

    trace::Recording recording_;
    std::stop_token stop_;
    Keys keys_;
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
    void goesOn() override;
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
