#pragma once

#include "app/traces/trace_flow.h"
#include "app/traces/trace_importance.h"
#include "app/traces/trace_lens.h"
#include "app/traces/trace_tree.h"
#include "model/trace/run.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::app {

struct TraceAnalyses;

/// What a trace file says beside its arrays, as JSON: tokens as strings, the request, and what else of the
/// run and of what was computed of it is no array (roles of tokens, candidates, what is known of the model).
/// resources/manual/traces.md.
std::string tokensJson(const trace::Run& run, const TraceAnalyses& analyses);

/// The token chosen after each row of the shown path; the most probable one where the next was forced.
std::vector<trace::Token> chosenByModel(const trace::Run& run);

/// The reverse, into the parts of a run that are no arrays: source, target and next tokens, request, model,
/// candidates (one a target token, the most probable first; empty where the file has none) and self-check.
/// Only "source" or "target" must be there. `where` names the file. Throws trace::Refusal.
struct TraceMetadata {
    std::vector<trace::Token> source;
    std::vector<trace::Token> target;
    std::vector<trace::Token> next; ///< as many as target, as chosenByModel(); the next fed one if not said
    std::size_t forcedRows = 0;
    std::string output;
    trace::Request request;
    trace::ModelSummary model;                        ///< without what the arrays say: layers, heads, widths
    std::optional<trace::PositionKind> positionKind;  ///< nothing: as the arrays say
    std::optional<trace::DistanceBias> encoderBias{}; ///< without its values
    std::optional<trace::DistanceBias> decoderBias{};
    std::vector<std::vector<trace::Candidate>> candidates;
    std::vector<double> logProbabilities; ///< of the tokens after the first; NaN where the file has none
    std::vector<std::int64_t> ranks;      ///< of the same: tokens that were more probable there
    trace::SelfCheck selfCheck;
    std::optional<LensWords> lens;
    std::optional<ImportanceWords> importance;
    std::optional<FlowWords> flow{};
    std::optional<TraceTree> tree{};
    std::vector<TraceMetadata> beside; ///< of the runs that stand beside it; of their model, the name
};
TraceMetadata parseTokensJson(std::string_view text, const std::string& where);

} // namespace headscope::app
