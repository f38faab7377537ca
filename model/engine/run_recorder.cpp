#include "model/engine/run_recorder.h"

#include "model/engine/tensor_values.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

namespace headscope::engine {

namespace {

using trace::AttentionKind;

void throwIfStopped(const std::stop_token& stop) {
    if (stop.stop_requested())
        throw trace::Cancelled();
}

} // namespace

void RunRecorder::attention(const network::AttentionReport& report) {
    throwIfStopped(stop_);
    trace::AttentionRecord record{.site = report.site,
                                  .mask = maskMatrix(report.mask),
                                  .scores = headStack(report.scores),
                                  .weights = headStack(report.weights)};
    if (recording_.projections)
        record.outputs = headStack(report.outputs);
    switch (report.site.kind) {
    case AttentionKind::EncoderSelf:
        if (recording_.projections) {
            record.q = headStack(report.q);
            record.k = headStack(report.k);
            record.v = headStack(report.v);
        }
        encoder.push_back(std::move(record));
        break;
    case AttentionKind::DecoderSelf: {
        // Always kept: the cache of a later run is filled from them.
        const auto first = keys_ == Keys::All ? 0 : report.k.size(1) - 1;
        record.q = headStack(report.q);
        record.k = headStack(report.k.slice(1, first));
        record.v = headStack(report.v.slice(1, first));
        decoder.push_back(std::move(record));
        break;
    }
    case AttentionKind::Cross:
        if (recording_.projections)
            record.q = headStack(report.q);
        cross.push_back(std::move(record));
        break;
    }
}

void RunRecorder::residual(network::Stack, int, const at::Tensor& x) {
    if (recording_.residual)
        residuals.push_back(x);
}

void StopWatcher::attention(const network::AttentionReport&) {
    throwIfStopped(stop_);
}

void WeightRecorder::attention(const network::AttentionReport& report) {
    throwIfStopped(stop_);
    (report.site.kind == AttentionKind::Cross ? cross : self).push_back(report.weights);
}

} // namespace headscope::engine
