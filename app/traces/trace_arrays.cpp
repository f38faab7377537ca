#include "app/traces/trace_arrays.h"

#include "app/traces/trace_run.h"
#include "model/files/safetensors.h"
#include "model/trace/refusal.h"

#include <algorithm>

namespace headscope::app {

namespace {

using files::NamedArray;

void saveSafetensorsTrace(const trace::Run& run, std::vector<NamedArray> arrays, const std::string& words,
                          const std::filesystem::path& path) {
    std::ranges::move(positionArrays(run), std::back_inserter(arrays));
    std::vector<files::TensorToSave> tensors;
    for (const auto& array : arrays)
        tensors.push_back(
            {.name = array.name, .type = array.type, .shape = array.shape, .bytes = array.bytes});
    files::saveSafetensors(path, std::move(tensors), {{"tokens.json", words}});
}

} // namespace

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
