#pragma once

#include "app/traces/trace_results.h"
#include "app/traces/trace_tree.h"
#include "model/trace/run.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::app {

struct TraceAnalyses;

/// Returns the metadata of a trace file as JSON: tokens as strings, the request, and everything else about
/// the run and its analyses that is not an array (roles of tokens, candidates, properties of the model). See
/// resources/manual/traces.md.
std::string tokensJson(const trace::Run& run, const TraceAnalyses& analyses);

/// Returns the token chosen after each row of the shown path, or the most probable one if it was forced.
std::vector<trace::Token> chosenByModel(const trace::Run& run);

/// What a trace says of the model.
struct ModelWords {
    trace::ModelSummary summary;                     ///< without layers, heads and widths, known from arrays
    std::optional<trace::PositionKind> positionKind; ///< if empty, derived from the arrays
    std::optional<trace::DistanceBias> encoderBias;  ///< without its values
    std::optional<trace::DistanceBias> decoderBias;
};

/// The parsed metadata of a trace file.
struct TraceMetadata {
    std::vector<trace::Token> source;
    std::vector<trace::Token> target;
    std::vector<trace::Token> next; ///< [target] as chosenByModel(); by default the next input token
    std::size_t forcedRows = 0;
    std::string output;
    trace::Request request;
    ModelWords model;
    /// [target] Most probable first; empty if the file has none.
    std::vector<std::vector<trace::Candidate>> candidates;
    std::map<std::size_t, std::vector<trace::Candidate>> masks{}; ///< by index in the source
    std::vector<double> logProbabilities; ///< of the tokens after the first; NaN if the file has none
    std::vector<std::int64_t> ranks;      ///< of the same tokens: number of more probable tokens
    trace::SelfCheck selfCheck;
    std::optional<trace::Token> contrast{}; ///< as Run::contrast
    std::optional<LensWords> lens;
    std::optional<ImportanceWords> importance;
    std::optional<trace::ModelFlow> flow{}; ///< without numbers
    std::optional<TraceTree> tree{};
    std::vector<TraceMetadata> beside; ///< of the runs for comparison, with only the name of their model
};

/// The inverse of tokensJson(). Only "source" or "target" is required. `where` names the file. Throws
/// trace::Refusal.
TraceMetadata parseTokensJson(std::string_view text, const std::string& where);

} // namespace headscope::app
