#pragma once

#include "app/traces/trace_analyses.h"
#include "model/files/npy.h"
#include "model/trace/run.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::app {

/// Everything a run computed as named arrays; names and shapes are the command line's contract. Arrays that
/// the model does not have, or that the request did not record, are absent.
std::vector<files::NamedArray> traceArrays(const trace::Run& run);

/// Writes an .npz, or a .safetensors with the tokens in its metadata, by the path's ending. The latter also
/// holds as much of the model's table of positions as views show of it. Throws trace::Refusal.
void saveTrace(const trace::Run& run, const TraceAnalyses& analyses, const std::filesystem::path& path);

} // namespace headscope::app
