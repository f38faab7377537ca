#pragma once

#include "model/engine/engine.h"
#include "model/files/npy.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::app {

class TraceTensors;
struct TraceMetadata;

/// Analyses of a run that only the model can compute, so that a trace has to store them.
struct TraceAnalyses {
    std::vector<std::shared_ptr<const trace::ScoreTerms>> scoreTerms;
    std::vector<std::shared_ptr<const trace::QuantityMaps>> maps;
    std::shared_ptr<const trace::Lens> lens;                 ///< null if not stored
    std::shared_ptr<const trace::HeadImportance> importance; ///< null if not stored; otherwise complete
    /// For a stored importance: heads removed in its order for each step, then for the whole output, then in
    /// random orders; empty if not stored.
    std::vector<std::shared_ptr<const trace::RemovalCurve>> removals;
    /// One per step, in all cross-attention heads; empty if not stored.
    std::vector<std::shared_ptr<const trace::CausalRow>> knockOut;
    std::shared_ptr<const trace::ClassifierReading> classifier; ///< null if not stored
    std::shared_ptr<const trace::ModelFlow> flow;               ///< null if not stored
    std::shared_ptr<const trace::ExpertRouting> experts;        ///< null if not stored
    /// Runs for comparison: for a run with interventions the original run and the changed model reading its
    /// output; the random twin's run.
    std::vector<std::shared_ptr<const trace::Run>> beside;
    /// Command line option -> reason, for requested analyses that are not stored at all.
    std::map<std::string, std::string> whyNot;
};

/// The analyses to store in a trace.
struct TraceContents {
    bool scoreTerms = false;                ///< scores as sums over content and position
    bool quantities = false;                ///< norm-weighted attention, roll-out and ALTI+, of every layer
    bool gradients = false;                 ///< gradient times attention of every step's token
    bool lens = false;                      ///< logit lens: the decoder's predictions after each sublayer
    bool attribution = false;               ///< the lens, and the parts of each step's logit
    bool importance = false;                ///< head importance (ablation)
    bool removal = false;                   ///< removal curves; includes head importance
    trace::Ablation ablation = {};          ///< of head importance and removal curves
    bool knockOut = false;                  ///< knock-out losses of each step
    bool reading = false;                   ///< for a classifier, the parts of its answer
    bool flow = false;                      ///< effect of each sublayer on the residual stream
    bool experts = false;                   ///< of a mixture of experts, which each token uses
    bool original = false;                  ///< for a run with interventions, the original run
    std::optional<std::uint64_t> twin = {}; ///< the random twin with this seed
};

/// Computes analyses of the run that `engine` returned for `request`; those that the model does not support
/// are skipped. Throws trace::Cancelled.
TraceAnalyses traceAnalyses(engine::Engine& engine, const trace::Request& request, const trace::Run& run,
                            const TraceContents& contents, const std::stop_token& stop);
/// Computes all analyses that are not in `known`. Gradients, the lens and the runs for comparison are skipped
/// for runs that are too long. Head importance, removal curves and knock-out losses need many passes, so for
/// a model the first is only taken from `known`, and the others are skipped. `twin` is the seed of the random
/// twin.
TraceAnalyses everyAnalysis(engine::Engine& engine, const trace::Request& request, const trace::Run& run,
                            const TraceAnalyses& known, std::optional<std::uint64_t> twin,
                            const std::stop_token& stop);

/// Returns the analyses as arrays of a trace file: resources/manual/traces.md.
std::vector<files::NamedArray> analysisArrays(const TraceAnalyses& analyses);
/// The inverse. `words` and `run` are from the same file. Inconsistent arrays are reported as findings.
TraceAnalyses readAnalyses(TraceTensors& tensors, const TraceMetadata& words, const trace::Run& run);

} // namespace headscope::app
