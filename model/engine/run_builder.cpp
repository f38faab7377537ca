#include "model/engine/run_builder.h"

#include "model/analysis/self_check.h"
#include "model/engine/run_recorder.h"
#include "model/engine/tensor_values.h"
#include "model/network/attention_mask.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

namespace headscope::engine {

namespace {

using trace::Refusal;
using trace::TokenRole;

constexpr std::chrono::milliseconds progressInterval{100};

std::vector<std::int64_t> idsOf(const trace::DecodeTree& tree, const std::vector<std::size_t>& path) {
    std::vector<std::int64_t> ids;
    for (const auto node : path)
        ids.push_back(tree.node(node).token.id);
    return ids;
}

/// Largest difference of two tensors of equal shape; NaN if one has a NaN.
double largestDifference(const at::Tensor& a, const at::Tensor& b) {
    return a.numel() == 0 ? 0 : (a - b).abs().max().item<double>();
}

} // namespace

RunBuilder::RunBuilder(const OpenModel& model, const EncodedSource& source, DecodingSession* session,
                       const trace::Request& request, std::stop_token stop, const Engine::Progress& progress)
    : model_(model), source_(source), session_(session), request_(request), stop_(std::move(stop)),
      progress_(progress), lastProgress_(std::chrono::steady_clock::now()) {}

std::shared_ptr<const trace::Run> RunBuilder::build() {
    if (request_.padding.target > 0 && !model_.summary->special.padding)
        model_.settings.refuse("pad_id", "the id of the padding token, because padding was asked for");
    for (const auto& path : request_.paths) {
        onLastPath_ = &path == &request_.paths.back();
        if (session_)
            decodePath(path);
        else
            refuseForced(path.forced);
    }
    const auto run = runUpTo(leaf_);
    run->complete = true;
    run->selfCheck =
        analysis::selfCheck(*run, session_ ? std::optional(differenceFromFullPass(*run)) : std::nullopt);
    return run;
}

void RunBuilder::refuseForced(const trace::TargetPrefix& forced) const {
    if (!std::holds_alternative<std::monostate>(forced))
        throw Refusal({.what = "This model has no decoder that a target could be fed to",
                       .where = model_.summary->path,
                       .wayOut = "leave the target out"});
}

std::vector<std::int64_t> RunBuilder::forcedIds(const trace::TargetPrefix& forced) const {
    if (const auto* given = std::get_if<trace::TargetIds>(&forced)) {
        for (const auto id : given->ids)
            if (id < 0 || id >= model_.summary->targetVocabulary)
                throw Refusal(
                    {.what = "The target has an id that the model does not know",
                     .where = "the target ids",
                     .expected = "ids from 0 to " + std::to_string(model_.summary->targetVocabulary - 1),
                     .found = std::to_string(id),
                     .wayOut = "use the ids of this model's vocabulary"});
        if (given->ids.empty())
            throw Refusal({.what = "There is nothing to feed the decoder",
                           .where = "the target ids",
                           .expected = "at least the start token's id",
                           .found = "none"});
        return given->ids;
    }
    const auto start = model_.summary->special.start;
    if (!start)
        model_.settings.refuse("start_id", "the id of the token the decoder is fed first");
    std::vector<std::int64_t> ids{*start};
    if (const auto* text = std::get_if<std::string>(&forced)) {
        if (!model_.tokenizer)
            throw Refusal({.what = "This model reads ids only: it has no tokenizer",
                           .where = model_.summary->path,
                           .wayOut = "give --target-ids instead of a sentence"});
        for (const auto& token : model_.tokenizer->encodeTarget(*text))
            ids.push_back(token.id);
    }
    return ids;
}

RunBuilder::NodeId RunBuilder::childOf(NodeId parent, const trace::Token& token) {
    if (const auto child = tree_.child(parent, token.id))
        return *child;
    const double logProbability = session_->logProbability(idsOf(tree_, tree_.path(parent)), token.id);
    return tree_.add({.parent = parent, .token = token, .logProbability = logProbability});
}

void RunBuilder::feed(NodeId node) {
    if (tree_.node(node).row)
        return;
    const auto fed = idsOf(tree_, tree_.path(node));
    const auto rows = static_cast<std::int64_t>(fed.size());
    refuseTooLong(rows, rows + static_cast<std::int64_t>(source_.tokens.size()), model_.summary->decoderHeads,
                  model_.summary->decoderLayers);
    tree_.setRow(node, session_->row(fed, stop_));
}

RunBuilder::NodeId RunBuilder::forcePrefix(const std::vector<std::int64_t>& ids) {
    if (tree_.empty()) {
        auto root = model_.targetToken(ids.front());
        if (root.id == model_.summary->special.start)
            root.role = TokenRole::Start; // also where the same id ends or pads
        tree_.add({.token = std::move(root)});
    } else if (tree_.node(0).token.id != ids.front())
        throw Refusal({.what = "The paths of one request begin with different tokens",
                       .where = "the target ids",
                       .expected = std::to_string(tree_.node(0).token.id),
                       .found = std::to_string(ids.front())});
    NodeId node = 0;
    for (std::size_t i = 1; i < ids.size(); ++i) {
        feed(node);
        node = childOf(node, model_.targetToken(ids[i]));
        reportProgress(node);
    }
    return node;
}

void RunBuilder::decodePath(const trace::DecodePath& path) {
    const auto ids = forcedIds(path.forced);
    const auto longest = model_.summary->maximumPositions;
    if (longest > 0 && static_cast<std::int64_t>(ids.size()) + request_.padding.target > longest)
        throw Refusal({.what = "The target is longer than the model's positions",
                       .where = "the target",
                       .expected = "at most " + std::to_string(longest) + " tokens",
                       .found = std::to_string(ids.size() + request_.padding.target) + " tokens",
                       .wayOut = "shorten it"});
    forcedTokens_ = ids.size();
    decodedOn_ = path.newTokens > 0;
    leaf_ = forcePrefix(ids);
    if (decodedOn_)
        decodeOn(leaf_, path.newTokens);
    else
        feed(leaf_);
    addPadding(leaf_);
}

void RunBuilder::decodeOn(NodeId node, int newTokens) {
    const auto longest = model_.summary->maximumPositions;
    auto length = static_cast<std::int64_t>(forcedTokens_);
    // Before padding the last token is fed as well.
    const auto after = request_.padding.target > 0 ? request_.padding.target + 1 : 0;
    for (int i = 0; i < newTokens && tree_.node(node).token.role != TokenRole::End; ++i) {
        if (longest > 0 && length + after > longest)
            break;
        feed(node);
        node = childOf(node, tree_.node(node).row->candidates.front().token);
        ++length;
        leaf_ = node;
        reportProgress(node);
    }
}

/// Pad tokens come after the whole target, its end token included, as in a batch with a longer sentence.
void RunBuilder::addPadding(NodeId node) {
    for (int i = 0; i < request_.padding.target; ++i) {
        feed(node);
        node = childOf(node, model_.targetToken(*model_.summary->special.padding));
    }
    if (request_.padding.target > 0)
        feed(node);
    leaf_ = node;
}

void RunBuilder::reportProgress(NodeId leaf) {
    // The last path is the one that is shown.
    const auto now = std::chrono::steady_clock::now();
    if (!progress_ || !onLastPath_ || now - lastProgress_ < progressInterval)
        return;
    const auto run = runUpTo(leaf);
    run->selfCheck = analysis::selfCheck(*run, std::nullopt);
    progress_(run);
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
    if (request_.recording.encoderOutput)
        run->encoderOutput = matrix(source_.output);
    run->tree = tree_;
    if (!tree_.empty())
        run->path = tree_.path(leaf);
    run->decoder = trace::stackSelfRows(tree_, run->path);
    run->cross = trace::stackCrossRows(tree_, run->path);
    for (std::size_t layer = 0; request_.recording.projections && layer < run->cross.size(); ++layer) {
        run->cross[layer].k = headStack(session_->memory(layer).k);
        run->cross[layer].v = headStack(session_->memory(layer).v);
    }
    fillTarget(*run);
    run->device = "cpu";
    run->threads = at::get_num_threads();
    return run;
}

void RunBuilder::fillTarget(trace::Run& run) const {
    std::vector<std::int64_t> output;
    for (std::size_t t = 0; t < run.path.size(); ++t) {
        const auto& node = tree_.node(run.path[t]);
        if (t > 0 && !isSpecial(node.token.role))
            output.push_back(node.token.id);
        if (!node.row)
            continue;
        run.target.push_back(node.token);
        // Nothing was chosen after a wholly forced target, before padding, and at the end: the best one
        // stands there.
        const bool chosen = decodedOn_ && t + 1 < run.path.size() &&
                            tree_.node(run.path[t + 1]).token.role != TokenRole::Padding;
        run.next.push_back(chosen ? tree_.node(run.path[t + 1]).token : node.row->candidates.front().token);
    }
    run.forcedRows = std::min(forcedTokens_ - (decodedOn_ ? 1 : 0), run.target.size());
    run.output = model_.tokenizer ? model_.tokenizer->decode(output) : std::string();
}

double RunBuilder::differenceFromFullPass(const trace::Run& run) const {
    std::vector<std::int64_t> ids;
    for (const auto& token : run.target)
        ids.push_back(token.id);
    if (ids.empty())
        return 0;
    const auto idTensor = at::tensor(ids, at::kLong);
    const auto open = network::openKeys(idTensor, model_.maskedInTarget());
    auto state = model_.network->startDecoding(source_.output, source_.open, idTensor.size(0));
    WeightRecorder full(stop_);
    model_.network->decode(idTensor, open, state, &full);
    double largest = 0;
    for (std::size_t layer = 0; layer < full.self.size(); ++layer)
        for (const auto difference :
             {largestDifference(full.self[layer], overValues(run.decoder[layer].weights)),
              largestDifference(full.cross[layer], overValues(run.cross[layer].weights))})
            largest = std::isnan(difference) || difference > largest ? difference : largest;
    return largest;
}

} // namespace headscope::engine
