#include "model/engine/run_builder.h"

#include "model/analysis/maps/recomputed_map.h"
#include "model/analysis/self_check.h"
#include "model/engine/run_recorder.h"
#include "model/engine/tensor_values.h"
#include "model/network/attention_mask.h"
#include "model/trace/refusal.h"
#include "model/trace/run_path.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

namespace headscope::engine {

namespace {

using trace::Refusal;

constexpr std::chrono::milliseconds progressInterval{100};

/// Returns the largest difference of two tensors of equal shape; NaN if one contains a NaN.
double largestDifference(const at::Tensor& a, const at::Tensor& b) {
    return a.numel() == 0 ? 0 : (a - b).abs().max().item<double>();
}

/// Returns the target rows that have an allowed key in decoder self-attention, [rows] int64.
at::Tensor rowsThatSee(const trace::AttentionRecord& self) {
    std::vector<std::int64_t> rows;
    for (std::size_t row = 0; row < self.queries(); ++row)
        if (const auto open = self.allowedKeys(row);
            std::ranges::any_of(open, [](auto cell) { return cell != 0; }))
            rows.push_back(static_cast<std::int64_t>(row));
    return at::tensor(rows, at::kLong);
}

/// Returns the largest difference of weights, [heads, queries, keys], in `rows`.
double differenceOf(const at::Tensor& weights, const trace::AttentionRecord& record, const at::Tensor& rows,
                    const std::stop_token& stop) {
    if (!record.isRecomputed())
        return largestDifference(weights.index_select(1, rows),
                                 overValues(record.weights).index_select(1, rows));
    double largest = 0;
    for (std::size_t head = 0; head < record.heads(); ++head) {
        const auto map = analysis::recomputedWeights(record, head, stop);
        const trace::HeadStack stack(1, map.rows(), map.columns(), map.values());
        const auto difference =
            largestDifference(weights[static_cast<std::int64_t>(head)].unsqueeze(0).index_select(1, rows),
                              overValues(stack).index_select(1, rows));
        largest = std::isnan(difference) || difference > largest ? difference : largest;
    }
    return largest;
}

} // namespace

RunBuilder::RunBuilder(const OpenModel& model, const EncodedSource& source,
                       const network::Interventions& interventions, DecodingSession* session,
                       const trace::Request& request, trace::Task work, const trace::Partial& partial)
    : model_(model), source_(source), interventions_(interventions), session_(session), request_(request),
      work_(std::move(work)), partial_(partial),
      contrast_(model.contrastOf(request, source.tokens, source.second)),
      lastProgress_(std::chrono::steady_clock::now()) {
    if (session)
        decoder_.emplace(model, source, *session, request, work_.stop());
}

std::shared_ptr<const trace::Run> RunBuilder::build() {
    const auto& paths = request_.paths;
    for (std::size_t p = 0; p < paths.size(); ++p) {
        const auto& path = paths[p];
        if (!decoder_) {
            refuseForced(path.forced);
            continue;
        }
        const bool isShown = p + 1 == paths.size();
        decoder_->decode(path, work_.part(p, paths.size()), [&](NodeId leaf) {
            // With a lifted mask, complete rows exist only at the end.
            if (isShown && !interventions_.liftsMask())
                reportProgress(leaf);
        });
        work_.report(p + 1, paths.size());
        if (!isShown)
            ended_.push_back(pathTo(decoder_->leaf()));
    }
    auto run = runUpTo(decoder_ ? decoder_->leaf() : 0);
    if (keepsTogether(*run)) {
        decoder_->keepTogether(std::make_shared<trace::PathRecords>(
            trace::PathRecords{.self = run->decoder, .cross = run->cross}));
        run = runUpTo(decoder_->leaf());
    }
    run->complete = true;
    run->selfCheck = analysis::selfCheck(
        *run, decoder_ && !interventions_.liftsMask() ? differenceFromFullPass(*run) : std::nullopt);
    if (interventions_.liftsMask()) // no rows were reused between steps
        run->selfCheck.cachedEqualsFullPass = {.state = trace::CheckState::NotApplicable};
    run->unreached = trace::unreachedChanges(*run);
    return run;
}

/// Returns true if rows were decoded one by one and hold copies of values that the records of the path also
/// hold.
bool RunBuilder::keepsTogether(const trace::Run& run) const {
    return request_.paths.size() == 1 && decoder_ && !decoder_->searched() && !interventions_.liftsMask() &&
           !run.decoder.empty() && run.decoder.front().isRecomputed() &&
           std::ranges::any_of(run.path, [&](auto id) {
               const auto& row = run.tree.node(id).row;
               return row && !row->together;
           });
}

void RunBuilder::refuseForced(const trace::TargetPrefix& forced) const {
    if (!std::holds_alternative<std::monostate>(forced))
        throw Refusal({.what = "This model has no decoder that a target could be fed to",
                       .where = model_.summary->path,
                       .wayOut = "leave the target out"});
}

void RunBuilder::reportProgress(NodeId leaf) {
    const auto now = std::chrono::steady_clock::now();
    if (!partial_ || now - lastProgress_ < progressInterval)
        return;
    const auto run = runUpTo(leaf);
    run->selfCheck = analysis::selfCheck(*run, std::nullopt);
    partial_(run);
    lastProgress_ = std::chrono::steady_clock::now();
}

std::shared_ptr<trace::Run> RunBuilder::runUpTo(NodeId leaf) const {
    auto run = std::make_shared<trace::Run>();
    run->request = request_;
    run->model = model_.summary;
    run->source = source_.tokens;
    run->encoder = source_.records;
    run->sourcePositions = source_.positions;
    run->encoderResidual = source_.residual;
    run->classLogProbabilities = source_.classLogProbabilities;
    run->sourceLogProbabilities = source_.logProbabilities;
    run->numbers = source_.numbers;
    run->maskCandidates = source_.maskCandidates;
    run->spanLogProbabilities = source_.spanLogProbabilities;
    run->replacedProbabilities = source_.replacedProbabilities;
    run->contrast = contrast_;
    if (source_.segments.defined()) {
        const auto* const first = source_.segments.data_ptr<std::int64_t>();
        run->segments.assign(first, first + source_.segments.numel());
    }
    run->secondText = source_.second;
    if (request_.recording.encoderOutput)
        run->encoderOutput = matrix(source_.output);
    if (decoder_) {
        run->tree = decoder_->tree();
        run->paths = ended_;
        run->paths.push_back(pathTo(leaf));
        trace::showPath(*run, run->paths.back());
    }
    // All paths of the tree count, because any of them may be shown later.
    const bool leavesOut = std::ranges::any_of(
        run->tree.nodes(), [](const auto& node) { return node.row && node.row->together; });
    for (std::size_t layer = 0; layer < run->cross.size(); ++layer) {
        if (request_.recording.projections || leavesOut || run->cross[layer].isRecomputed())
            run->cross[layer].k = session_->sourceKeys(layer);
        if (request_.recording.projections)
            run->cross[layer].v = headStack(session_->memory(layer).v);
    }
    run->device = "cpu";
    run->threads = at::get_num_threads();
    return run;
}

trace::RunPath RunBuilder::pathTo(NodeId leaf) const {
    std::vector<std::int64_t> output;
    const auto path = decoder_->tree().path(leaf);
    for (std::size_t t = decoder_->startTokens(); t < path.size(); ++t)
        if (const auto& token = decoder_->tree().node(path[t]).token; !isSpecial(token.role))
            output.push_back(token.id);
    return {.leaf = leaf,
            .forcedTokens = decoder_->forcedTokens(),
            .decodedOn = decoder_->decodedOn(),
            .searched = decoder_->searched(),
            .output = model_.tokenizer ? model_.tokenizer->decode(output) : std::string()};
}

/// A row whose keys are all masked, such as that of a start token that is also padding, spreads its weights
/// uniformly over all existing keys: those up to its own token if tokens are fed one by one, all of them if
/// the whole target is fed. Such a difference is the model's behaviour, and no other row attends to that row.
/// Only rows with an allowed key are compared, as in the other checks.
std::optional<double> RunBuilder::differenceFromFullPass(const trace::Run& run) const {
    constexpr std::size_t mostCells = std::size_t{1} << 24; // per layer: a full pass stores them all
    std::vector<std::int64_t> ids;
    for (const auto& token : run.target)
        ids.push_back(token.id);
    if (ids.empty())
        return 0;
    if (ids.size() * (ids.size() + source_.length()) * run.decoder.front().heads() > mostCells)
        return std::nullopt;
    const auto idTensor = at::tensor(ids, at::kLong);
    const auto open = network::allowedKeys(idTensor, model_.maskedInTarget());
    WeightRecorder full(work_.stop());
    auto state = model_.network->startDecoding(source_.output, source_.open, idTensor.size(0), &full);
    model_.network->decode(idTensor, open, state, {.observer = &full, .interventions = &interventions_});
    double largest = 0;
    const auto rows = rowsThatSee(run.decoder.front());
    const auto compare = [&](const std::vector<at::Tensor>& weights,
                             const std::vector<trace::AttentionRecord>& records) {
        for (std::size_t layer = 0; layer < weights.size(); ++layer) {
            const auto difference = differenceOf(weights[layer], records[layer], rows, work_.stop());
            largest = std::isnan(difference) || difference > largest ? difference : largest;
        }
    };
    compare(full.self, run.decoder);
    compare(full.cross, run.cross);
    return largest;
}

} // namespace headscope::engine
