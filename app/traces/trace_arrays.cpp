#include "app/traces/trace_arrays.h"

#include "app/traces/trace_fields.h"
#include "app/traces/trace_metadata.h"
#include "app/traces/trace_positions.h"
#include "model/analysis/maps/recomputed_map.h"
#include "model/files/available_memory.h"
#include "model/files/safetensors.h"
#include "model/trace/refusal.h"

#include <algorithm>

namespace headscope::app {

namespace {

using files::NamedArray;
using trace::AttentionKind;
using trace::AttentionRecord;
using Records = std::vector<AttentionRecord>;
using Shape = std::vector<std::int64_t>;

/// Adds one part of all layers, [layers, heads, rows, columns]. Adds nothing if it was not recorded.
void addLayers(std::vector<NamedArray>& arrays, const std::string& name, const Records& records,
               trace::HeadStack AttentionRecord::*part) {
    if (records.empty() || (records.front().*part).empty())
        return;
    const auto& first = records.front().*part;
    std::vector<float> values;
    values.reserve(records.size() * first.values().size());
    for (const auto& record : records) {
        const auto layer = (record.*part).values();
        values.insert(values.end(), layer.begin(), layer.end());
    }
    arrays.push_back(files::floatArray(
        name, {size(records.size()), size(first.heads()), size(first.rows()), size(first.columns())},
        values));
}

using Recomputed = trace::Matrix (*)(const AttentionRecord&, std::size_t head, const trace::Task&);

/// The same for maps that are not stored: recomputes them, one head at a time.
void addNotStored(std::vector<NamedArray>& arrays, const std::string& name, const Records& records,
                  Recomputed recomputed) {
    const auto& first = records.front();
    std::vector<float> values;
    values.reserve(records.size() * first.heads() * first.queries() * first.keys());
    for (const auto& record : records)
        for (std::size_t head = 0; head < record.heads(); ++head) {
            const auto map = recomputed(record, head, {});
            values.insert(values.end(), map.values().begin(), map.values().end());
        }
    arrays.push_back(files::floatArray(
        name, {size(records.size()), size(first.heads()), size(first.queries()), size(first.keys())},
        values));
}

/// Adds one mask for all layers, [queries, keys]; [layers, queries, keys] if some have an attention window.
void addMask(std::vector<NamedArray>& arrays, const std::string& name, const Records& records) {
    std::vector<trace::MaskMatrix> masks;
    for (const auto& record : records)
        masks.push_back(analysis::maskOf(record));
    const auto& first = masks.front();
    std::vector<std::int64_t> shape{size(first.rows()), size(first.columns())};
    const bool areEqual =
        std::ranges::all_of(masks, [&](const auto& mask) { return mask.values() == first.values(); });
    if (areEqual)
        masks.resize(1);
    else
        shape.insert(shape.begin(), size(masks.size()));
    std::vector<bool> open;
    for (const auto& mask : masks)
        open.insert(open.end(), mask.values().begin(), mask.values().end());
    arrays.push_back(files::booleanArray(name, shape, open));
}

void addRecords(std::vector<NamedArray>& arrays, const std::string& kind, const Records& records,
                bool projections) {
    if (records.empty())
        return;
    if (records.front().isRecomputed()) {
        addNotStored(arrays, kind + "/weights", records, analysis::recomputedWeights);
        addNotStored(arrays, kind + "/scores", records, analysis::recomputedScores);
    } else {
        addLayers(arrays, kind + "/weights", records, &AttentionRecord::weights);
        addLayers(arrays, kind + "/scores", records, &AttentionRecord::scores);
    }
    addMask(arrays, kind + "/mask", records);
    if (!projections)
        return;
    addLayers(arrays, kind + "/q", records, &AttentionRecord::q);
    addLayers(arrays, kind + "/k", records, &AttentionRecord::k);
    addLayers(arrays, kind + "/v", records, &AttentionRecord::v);
    addLayers(arrays, kind + "/heads", records, &AttentionRecord::outputs);
}

void addMatrix(std::vector<NamedArray>& arrays, const std::string& name, const trace::Matrix& matrix) {
    if (!matrix.empty())
        arrays.push_back(
            files::floatArray(name, {size(matrix.rows()), size(matrix.columns())}, matrix.values()));
}

/// Adds one row per step of the path.
template <class RowValues>
void addSteps(std::vector<NamedArray>& arrays, const std::string& name, const trace::Run& run,
              RowValues&& rowValues) {
    std::vector<float> values;
    std::size_t columns = 0;
    for (std::size_t t = 0; t < run.target.size(); ++t) {
        const auto& row = rowValues(run.row(t));
        columns = row.size();
        values.insert(values.end(), row.begin(), row.end());
    }
    if (columns > 0)
        arrays.push_back(files::floatArray(name, {size(run.target.size()), size(columns)}, values));
}

/// Adds [1 + sublayers, T, d_model], from one [1 + sublayers, d_model] per step.
void addDecoderResidual(std::vector<NamedArray>& arrays, const trace::Run& run) {
    if (run.target.empty() || run.row(0).residual.empty())
        return;
    const auto& first = run.row(0).residual;
    std::vector<float> values;
    for (std::size_t sublayer = 0; sublayer < first.rows(); ++sublayer)
        for (std::size_t t = 0; t < run.target.size(); ++t) {
            const auto row = run.row(t).residual.row(sublayer);
            values.insert(values.end(), row.begin(), row.end());
        }
    arrays.push_back(files::floatArray(
        "decoder/residual", {size(first.rows()), size(run.target.size()), size(first.columns())}, values));
}

NamedArray ids(const std::string& name, const std::vector<trace::Token>& tokens) {
    std::vector<std::int64_t> values;
    for (const auto& token : tokens)
        values.push_back(token.id);
    return files::integerArray(name, {size(values.size())}, values);
}

void saveSafetensorsTrace(const trace::Run& run, std::vector<NamedArray> arrays, const std::string& words,
                          const std::filesystem::path& path) {
    std::ranges::move(positionArrays(run), std::back_inserter(arrays));
    std::vector<files::TensorToSave> tensors;
    for (const auto& array : arrays)
        tensors.push_back(
            {.name = array.name, .type = array.type, .shape = array.shape, .bytes = array.bytes});
    files::saveSafetensors(path, std::move(tensors), {{"tokens.json", words}});
}

/// Saving needs all arrays in memory at once, including recomputed maps and arrays mapped from a file.
void refuseTooLittleMemory(const trace::Run& run) {
    double needed = 0;
    double largest = 0; // the array being written is in memory twice
    for (const auto* records : {&run.encoder, &run.decoder, &run.cross}) {
        const auto add = [&](double times, auto&& numbers) {
            double bytes = 0;
            for (const auto& record : *records)
                bytes += static_cast<double>(numbers(record)) * sizeof(float);
            needed += times * bytes;
            largest = std::max(largest, bytes);
        };
        add(2, [](const auto& record) { // weights and scores
            return record.isRecomputed() ? record.heads() * record.queries() * record.keys() : 0;
        });
        for (const auto part : {&AttentionRecord::weights, &AttentionRecord::scores, &AttentionRecord::q,
                                &AttentionRecord::k, &AttentionRecord::v, &AttentionRecord::outputs})
            add(1, [part](const auto& record) { return (record.*part).values().size(); });
    }
    needed += largest;
    const auto available = files::availableMemory();
    if (available && needed > *available)
        throw trace::Refusal(
            {.what = "There is not enough memory to write all maps of so long a sentence",
             .where = std::to_string(run.source.size()) + " source tokens",
             .expected = "at most " + files::bytesInWords(*available) + ", which is free now",
             .found = "about " + files::bytesInWords(needed) + " needed",
             .wayOut = "shorten the sentence, or close other programs"});
}

} // namespace

std::vector<NamedArray> traceArrays(const trace::Run& run) {
    refuseTooLittleMemory(run);
    const bool projections = run.request.recording.projections;
    std::vector<NamedArray> arrays{ids("source_ids", run.source)};
    if (!run.segments.empty())
        arrays.push_back(files::integerArray("source_segments", {size(run.segments.size())}, run.segments));
    if (!run.target.empty()) {
        arrays.push_back(ids("target_ids", run.target));
        arrays.push_back(ids("next_ids", chosenByModel(run)));
    }
    addRecords(arrays, "encoder_self", run.encoder, projections);
    addRecords(arrays, "decoder_self", run.decoder, projections);
    addRecords(arrays, "cross", run.cross, projections);
    addSteps(
        arrays, "log_probabilities", run,
        [](const auto& row) -> const auto& { return row.logProbabilities; });
    addMatrix(arrays, "log_probabilities", run.sourceLogProbabilities);
    if (!run.replacedProbabilities.empty())
        arrays.push_back(files::floatArray("replaced_probabilities", {size(run.replacedProbabilities.size())},
                                           run.replacedProbabilities));
    if (!run.classLogProbabilities.empty())
        arrays.push_back(files::floatArray(
            "class_log_probabilities", {size(run.classLogProbabilities.size())}, run.classLogProbabilities));
    const auto& residual = run.encoderResidual;
    if (!residual.empty())
        arrays.push_back(files::floatArray(
            "encoder/residual", {size(residual.heads()), size(residual.rows()), size(residual.columns())},
            residual.values()));
    addDecoderResidual(arrays, run);
    addMatrix(arrays, "encoder_output", run.encoderOutput);
    addMatrix(arrays, "positions/source", run.sourcePositions);
    addSteps(
        arrays, "positions/target", run, [](const auto& row) -> const auto& { return row.position; });
    return arrays;
}

void saveTrace(const trace::Run& run, const TraceAnalyses& analyses, const std::filesystem::path& path) {
    auto arrays = traceArrays(run);
    std::ranges::move(analysisArrays(analyses), std::back_inserter(arrays));
    for (std::size_t i = 0; i < analyses.beside.size(); ++i)
        for (auto& array : traceArrays(*analyses.beside[i])) {
            array.name = besideName(i) + "/" + array.name;
            arrays.push_back(std::move(array));
        }
    const auto words = tokensJson(run, analyses);
    if (path.extension() == ".npz")
        files::saveNpz(path, arrays, {{"tokens.json", words}});
    else if (path.extension() == ".safetensors")
        saveSafetensorsTrace(run, std::move(arrays), words, path);
    else
        throw trace::Refusal({.what = "A trace cannot be written in this format",
                              .where = path.string(),
                              .expected = "a name that ends in .npz or .safetensors",
                              .found = path.extension().string(),
                              .wayOut = "choose one of these endings"});
}

} // namespace headscope::app
