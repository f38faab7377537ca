#include "app/traces/trace_views.h"

#include "app/choices/picture_options.h"
#include "model/analysis/cell_arithmetic.h"
#include "model/analysis/head_statistics.h"
#include "model/analysis/recomputed_map.h"
#include "model/trace/recorded_runs.h"
#include "model/trace/run_path.h"

#include <algorithm>
#include <set>

namespace headscope::app {

namespace {

bool hasPositions(const trace::Run& run) {
    const auto& model = *run.model;
    const auto isThere = [](const auto& table) { return table && !table->empty(); };
    return !model.rotation.empty() || model.encoderBias || model.decoderBias ||
           isThere(model.sourcePositions) || isThere(model.targetPositions) || !run.sourcePositions.empty();
}

bool hasScale(const trace::Run& run, const std::stop_token& stop) {
    const auto* record = run.record(analysis::bestAligningHead(run, stop).site);
    const auto& flags = run.model->architecture;
    return record && !analysis::lacksScores(*record) &&
           std::ranges::any_of(flags, [](const auto& flag) { return flag.first == "score_scale"; });
}

/// Of which a batch of one can be shown: the decoder was fed what it had chosen, and the file says which
/// tokens those are.
bool isFree(const trace::Run& run) {
    const auto& paths = run.request.paths;
    const auto isKnown = [](const trace::Token& token) { return token.id >= 0; };
    return run.model->sourceVocabulary > 0 && !run.source.empty() &&
           std::ranges::all_of(run.source, isKnown) && std::ranges::all_of(run.target, isKnown) &&
           (paths.empty() || std::holds_alternative<std::monostate>(paths.back().forced));
}

bool hasCandidates(const trace::Run& run) {
    return !run.classLogProbabilities.empty() || (!run.path.empty() && !run.row(0).candidates.empty());
}

bool hasSourceShare(const TraceAnalyses& analyses) {
    return std::ranges::any_of(analyses.maps, [](const auto& map) {
        return map->quantity == trace::MapQuantity::Contribution &&
               map->site.kind == trace::AttentionKind::Cross;
    });
}

} // namespace

std::vector<std::string> viewsOfTrace(const Trace& trace, const std::stop_token& stop) {
    const auto& run = *trace.run;
    const auto& analyses = trace.analyses;
    std::set<std::string> shown{"overview", "heatmap",    "lines",     "masks",        "architecture",
                                "compare",  "head-table", "head-page", "contact-sheet"};
    const auto add = [&](const char* view, bool isHeld) {
        if (isHeld)
            shown.insert(view);
    };
    const bool isScaled = hasScale(run, stop);
    add("scale", isScaled);
    add("arithmetic", isScaled && run.request.recording.projections);
    add("inputs", isFree(run));
    add("positions", hasPositions(run));
    add("logit-lens", analyses.lens != nullptr);
    add("attribution", analyses.lens && !analyses.lens->attributions.empty());
    add("importance", analyses.importance != nullptr);
    add("candidates", hasCandidates(run));
    add("source-share", hasSourceShare(analyses));
    add("branches", !run.path.empty());
    add("beam-tree", std::ranges::any_of(run.tree.nodes(), [](const auto& node) { return !!node.search; }));
    add("what-if", !run.path.empty() && trace::holdsUndisturbed(*run.model));
    add("random-twin", trace::recordedTwin(*run.model).has_value());
    add("reference", std::ranges::any_of(run.paths, [](const auto& path) { return !path.decodedOn; }));
    add("classifier", analyses.classifier != nullptr);
    std::vector<std::string> inOrder;
    for (const auto& view : pictureViews())
        if (shown.contains(view.name))
            inOrder.emplace_back(view.name);
    return inOrder;
}

} // namespace headscope::app
