#pragma once

#include "model/files/npy.h"
#include "model/trace/lens.h"
#include "model/trace/run.h"
#include "tests/compared_numbers.h"
#include "tests/model/files/read_npz.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// The outputs of an independent implementation (tests/reference/README.md), and the arrays of a run under
/// the same names.
namespace recordings {

namespace tests = headscope::tests;

using headscope::files::NamedArray;
using headscope::trace::AttentionRecord;
using headscope::trace::Run;
using Arrays = std::map<std::string, NamedArray>;

inline const std::string folder = HEADSCOPE_SOURCE "/tests/reference/";

inline Arrays read(const std::string& path) {
    Arrays arrays;
    for (auto& array : read_npz::readNpz(folder + path))
        arrays[array.name] = std::move(array);
    return arrays;
}

inline nlohmann::json readJson(const std::filesystem::path& path) {
    std::ifstream file(std::filesystem::path(folder) / path);
    return nlohmann::json::parse(file);
}

/// Rows of a test, one for every folder with the file.
inline void eachFolderWith(const char* file) {
    QTest::addColumn<QString>("model");
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (const auto name = entry.path().filename().string(); std::filesystem::exists(entry.path() / file))
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

inline std::vector<std::int64_t> integers(const Arrays& arrays, const std::string& name) {
    return headscope::files::integersOf(arrays.at(name));
}

/// How far PyTorch's own float32 is from an array, which was computed in float64 (tests/reference/README.md).
inline double float32Distance(const Arrays& recorded, const std::string& name) {
    const auto& bytes = recorded.at("float32/" + name).bytes;
    double distance = 0;
    if (bytes.size() != sizeof distance)
        throw std::runtime_error(name);
    std::memcpy(&distance, bytes.data(), sizeof distance);
    return distance;
}

/// We may be four times as far from an array as PyTorch's float32, and as it is stored rounded to float32.
inline tests::Limit limitOf(const Arrays& recorded, const std::string& name) {
    const double distance = float32Distance(recorded, name);
    const double size = tests::largestSize(headscope::files::floatsOf(recorded.at(name)));
    return {4 * distance + tests::float32 * size, "4 x PyTorch's float32 (" + tests::inWords(distance) +
                                                      ") + rounding of what is stored, up to " +
                                                      tests::inWords(size)};
}

/// Compares numbers with a recorded array.
template <class Found>
tests::Comparison compareWith(const Arrays& recorded, const std::string& name, const Found& found) {
    const auto& array = recorded.at(name);
    return tests::compare(name, found, headscope::files::floatsOf(array), limitOf(recorded, name),
                          {array.shape.begin(), array.shape.end()});
}

/// How precise float32 is in a model, by PyTorch's own in the model's recordings: for each kind of array
/// ("weights", "scores", "log_probabilities" ...) its largest distance from float64, and that as a share of
/// the largest number of the array.
class Precision {
  public:
    /// `model` is a folder of recordings.
    static const Precision& of(std::string_view model) {
        static std::map<std::string, Precision> known;
        return known.try_emplace(std::string(model), std::string(model)).first->second;
    }

    explicit Precision(const std::string& model) : model_(model) {
        for (const auto& of : {model, "what-if/" + model})
            if (std::filesystem::exists(folder + of))
                for (const auto& entry : std::filesystem::directory_iterator(folder + of))
                    if (entry.path().extension() == ".npz")
                        add(read(of + "/" + entry.path().filename().string()));
        if (kinds_.empty())
            throw std::runtime_error(model + " has no recordings");
    }

    /// Two computations of ours of numbers of this kind and size: each may be four times as far from the
    /// exact ones as PyTorch's float32.
    tests::Limit twoOfOurs(const std::string& kind, double size) const {
        const double share = of(kind, &Kind::share);
        return {8 * share * size + tests::float32 * size,
                "two of ours, each 4 x PyTorch's float32 in " + kind + " of " + model_ + " (" +
                    tests::inWords(share) + " of the size, " + tests::inWords(size) + ")"};
    }
    /// The same for numbers that are of the size of the recorded ones.
    tests::Limit twoOfOurs(const std::string& kind) const {
        const double distance = of(kind, &Kind::distance);
        return {8 * distance, "two of ours, each 4 x PyTorch's float32 in " + kind + " of " + model_ + " (" +
                                  tests::inWords(distance) + ")"};
    }

    bool hasScores() const { return kinds_.contains("scores"); }

  private:
    struct Kind {
        double distance = 0;
        double share = 0;
    };

    void add(const Arrays& recorded) {
        std::map<std::string, Kind> found; // here `share` is the size
        for (const auto& [name, array] : recorded) {
            if (!recorded.contains("float32/" + name))
                continue;
            const auto part = name.substr(name.rfind('/') + 1);
            auto& kind = found[part.ends_with("log_probabilities") ? "log_probabilities" : part];
            kind.distance = std::max(kind.distance, float32Distance(recorded, name));
            kind.share = std::max(kind.share, tests::largestSize(headscope::files::floatsOf(array)));
        }
        if (found.contains("weights") && found.contains("scores"))
            found["weights"].share = found["scores"].share;
        for (const auto& [name, of] : found) {
            auto& kind = kinds_[name];
            kind.distance = std::max(kind.distance, of.distance);
            kind.share = std::max(kind.share, of.share > 0 ? of.distance / of.share : 0);
        }
    }

    /// Of all kinds if this one is not recorded.
    double of(const std::string& kind, double Kind::*value) const {
        if (const auto found = kinds_.find(kind); found != kinds_.end())
            return found->second.*value;
        double largest = 0;
        for (const auto& [name, other] : kinds_)
            largest = std::max(largest, other.*value);
        return largest;
    }

    std::string model_;
    std::map<std::string, Kind> kinds_;
};

/// Compares numbers of one kind that we computed in two ways.
template <class One, class Other>
tests::Comparison compareOurs(const std::string& model, const std::string& kind, const std::string& array,
                              const One& one, const Other& other) {
    return tests::compare(array, one, other, Precision::of(model).twoOfOurs(kind, tests::largestSize(other)));
}

/// A part of the records of all layers, concatenated.
template <class Part>
std::vector<float> layers(const std::vector<AttentionRecord>& records, Part part) {
    std::vector<float> values;
    for (const auto& record : records) {
        const auto layer = (record.*part).values();
        values.insert(values.end(), layer.begin(), layer.end());
    }
    return values;
}

/// One list of values per step, concatenated.
template <class Values>
std::vector<float> steps(const Run& run, Values&& valuesOf) {
    std::vector<float> values;
    for (std::size_t t = 0; t < run.target.size(); ++t) {
        const auto& row = valuesOf(run.row(t));
        values.insert(values.end(), row.begin(), row.end());
    }
    return values;
}

inline std::vector<float> decoderResidual(const Run& run) {
    std::vector<float> values;
    for (std::size_t sublayer = 0; sublayer < run.row(0).residual.rows(); ++sublayer)
        for (std::size_t t = 0; t < run.target.size(); ++t) {
            const auto row = run.row(t).residual.row(sublayer);
            values.insert(values.end(), row.begin(), row.end());
        }
    return values;
}

/// The run's values for the array `name` of a recording.
inline std::vector<float> floatsOf(const Run& run, const std::string& name) {
    const auto slash = name.find('/');
    const std::string site = name.substr(0, slash);
    const std::string part = slash == name.npos ? "" : name.substr(slash + 1);
    if (name == "log_probabilities" && run.target.empty())
        return run.sourceLogProbabilities.values();
    if (name == "replaced_probabilities")
        return run.replacedProbabilities;
    if (name == "log_probabilities")
        return steps(
            run, [](const auto& row) -> const auto& { return row.logProbabilities; });
    if (name == "positions/target")
        return steps(
            run, [](const auto& row) -> const auto& { return row.position; });
    if (name == "positions/source")
        return run.sourcePositions.values();
    if (name == "numbers")
        return run.numbers;
    if (name == "span_log_probabilities")
        return run.spanLogProbabilities.values();
    if (name == "class_log_probabilities")
        return run.classLogProbabilities;
    if (name == "encoder_output")
        return run.encoderOutput.values();
    if (name == "encoder/residual")
        return {run.encoderResidual.values().begin(), run.encoderResidual.values().end()};
    if (name == "decoder/residual")
        return decoderResidual(run);
    const auto& records = site == "encoder_self" ? run.encoder : site == "cross" ? run.cross : run.decoder;
    using Stack = headscope::trace::HeadStack AttentionRecord::*;
    static const std::map<std::string, Stack> parts{{"weights", &AttentionRecord::weights},
                                                    {"scores", &AttentionRecord::scores},
                                                    {"q", &AttentionRecord::q},
                                                    {"k", &AttentionRecord::k},
                                                    {"v", &AttentionRecord::v},
                                                    {"heads", &AttentionRecord::outputs}};
    return layers(records, parts.at(part));
}

/// Compares weights that we computed in two ways, from scores of this size.
template <class One, class Other, class Scores>
tests::Comparison compareWeights(const std::string& model, const std::string& array, const One& one,
                                 const Other& other, const Scores& scores) {
    const auto& precision = Precision::of(model);
    return tests::compare(
        array, one, other,
        precision.twoOfOurs("weights", precision.hasScores() ? tests::largestSize(scores) : 1.0));
}

/// Compares the sum of the parts of a logit with the logit.
inline tests::Comparison compareParts(const std::string& model,
                                      const headscope::trace::LogitAttribution& attribution) {
    double sum = 0, sizes = 0;
    for (const auto& part : attribution.parts) {
        sum += part.value;
        sizes += std::abs(part.value);
    }
    return tests::compare("sum of the parts of a logit", sum, attribution.logit,
                          Precision::of(model).twoOfOurs("log_probabilities", sizes));
}

/// Compares the sum of the shares of a row with 1, after so many sublayers, each with a product of this many
/// columns.
inline tests::Comparison compareShares(double sum, std::size_t sublayers, std::size_t columns) {
    return tests::compare("sum of shares", sum, 1, tests::ofSum(sublayers * (columns + 2), 1));
}

/// Compares all float arrays of a recording with the run's, except those of experts, which a run does not
/// hold. Returns the comparison that is nearest to its limit, or beyond.
inline tests::Comparison compareWith(const Arrays& recorded, const Run& run) {
    tests::Comparison worst{.agrees = false, .message = "no array is recorded"};
    for (const auto& [name, array] : recorded)
        if (array.type == headscope::files::ElementType::Float32 && !name.starts_with("experts/"))
            if (const auto here = compareWith(recorded, name, floatsOf(run, name)); here.share >= worst.share)
                worst = here;
    return worst;
}

/// The mask of the first layer.
inline std::vector<std::uint8_t> maskOf(const Run& run, const std::string& name) {
    const auto& records = name.starts_with("encoder") ? run.encoder
                          : name.starts_with("cross") ? run.cross
                                                      : run.decoder;
    return records.front().mask.values();
}

} // namespace recordings
