#include "model/engine/answers.h"

#include "model/decoding/best_ids.h"
#include "model/engine/best_candidates.h"
#include "model/engine/tensor_values.h"
#include "model/trace/answer_span.h"

#include <ATen/ATen.h>

#include <numeric>

namespace headscope::engine {

namespace {

constexpr std::size_t shown = 10; // candidates

at::Tensor indices(const std::vector<std::int64_t>& values) {
    return at::tensor(values, at::kLong);
}

[[noreturn]] void refuseWithoutAnswers(const trace::ModelSummary& model) {
    using trace::TokenPrediction;
    if (model.tokenPrediction == TokenPrediction::Masked)
        throw trace::Refusal({.what = "The text has no masked token",
                              .where = "the source",
                              .expected = "the mask token " + model.maskPiece + " in place of a word",
                              .found = "none",
                              .wayOut = "put " + model.maskPiece + " in place of a word"});
    if (model.tokenPrediction == TokenPrediction::Labels || model.tokenPrediction == TokenPrediction::Span)
        throw trace::Refusal({.what = model.tokenPrediction == TokenPrediction::Labels
                                          ? "The text has no token to label"
                                          : "The text has no token that could answer",
                              .where = "the source",
                              .expected = "a word",
                              .found = "special tokens alone",
                              .wayOut = "type a text"});
    throw trace::Refusal({.what = "This model has no output to explain",
                          .where = model.path,
                          .expected = "a model that decodes, classifies, labels tokens, marks an answer, "
                                      "predicts a number or masked tokens",
                          .found = "an encoder alone",
                          .wayOut = "open such a model"});
}

} // namespace

Answers::Answers(const OpenModel& model, const trace::Run& run)
    : model_(model), run_(run), tokens_(run.answers()) {
    const auto& summary = *model.summary;
    if (tokens_.empty())
        refuseWithoutAnswers(summary);
    const auto count = static_cast<std::int64_t>(tokens_.size());
    outputs_ = isSpan() ? at::arange(count, at::kLong) : indices(trace::idsOf(tokens_));
    if (isSpan()) {
        rows_ = indices(trace::idsOf(tokens_));
    } else if (summary.answersAtTokens()) {
        std::vector<std::int64_t> places;
        for (const auto& [position, candidates] : run.maskCandidates)
            places.push_back(static_cast<std::int64_t>(position));
        rows_ = indices(places);
    } else if (summary.decoderLayers > 0) {
        rows_ = at::arange(count, at::kLong);
    } else if (model.network->config().classifierInput == network::ClassifierInput::FirstToken) {
        rows_ = at::zeros({count}, at::kLong);
    }
}

at::Tensor Answers::values(const at::Tensor& output) const {
    const auto& network = *model_.network;
    const auto count = static_cast<std::int64_t>(tokens_.size());
    if (model_.summary->decoderLayers > 0)
        return network.logProbabilities(output);
    if (isSpan())
        return network.spanLogProbabilities(output);
    if (areNumbers())
        return network.classLogits(output).unsqueeze(0).expand({count, count});
    if (!model_.summary->answersAtTokens())
        return network.classLogProbabilities(output).unsqueeze(0);
    std::vector<at::Tensor> each; // one by one, as the run has them, so that they are equal to the last bit
    for (std::int64_t answer = 0; answer < count; ++answer)
        each.push_back(
            network.tokenLogProbabilities(output.narrow(0, rows_[answer].item<std::int64_t>(), 1)));
    return at::cat(each);
}

at::Tensor Answers::ofTokens(const at::Tensor& values) const {
    const auto ids = indices(trace::idsOf(tokens_)).narrow(0, 0, values.size(0));
    return values.gather(1, ids.unsqueeze(1)).squeeze(1);
}

at::Tensor Answers::quantity(const at::Tensor& values) const {
    const auto chosen = ofTokens(values);
    return contrast() ? chosen - values.select(1, contrast()->id) : chosen;
}

at::Tensor Answers::divergence(const at::Tensor& original, const at::Tensor& other) const {
    return areNumbers() ? (ofTokens(original) - ofTokens(other)).abs()
                        : engine::divergence(original, other, model_.summary->areClassesSeparate);
}

std::vector<trace::Candidate> Answers::best(const at::Tensor& values, std::size_t answer) const {
    const auto row = floats(values);
    if (areNumbers())
        return {{.token = tokens_[answer], .logProbability = row[answer]}};
    if (!isSpan())
        return bestCandidates(model_, row, shown);
    std::vector<trace::Candidate> best;
    for (const auto place : decoding::bestIds(row, shown))
        best.push_back({.token = trace::placedToken(run_.source, place), .logProbability = row[place]});
    return best;
}

} // namespace headscope::engine
