#include "app/traces/array_fields.h"
#include "app/traces/trace_results.h"

#include <algorithm>
#include <functional>
#include <string>

namespace headscope::app {

namespace {

using trace::ClassifierReading;

constexpr const char* positionsName = "classifier/positions";
constexpr const char* weightsName = "classifier/weights";
constexpr const char* wordsName = "classifier/left_out_tokens";

void refusePlaces(TraceTensors& tensors, const char* name) {
    tensors.addFinding(std::string("\"") + name + "\" names tokens that are not there");
}

template <class Arrays>
bool numbers(Arrays& arrays, typename Arrays::template Of<ClassifierReading>& reading, std::int64_t classes,
             std::int64_t width, std::int64_t tokens) {
    const bool found[]{arrays.list("classifier/logits", {classes}, reading.logits),
                       arrays.list("classifier/log_probabilities", {classes}, reading.logProbabilities),
                       arrays.list("classifier/bias", {classes}, reading.bias),
                       arrays.list("classifier/features", {width}, reading.features),
                       arrays.list(positionsName, {width}, reading.positions),
                       arrays.rows(weightsName, {classes, width}, reading.weights),
                       arrays.rows("classifier/contributions", {classes, tokens}, reading.contributions)};
    return std::ranges::all_of(found, std::identity());
}

/// What the answer is without each word.
template <class Arrays>
bool leftOut(Arrays& arrays, typename Arrays::template Of<std::vector<std::vector<double>>>& logProbabilities,
             typename Arrays::template Of<std::vector<std::int64_t>>& places, std::int64_t words,
             std::int64_t classes) {
    return arrays.rows("classifier/left_out", {words, classes}, logProbabilities) &&
           arrays.list(wordsName, {size(logProbabilities.size()), 2}, places);
}

void readLeftOut(TraceTensors& tensors, std::int64_t classes, std::size_t tokens,
                 ClassifierReading& reading) {
    std::vector<std::vector<double>> left;
    std::vector<std::int64_t> places;
    ArrayReader reader(tensors);
    if (!leftOut(reader, left, places, -1, classes))
        return;
    for (std::size_t i = 0; i < left.size(); ++i) {
        const auto first = places[2 * i], last = places[2 * i + 1];
        if (first < 0 || last <= first || last > size(tokens))
            return refusePlaces(tensors, wordsName);
        reading.leftOut.push_back(
            {.firstToken = count(first), .lastToken = count(last), .logProbabilities = left[i]});
    }
}

} // namespace

std::vector<files::NamedArray> classifierArrays(const ClassifierReading& reading) {
    ArrayWriter writer;
    const auto classes = size(reading.logits.size());
    numbers(writer, reading, classes, size(reading.features.size()),
            reading.contributions.empty() ? 0 : size(reading.contributions.front().size()));
    std::vector<std::vector<double>> left;
    std::vector<std::int64_t> places;
    for (const auto& word : reading.leftOut) {
        left.push_back(word.logProbabilities);
        places.insert(places.end(), {size(word.firstToken), size(word.lastToken)});
    }
    if (!left.empty())
        leftOut(writer, left, places, size(left.size()), classes);
    return writer.arrays();
}

std::shared_ptr<const ClassifierReading> readClassifier(TraceTensors& tensors, const trace::Run& run) {
    const auto classes = size(run.classLogProbabilities.size());
    const auto* weights = classes > 0 ? tensors.find(weightsName, {classes, -1}) : nullptr;
    if (!weights)
        return nullptr;
    auto reading = std::make_shared<ClassifierReading>();
    const auto tokens = run.source.size();
    if (ArrayReader reader(tensors); !numbers(reader, *reading, classes, weights->shape[1], size(tokens)))
        return nullptr;
    if (std::ranges::any_of(reading->positions, [=](auto place) { return place >= tokens; })) {
        refusePlaces(tensors, positionsName);
        return nullptr;
    }
    readLeftOut(tensors, classes, tokens, *reading);
    reading->request = run.request;
    return reading;
}

} // namespace headscope::app
