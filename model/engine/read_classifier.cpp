#include "model/engine/read_classifier.h"

#include "model/analysis/maps/map_views.h"
#include "model/engine/run_recorder.h"
#include "model/network/matrix_product.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

namespace headscope::engine {

namespace {

std::vector<double> doubles(const at::Tensor& tensor) {
    const auto values = tensor.to(at::kDouble).contiguous();
    return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

void takeApart(trace::ClassifierReading& reading, const OpenModel& model, const at::Tensor& output) {
    const auto& [stored, bias, factor] = model.network->classifier();
    const auto weight = network::widened(stored); // [classes, d_model]
    const auto logits = model.network->classLogits(output);
    reading.logits = doubles(logits);
    reading.logProbabilities = doubles(model.network->classLogProbabilities(output));
    reading.bias = bias.defined() ? doubles(bias) : std::vector<double>(reading.logits.size(), 0.0);
    // A classifier of the first token takes all features from there.
    const bool readsFirst = model.network->config().classifierInput == network::ClassifierInput::FirstToken;
    const auto largest = model.network->classFeatures(output); // [d_model]
    const auto positions =
        readsFirst ? at::zeros({largest.size(0)}, at::kLong) : std::get<1>(output.max(0)).contiguous();
    reading.positions.assign(positions.data_ptr<std::int64_t>(),
                             positions.data_ptr<std::int64_t>() + positions.numel());
    reading.features = doubles(largest);
    for (std::int64_t c = 0; c < weight.size(0); ++c)
        reading.weights.push_back(doubles(weight[c]));
    const auto given = (weight * largest).to(at::kDouble); // [classes, d_model]
    const auto sums = at::zeros({weight.size(0), output.size(0)}, at::kDouble).index_add(1, positions, given);
    for (std::int64_t c = 0; c < sums.size(0); ++c)
        reading.contributions.push_back(doubles(sums[c]));
}

/// Returns the log-probabilities for the source without a word, as if it had never been written. [classes]
std::vector<double> without(const trace::LeftOut& word, const OpenModel& model, const EncodedSource& source,
                            const network::Interventions& interventions, network::ForwardObserver& observer) {
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> kept;
    for (std::size_t i = 0; i < source.tokens.size(); ++i)
        if (i < word.firstToken || i >= word.lastToken) {
            ids.push_back(source.tokens[i].id);
            kept.push_back(static_cast<std::int64_t>(i));
        }
    const auto left = at::tensor(ids, at::kLong);
    const auto& embedding = model.network->sourceEmbedding();
    const auto& table = embedding.positionTable();
    const auto places =
        table.defined() ? interventions.places(0, left.size(0), left.size(0), table.size(0)) : at::Tensor();
    const auto rows = at::tensor(kept, at::kLong);
    const auto open = source.open.index_select(0, rows);
    const auto segments = source.segments.defined() ? source.segments.index_select(0, rows) : at::Tensor();
    const auto output = model.network->encode(embedding(left, 0, places, segments), open,
                                              {.observer = &observer, .interventions = &interventions});
    return doubles(model.network->classLogProbabilities(output));
}

} // namespace

std::shared_ptr<const trace::ClassifierReading> readClassifier(const OpenModel& model,
                                                               const EncodedSource& source,
                                                               const network::Interventions& interventions,
                                                               const trace::Run& run, std::stop_token stop) {
    if (model.summary->classes == 0)
        throw trace::Refusal({.what = "This model chooses between no classes",
                              .where = model.summary->path,
                              .expected = "a classifier",
                              .wayOut = "open a classifier"});
    auto reading = std::make_shared<trace::ClassifierReading>();
    reading->request = run.request;
    takeApart(*reading, model, source.output);
    if (model.summary->sourceVocabulary == 0 || trace::namesPlaces(run.request.interventions))
        return reading; // embeddings have no words; positions would refer to other words
    StopWatcher watcher(std::move(stop));
    const auto texts = std::ranges::count_if(
        source.tokens, [](const trace::Token& token) { return token.role != trace::TokenRole::Padding; });
    for (const auto& [first, last] : analysis::wordsOf(source.tokens)) {
        if (isSpecial(source.tokens[first].role) || static_cast<std::ptrdiff_t>(last - first) == texts)
            continue; // only padding would be left
        trace::LeftOut word{.firstToken = first, .lastToken = last};
        word.logProbabilities = without(word, model, source, interventions, watcher);
        reading->leftOut.push_back(std::move(word));
    }
    return reading;
}

} // namespace headscope::engine
