#pragma once

#include "model/files/npy.h"
#include "model/trace/run.h"
#include "tests/model/files/read_npz.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

/// The outputs of an independent implementation (tests/reference/README.md), and the arrays of a run under
/// the same names.
namespace recordings {

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

inline std::vector<std::int64_t> integers(const Arrays& arrays, const std::string& name) {
    return headscope::files::integersOf(arrays.at(name));
}

/// The largest difference, relative for values above 1; infinite if sizes differ, NaN if a value is.
inline double difference(const std::vector<float>& found, const std::vector<float>& recorded) {
    if (found.size() != recorded.size())
        return HUGE_VAL;
    double largest = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double scale = std::max(1.0, std::abs(double{recorded[i]}));
        const double here = std::abs(double{found[i]} - double{recorded[i]}) / scale;
        largest = std::isnan(here) || here > largest ? here : largest;
    }
    return largest;
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

struct Worst {
    double difference = 0;
    std::string array;
};

/// The largest difference of all float arrays of a recording.
inline Worst worstOf(const Run& run, const Arrays& recorded) {
    Worst worst;
    for (const auto& [name, array] : recorded) {
        if (array.type != headscope::files::ElementType::Float32)
            continue;
        const double here = difference(floatsOf(run, name), headscope::files::floatsOf(array));
        if (std::isnan(here) || here > worst.difference)
            worst = {here, name};
    }
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
