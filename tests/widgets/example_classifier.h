#pragma once

#include "model/trace/classifier_reading.h"
#include "tests/widgets/example_run.h"

#include <cmath>
#include <memory>

/// A classifier made up of the encoder of the example: two classes, as many features as its model is wide.
namespace headscope::example {

inline std::shared_ptr<trace::Run> classified(const trace::Run& run) {
    auto made = std::make_shared<trace::Run>(run);
    auto model = std::make_shared<trace::ModelSummary>(*run.model);
    model->name = "example-classifier";
    model->classes = 2;
    model->decoderLayers = model->decoderHeads = 0;
    made->model = model;
    made->decoder.clear();
    made->cross.clear();
    made->path.clear();
    made->paths.clear();
    made->target.clear();
    made->next.clear();
    made->tree = {};
    made->output.clear();
    made->classLogProbabilities = {std::log(0.2F), std::log(0.8F)};
    return made;
}

/// Every token gives some features, none of which is padding; every third word speaks against class 1.
inline std::shared_ptr<trace::ClassifierReading> classifierReading(const trace::Run& run) {
    auto reading = std::make_shared<trace::ClassifierReading>();
    reading->request = run.request;
    const std::size_t tokens = run.source.size();
    for (std::size_t f = 0; f < 64; ++f)
        reading->positions.push_back((f * f + f / 5) % tokens);
    reading->bias = {0.1, -0.1};
    reading->contributions.assign(2, std::vector<double>(tokens));
    double logit = reading->bias[1];
    reading->weights.resize(2);
    for (const std::size_t position : reading->positions) {
        const double added = position % 3 == 1 ? -0.05 : 0.06;
        reading->contributions[1][position] += added;
        reading->features.push_back(0.5);
        reading->weights[1].push_back(added / 0.5);
        reading->weights[0].push_back(-added / 0.5);
    }
    for (std::size_t t = 0; t < tokens; ++t) {
        reading->contributions[0][t] = -reading->contributions[1][t];
        logit += reading->contributions[1][t];
    }
    reading->logits = {-logit, logit};
    const double norm = std::log(std::exp(logit) + std::exp(-logit));
    reading->logProbabilities = {-logit - norm, logit - norm};
    for (std::size_t t = 0; t < tokens; ++t) {
        if (isSpecial(run.source[t].role))
            continue;
        const double without = logit - 3 * reading->contributions[1][t] + 0.1;
        const double all = std::log(std::exp(without) + std::exp(-without));
        reading->leftOut.push_back({t, t + 1, {-without - all, without - all}});
    }
    return reading;
}

} // namespace headscope::example
