#pragma once

#include "app/traces/trace_analyses.h"
#include "model/files/npy.h"
#include "model/trace/run.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::app {

/// Returns all results of a run as named arrays; names and shapes are a public interface of the command line.
/// Arrays that the model does not have or that were not recorded are absent.
std::vector<files::NamedArray> traceArrays(const trace::Run& run);

/// Writes a .npz file, or a .safetensors file with the tokens in its metadata, by the extension of `path`.
/// The latter also contains the part of the model's position tables that views show. Throws trace::Refusal.
void saveTrace(const trace::Run& run, const TraceAnalyses& analyses, const std::filesystem::path& path);

} // namespace headscope::app
