#include "app/traces/trace_classifier.h"

#include "app/traces/trace_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace headscope::app {

namespace {

using files::NamedArray;
using trace::ClassifierReading;
using Rows = std::vector<std::vector<double>>;

constexpr const char* featuresName = "classifier/features";
constexpr const char* positionsName = "classifier/positions";
constexpr const char* weightsName = "classifier/weights";
constexpr const char* contributionsName = "classifier/contributions";
constexpr const char* leftOutName = "classifier/left_out";
constexpr const char* wordsName = "classifier/left_out_tokens";

/// Arrays with one number per class.
constexpr std::array<std::pair<const char*, std::vector<double> ClassifierReading::*>, 3> perClass{
    {{"classifier/logits", &ClassifierReading::logits},
     {"classifier/log_probabilities", &ClassifierReading::logProbabilities},
     {"classifier/bias", &ClassifierReading::bias}}};

void refusePlaces(TraceTensors& tensors, const char* name) {
    tensors.addFinding(std::string("\"") + name + "\" names tokens that are not there");
}

NamedArray arrayOf(const std::string& name, const Rows& rows) {
    std::vector<double> values;
    for (const auto& row : rows)
        values.insert(values.end(), row.begin(), row.end());
    return files::doubleArray(name, {size(rows.size()), size(rows.empty() ? 0 : rows.front().size())},
                              values);
}

Rows rowsOf(const std::vector<double>& values, std::size_t rows) {
    const auto columns = static_cast<std::ptrdiff_t>(values.size() / rows);
    Rows parts;
    for (auto row = values.begin(); parts.size() < rows; row += columns)
        parts.emplace_back(row, row + columns);
    return parts;
}

/// Whether all numbers are from 0 to below `end`.
bool areBelow(const std::vector<std::int64_t>& numbers, std::size_t end) {
    return std::ranges::all_of(numbers, [end](auto n) { return n >= 0 && n < size(end); });
}

void readLeftOut(TraceTensors& tensors, std::size_t classes, std::size_t tokens, ClassifierReading& reading) {
    const auto *stored = tensors.find(leftOutName, {-1, size(classes)}),
               *words = stored ? tensors.find(wordsName, {stored->shape[0], 2}) : nullptr;
    if (!words)
        return;
    const auto places = tensors.integers(*words);
    const auto left = rowsOf(tensors.doubles(*stored), static_cast<std::size_t>(stored->shape[0]));
    if (places.size() != 2 * left.size())
        return; // wrong type, already reported
    for (std::size_t i = 0; i < left.size(); ++i) {
        const auto first = places[2 * i], last = places[2 * i + 1];
        if (first < 0 || last <= first || last > size(tokens))
            return refusePlaces(tensors, wordsName);
        reading.leftOut.push_back({.firstToken = static_cast<std::size_t>(first),
                                   .lastToken = static_cast<std::size_t>(last),
                                   .logProbabilities = left[i]});
    }
}

} // namespace

std::vector<NamedArray> classifierArrays(const ClassifierReading& reading) {
    std::vector<NamedArray> arrays;
    for (const auto& [name, part] : perClass)
        arrays.push_back(files::doubleArray(name, {size((reading.*part).size())}, reading.*part));
    arrays.push_back(files::doubleArray(featuresName, {size(reading.features.size())}, reading.features));
    const std::vector<std::int64_t> positions(reading.positions.begin(), reading.positions.end());
    arrays.push_back(files::integerArray(positionsName, {size(positions.size())}, positions));
    arrays.push_back(arrayOf(weightsName, reading.weights));
    arrays.push_back(arrayOf(contributionsName, reading.contributions));
    if (reading.leftOut.empty())
        return arrays;
    Rows left;
    std::vector<std::int64_t> words;
    for (const auto& word : reading.leftOut) {
        left.push_back(word.logProbabilities);
        words.insert(words.end(), {size(word.firstToken), size(word.lastToken)});
    }
    arrays.push_back(arrayOf(leftOutName, left));
    arrays.push_back(files::integerArray(wordsName, {size(left.size()), 2}, words));
    return arrays;
}

std::shared_ptr<const ClassifierReading> readClassifier(TraceTensors& tensors, const trace::Run& run) {
    const auto classes = run.classLogProbabilities.size(), tokens = run.source.size();
    if (classes == 0)
        return nullptr;
    const auto* weights = tensors.find(weightsName, {size(classes), -1});
    const auto* contributions = tensors.find(contributionsName, {size(classes), size(tokens)});
    if (!weights || !contributions)
        return nullptr;
    const auto width = weights->shape[1];
    const auto *features = tensors.find(featuresName, {width}),
               *positions = tensors.find(positionsName, {width});
    if (!features || !positions)
        return nullptr;
    auto reading = std::make_shared<ClassifierReading>();
    for (const auto& [name, part] : perClass) {
        const auto* stored = tensors.find(name, {size(classes)});
        if (!stored)
            return nullptr;
        (*reading).*part = tensors.doubles(*stored);
    }
    reading->features = tensors.doubles(*features);
    reading->weights = rowsOf(tensors.doubles(*weights), classes);
    reading->contributions = rowsOf(tensors.doubles(*contributions), classes);
    const auto places = tensors.integers(*positions);
    if (!areBelow(places, tokens)) {
        refusePlaces(tensors, positionsName);
        return nullptr;
    }
    reading->positions.assign(places.begin(), places.end());
    readLeftOut(tensors, classes, tokens, *reading);
    reading->request = run.request;
    return reading;
}

} // namespace headscope::app
