#include "model/engine/model_flow.h"

#include "model/engine/run_memory.h"
#include "model/engine/whole_path.h"
#include "model/files/available_memory.h"
#include "model/network/forward_observer.h"
#include "model/trace/refusal.h"
#include "model/trace/sublayer_site.h"

#include <ATen/ATen.h>

namespace headscope::engine {

namespace {

/// Returns the Euclidean norm of each row of [rows, d].
std::vector<double> lengths(const at::Tensor& rows) {
    const auto values = rows.to(at::kDouble).norm(2, -1).contiguous();
    return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

std::vector<double> cosines(const at::Tensor& one, const at::Tensor& other) {
    const auto a = one.to(at::kDouble);
    const auto b = other.to(at::kDouble);
    const auto product = (a * b).sum(-1);
    const auto scale = a.norm(2, -1) * b.norm(2, -1);
    const auto values = at::where(scale > 0, product / scale, at::zeros_like(scale)).contiguous();
    return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

/// Returns the sublayer whose output is the n-th report of the stream; report 0 is the embedding.
trace::SublayerAddress addressOf(network::Stack stack, int sublayer, bool hasCross) {
    const auto kinds =
        stack == network::Stack::Encoder ? trace::encoderSublayers() : trace::decoderSublayers(hasCross);
    const int count = kinds.size();
    return {kinds[(sublayer - 1) % count], (sublayer - 1) / count};
}

/// Returns true for tokens that are not padding, [tokens] bool.
at::Tensor tokensOf(const std::vector<trace::Token>& tokens) {
    auto open = at::ones({static_cast<std::int64_t>(tokens.size())}, at::kBool);
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (tokens[i].role == trace::TokenRole::Padding)
            open[static_cast<std::int64_t>(i)] = false;
    return open;
}

/// Measures every sublayer while it is computed; stores nothing else.
class FlowRecorder : public network::ForwardObserver {
  public:
    FlowRecorder(trace::ModelFlow& flow, bool hasCross, const network::Interventions& interventions,
                 std::stop_token stop)
        : flow_(flow), hasCross_(hasCross), interventions_(interventions), stop_(std::move(stop)) {}

    void attention(const network::AttentionReport&) override { report(); }
    /// Also reports within layers, because a layer of a long input takes long.
    void attentionRows(const network::AttentionRows&) override { report(); }

    void report() override { trace::throwIfStopped(stop_); }

    void added(const at::Tensor& x) override {
        report();
        added_ = x;
    }

    /// Sets which rows of the next stack are not padding, [rows] bool.
    void setTokens(at::Tensor tokens) { tokens_ = std::move(tokens); }

    /// Called with all rows, or repeatedly with some rows of a long input.
    void units(const at::Tensor& x) override {
        const auto active = x.index({tokens_.narrow(0, unitRows_, x.size(0))}) > 0;
        const auto alive = active.any(0);
        alive_ = unitRows_ == 0 ? alive : alive_.logical_or(alive);
        activeCells_ = (unitRows_ == 0 ? 0 : activeCells_) + active.sum().item<std::int64_t>();
        unitRows_ += x.size(0);
    }

    void residual(network::Stack stack, int sublayer, const at::Tensor& x) override {
        report();
        if (sublayer == 0) {
            (stack == network::Stack::Encoder ? flow_.sourceEmbedding : flow_.targetEmbedding) = lengths(x);
        } else {
            next_.sublayer = addressOf(stack, sublayer, hasCross_);
            const auto added = added_ * interventions_.sublayerFactor(next_.sublayer);
            next_.before = lengths(stream_);
            next_.added = lengths(added);
            report(); // each norm is another pass over the stream, in double precision
            next_.after = lengths(x);
            next_.cosine = cosines(added, stream_);
            countUnits();
            flow_.sublayers.push_back(std::move(next_));
            next_ = {};
        }
        stream_ = x;
    }

  private:
    /// For the sublayer that ends, if it has units.
    void countUnits() {
        if (unitRows_ == 0)
            return;
        next_.units = alive_.size(0);
        next_.deadUnits = alive_.logical_not().sum().item<std::int64_t>();
        next_.activeShare =
            static_cast<double>(activeCells_) /
            (static_cast<double>(next_.units) * static_cast<double>(tokens_.sum().item<std::int64_t>()));
        unitRows_ = 0;
    }

    trace::ModelFlow& flow_;
    bool hasCross_;
    const network::Interventions& interventions_;
    std::stop_token stop_;
    trace::SublayerFlow next_;
    at::Tensor tokens_;
    at::Tensor added_;
    at::Tensor stream_;
    std::int64_t unitRows_ = 0; ///< rows of the sublayer reported so far
    std::int64_t activeCells_ = 0;
    at::Tensor alive_; ///< [units] bool
};

} // namespace

std::shared_ptr<const trace::ModelFlow> modelFlow(const OpenModel& model, const EncodedSource& source,
                                                  const network::Interventions& interventions,
                                                  const trace::Run& run, std::stop_token stop) {
    auto flow = std::make_shared<trace::ModelFlow>();
    flow->request = run.request;
    const auto longestMap = run.request.recording.longestMap;
    refuseTooLittleMemoryForPass(model.network->config(),
                                 {.source = source.length(),
                                  .target = static_cast<std::int64_t>(run.target.size()),
                                  .longestMap = longestMap},
                                 files::availableMemory());
    const auto input = pathInputOf(model, source, interventions, run);
    FlowRecorder recorder(*flow, model.network->config().hasCrossAttention(), interventions, std::move(stop));
    const network::Pass pass{
        .observer = &recorder, .interventions = &interventions, .longestMap = longestMap};
    recorder.setTokens(tokensOf(run.source));
    const auto output = model.network->encode(input.embedded, input.openSource, pass);
    flow->encoderOutput = lengths(output); // empty for a decoder alone
    if (!input.fed.defined())
        return flow;
    auto state = model.network->startDecoding(output, input.openSource, input.fed.size(0), &recorder);
    recorder.setTokens(tokensOf(run.target));
    flow->decoderOutput = lengths(model.network->decode(input.fed, input.openFed, state, pass));
    return flow;
}

} // namespace headscope::engine
