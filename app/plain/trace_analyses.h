#pragma once

#include "model/engine/engine.h"
#include "model/files/npy.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace headscope::app {

class TraceTensors;

/// What views show of a run beside what it holds. Only the model can compute it, so that a trace keeps it.
struct TraceAnalyses {
    std::vector<std::shared_ptr<const trace::ScoreTerms>> scoreTerms;
    std::vector<std::shared_ptr<const trace::QuantityMaps>> maps;
};

/// Which of it a trace is to hold.
struct TraceContents {
    bool scoreTerms = false; ///< scores as sums over content and position
    bool quantities = false; ///< norm-weighted attention, roll-out and ALTI+, of every layer
    bool gradients = false;  ///< gradient times attention of every step's token
};

/// Computes it of a run that `engine` gave for `request`; what the model does not have is left out. Throws
/// trace::Cancelled.
TraceAnalyses traceAnalyses(engine::Engine& engine, const trace::Request& request, const trace::Run& run,
                            const TraceContents& contents, const std::stop_token& stop);
/// How much room gradients take in a file: they grow with the steps, too.
double bytesOfGradients(const trace::Run& run);

/// As arrays of a trace: README, "Traces".
std::vector<files::NamedArray> analysisArrays(const TraceAnalyses& analyses);
/// The reverse, of the run that the same file holds. What does not fit is a finding.
TraceAnalyses readAnalyses(TraceTensors& tensors, const trace::Run& run);

} // namespace headscope::app
