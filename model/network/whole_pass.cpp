#include "model/network/whole_pass.h"

#include "model/network/attention_mask.h"
#include "model/network/forward_observer.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

namespace headscope::network {

namespace {

/// Combines the reports of a sublayer with the stream before and after it.
class PassRecorder : public ForwardObserver {
  public:
    PassRecorder(WholePass& pass, std::stop_token stop) : pass_(pass), stop_(std::move(stop)) {}

    void attention(const AttentionReport& report) override {
        if (stop_.stop_requested())
            throw trace::Cancelled();
        newest_ = &pass_.sites[report.site];
        *newest_ = {.open = report.mask, .weights = report.weights, .v = report.v, .before = stream_};
    }

    void residual(Stack, int, const at::Tensor& x) override {
        if (newest_)
            newest_->after = x;
        newest_ = nullptr;
        stream_ = x;
    }

  private:
    WholePass& pass_;
    std::stop_token stop_;
    SitePass* newest_ = nullptr;
    at::Tensor stream_;
};

} // namespace

WholePass wholePass(const Transformer& network, const PassInput& input, const OutputProbe* probe,
                    std::stop_token stop) {
    WholePass whole;
    PassRecorder recorder(whole, std::move(stop));
    const Pass pass{.observer = &recorder, .interventions = &input.interventions, .probe = probe};
    whole.encoderOutput = network.encode(input.embedded, input.openSource, pass);
    if (!input.fed.defined())
        return whole;
    auto state = network.startDecoding(whole.encoderOutput, input.openSource, input.fed.size(0), &recorder);
    whole.decoderOutput = network.decode(input.fed, input.openFed, state, pass);
    return whole;
}

} // namespace headscope::network
