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

/// What views show of a run beside what it holds. Only the model can compute it, so that a trace keeps it.
struct TraceAnalyses {
    std::vector<std::shared_ptr<const trace::ScoreTerms>> scoreTerms;
    std::vector<std::shared_ptr<const trace::QuantityMaps>> maps;
    std::shared_ptr<const trace::Lens> lens;                    ///< null: not kept
    std::shared_ptr<const trace::HeadImportance> importance;    ///< null: not kept; else complete
    std::shared_ptr<const trace::ClassifierReading> classifier; ///< null: not kept
    std::shared_ptr<const trace::ModelFlow> flow;               ///< null: not kept
    /// With changes, the run without them and the changed model reading its output; the random twin's.
    std::vector<std::shared_ptr<const trace::Run>> beside;
    /// Of what was asked for and is not kept at all, by the command line's option.
    std::map<std::string, std::string> whyNot;
};

/// Which of it a trace is to hold.
struct TraceContents {
    bool scoreTerms = false;                ///< scores as sums over content and position
    bool quantities = false;                ///< norm-weighted attention, roll-out and ALTI+, of every layer
    bool gradients = false;                 ///< gradient times attention of every step's token
    bool lens = false;                      ///< what the decoder would say after each of its sublayers
    bool attribution = false;               ///< that, and what each step's logit is made of
    bool importance = false;                ///< what every head is worth
    bool reading = false;                   ///< of a classifier, what its answer is made of
    bool flow = false;                      ///< what each sublayer did to the residual stream
    bool undisturbed = false;               ///< of a run with changes, what it is compared with
    std::optional<std::uint64_t> twin = {}; ///< the random twin of this seed, beside the run
};

/// Computes it of a run that `engine` gave for `request`; what the model does not have is left out. Throws
/// trace::Cancelled.
TraceAnalyses traceAnalyses(engine::Engine& engine, const trace::Request& request, const trace::Run& run,
                            const TraceContents& contents, const std::stop_token& stop);
/// All of it, some of which is known already; gradients, the lens and what stands beside where they are not
/// too large for a long run. What heads are worth takes a pass a head: of a model, it is there where it is
/// known. `twin`: the seed of the random twin that stands beside it.
TraceAnalyses everyAnalysis(engine::Engine& engine, const trace::Request& request, const trace::Run& run,
                            const TraceAnalyses& known, std::optional<std::uint64_t> twin,
                            const std::stop_token& stop);

/// As arrays of a trace: resources/manual/traces.md.
std::vector<files::NamedArray> analysisArrays(const TraceAnalyses& analyses);
/// The reverse, of the run that the same file holds and of what it says. What does not fit is a finding.
TraceAnalyses readAnalyses(TraceTensors& tensors, const TraceMetadata& words, const trace::Run& run);

} // namespace headscope::app
