#include "model/engine/run_recorder.h"

#include "model/engine/tensor_values.h"
#include "model/network/attention_positions.h"
#include "model/network/intervention.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <utility>

namespace headscope::engine {

namespace {

using trace::AttentionKind;
using trace::throwIfStopped;

/// `mask` is [queries, keys] bool with any strides.
std::shared_ptr<const trace::AllowedRanges> openRanges(const at::Tensor& mask) {
    auto ranges = std::make_shared<trace::AllowedRanges>(mask.size(1));
    for (std::int64_t row = 0; row < mask.size(0); ++row) {
        if (row > 0 && mask.stride(0) == 0) {
            ranges->repeatRow();
            continue;
        }
        const auto cells = mask[row].contiguous();
        ranges->addRow({reinterpret_cast<const std::uint8_t*>(cells.data_ptr<bool>()),
                        static_cast<std::size_t>(cells.size(0))});
    }
    return ranges;
}

std::vector<std::int64_t> integers(const at::Tensor& tensor) {
    const auto flat = tensor.contiguous();
    const auto* const first = flat.data_ptr<std::int64_t>();
    return {first, first + flat.numel()};
}

std::shared_ptr<const trace::RelativeBias> relativeBias(const network::ScoreBias& bias) {
    return std::make_shared<trace::RelativeBias>(
        trace::RelativeBias{.buckets = bias.of->buckets(),
                            .table = floats(bias.of->table()),
                            .heads = static_cast<std::size_t>(bias.of->table().size(1)),
                            .factor = bias.factor,
                            .queries = integers(bias.queries),
                            .keys = integers(bias.keys)});
}

trace::RowsMeasured measure(const network::AttentionRows& rows) {
    const auto hasOpen = rows.mask.any(1); // [queries]
    trace::RowsMeasured measured{.rows = static_cast<std::size_t>(hasOpen.sum().item<std::int64_t>())};
    if (measured.rows == 0)
        return measured;
    const auto deviations = (rows.weights.sum(-1, false, at::kDouble) - 1).abs(); // [heads, queries]
    measured.rowSum = deviations.masked_fill(hasOpen.logical_not(), 0).max().item<double>();
    const auto closed = rows.mask.logical_not().logical_and(hasOpen.unsqueeze(1));
    if (closed.any().item<bool>())
        measured.maskedCell = rows.weights.abs().mul(closed).max().item<double>();
    return measured;
}

} // namespace

void RunRecorder::tell() const {
    if (whole_.attentions == 0 || whole_.rows == 0)
        return throwIfStopped(work_.stop());
    const double rows = static_cast<double>(rowsDone_) / static_cast<double>(whole_.rows);
    work_.report((static_cast<double>(attentionsDone_) + rows) / static_cast<double>(whole_.attentions));
}

void RunRecorder::attentionRows(const network::AttentionRows& rows) {
    rowsDone_ += rows.mask.size(0);
    tell();
    measured_ = trace::worst(measured_, measure(rows));
}

void RunRecorder::report() {
    throwIfStopped(work_.stop());
}

trace::AttentionRecord RunRecorder::recordOf(const network::AttentionReport& report) {
    if (report.weights.defined())
        return {.site = report.site,
                .mask = maskMatrix(report.mask),
                .scores = headStack(report.scores),
                .weights = headStack(report.weights)};
    if (!openOf_.defined() || !openOf_.is_same(report.mask)) {
        openOf_ = report.mask;
        open_ = openRanges(report.mask);
    }
    if (report.bias.defined() && !(biasOf_.defined() && biasOf_.is_same(report.bias.keys))) {
        biasOf_ = report.bias.keys;
        bias_ = relativeBias(report.bias);
    }
    trace::RecomputeRecipe rule{.scale = report.scale,
                                .cap = report.cap,
                                .closedScore = report.closedScore,
                                .open = open_,
                                .bias = report.bias.defined() ? bias_ : nullptr,
                                .firstQuery = static_cast<std::size_t>(report.firstQuery),
                                .measured = std::exchange(measured_, {})};
    if (report.changes) {
        rule.blocked = report.changes->blocked();
        rule.forced = report.changes->forced();
    }
    return {.site = report.site,
            .q = headStack(report.q),
            .rule = std::make_shared<trace::RecomputeRecipe>(std::move(rule))};
}

void RunRecorder::attention(const network::AttentionReport& report) {
    ++attentionsDone_;
    rowsDone_ = 0;
    tell();
    auto record = recordOf(report);
    if (recording_.projections)
        record.outputs = headStack(report.outputs);
    switch (report.site.kind) {
    case AttentionKind::EncoderSelf:
        if (recording_.projections || record.isRecomputed()) {
            record.q = headStack(report.q);
            record.k = headStack(report.k);
        }
        if (recording_.projections)
            record.v = headStack(report.v);
        encoder.push_back(std::move(record));
        break;
    case AttentionKind::DecoderSelf: {
        // Always stored: the key-value cache of a later run is filled from them.
        const auto first = report.k.size(1) - report.q.size(1);
        record.q = headStack(report.q);
        record.k = headStack(report.k.slice(1, first));
        if (recording_.projections || tokens_ == Tokens::Newest || !record.isRecomputed())
            record.v = headStack(report.v.slice(1, first));
        decoder.push_back(std::move(record));
        break;
    }
    case AttentionKind::Cross:
        // If other rows of the same path do not store their maps, this row is recomputed from q as well.
        if (recording_.projections || recording_.longestMap > 0)
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

void StopWatcher::attentionRows(const network::AttentionRows&) {
    throwIfStopped(stop_);
}

void StopWatcher::report() {
    throwIfStopped(stop_);
}

void WeightRecorder::attention(const network::AttentionReport& report) {
    throwIfStopped(stop_);
    (report.site.kind == AttentionKind::Cross ? cross : self).push_back(report.weights);
}

} // namespace headscope::engine
