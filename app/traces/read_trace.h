#pragma once

#include "app/traces/trace_analyses.h"
#include "app/traces/trace_file.h"
#include "model/trace/run.h"

#include <filesystem>
#include <memory>
#include <stop_token>

namespace headscope::app {

/// Throws trace::Refusal if `path` is a trace, for commands that read other sentences than the recorded one.
void refuseTrace(const std::filesystem::path& path);

struct Trace {
    std::shared_ptr<const trace::Run> run;
    TraceAnalyses analyses;
};

/// Reads a trace file of this or another program; for the format see resources/manual/traces.md. At least one
/// kind of attention has weights; everything else is optional. ModelSummary::recorded is set to the request
/// of the run. Large arrays of files above 1 GiB are read and converted on access. Throws one trace::Refusal
/// that lists all inconsistencies.
Trace readTrace(const std::filesystem::path& path, const std::stop_token& stop = {});

} // namespace headscope::app
