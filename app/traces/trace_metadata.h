#pragma once

#include "app/traces/trace_results.h"
#include "model/trace/run.h"

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

/// Maximum number of tokens of a stored tree; of a larger one only the paths are stored, so that metadata
/// stay readable.
inline constexpr std::size_t largestTree = 100'000;

/// A decode tree without computed rows, which a trace contains for the shown path only.
struct TraceTree {
    trace::DecodeTree tree;
    std::vector<trace::RunPath> paths; ///< at least one; the last one is shown
};

/// Candidates of a masked token.
struct MaskWords {
    std::int64_t index = 0; ///< in the source
    std::vector<trace::Candidate> candidates;
};

/// What the metadata of a trace file say of a run.
struct RunWords {
    std::vector<trace::Token> source;
    std::vector<trace::Token> target;
    std::vector<trace::Token> next; ///< [target] as chosenByModel(); by default the next input token
    std::size_t forcedRows = 0;
    std::string output;
    trace::Request request;
    /// [target] Most probable first; empty if the file has none.
    std::vector<std::vector<trace::Candidate>> candidates;
    std::vector<MaskWords> masks;
    std::optional<std::int64_t> secondText; ///< as Run::secondText
    std::vector<double> logProbabilities;   ///< of the tokens after the first; NaN if the file has none
    std::vector<std::int64_t> ranks;        ///< of the same tokens: number of more probable tokens
    trace::SelfCheck selfCheck;
    std::optional<trace::Token> contrast; ///< as Run::contrast
    std::optional<TraceTree> tree;
};

/// A run for comparison.
struct BesideWords : RunWords {
    std::string model; ///< its name
};

/// The parsed metadata of a trace file.
struct TraceMetadata : RunWords {
    ModelWords model;
    bool saysDecoding = false; ///< the request has its decoding, which is greedy by default
    std::optional<LensWords> lens;
    std::optional<ImportanceWords> importance;
    std::optional<trace::ModelFlow> flow; ///< without numbers
    std::vector<BesideWords> beside;
};

/// The inverse of tokensJson(). Only "source" or "target" is required. `where` names the file. Throws
/// trace::Refusal, also for an impossible search.
TraceMetadata parseTokensJson(std::string_view text, const std::string& where);

} // namespace headscope::app
