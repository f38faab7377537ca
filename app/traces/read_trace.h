#pragma once

#include "app/traces/trace_analyses.h"
#include "model/trace/run.h"

#include <filesystem>
#include <memory>
#include <stop_token>

namespace headscope::app {

/// True of a safetensors file that says which tokens its maps are of. What cannot be read is none.
bool isTrace(const std::filesystem::path& path);
/// For what reads other sentences than the one that it holds. Throws trace::Refusal if it is one.
void refuseTrace(const std::filesystem::path& path);

struct Trace {
    std::shared_ptr<const trace::Run> run;
    TraceAnalyses analyses;
};

/// A run as a trace file holds it, by whichever program it was written: resources/manual/traces.md. At least
/// one kind of attention has weights; all else is as far as the file has it. ModelSummary::recorded is its
/// request. Of a file above 1 GiB, what is float32 is read by the parts that are looked at. Everything that
/// does not fit together is named in one trace::Refusal.
Trace readTrace(const std::filesystem::path& path, const std::stop_token& stop = {});

} // namespace headscope::app
