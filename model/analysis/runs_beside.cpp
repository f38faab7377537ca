#include "model/analysis/runs_beside.h"

#include "model/analysis/compare/run_comparison.h"
#include "model/trace/run_path.h"

#include <algorithm>
#include <utility>

namespace headscope::analysis {

namespace {

/// Returns a path with the same rows and the same chosen tokens.
trace::DecodePath readingOf(const trace::Run& run, const std::vector<trace::DecodeTree::NodeId>& said) {
    trace::TargetIds ids;
    for (const auto node : said)
        ids.ids.push_back(run.tree.node(node).token.id);
    // In a reference no token was chosen. Otherwise the last token was chosen; it was fed if padding follows.
    const bool isReference = trace::readsReference(run);
    return {.forced = std::move(ids), .newTokens = isReference ? 0 : 1, .ends = !isReference};
}

/// For compared runs only maps and output are needed.
trace::Recording ofRunBeside(const trace::Recording& shown) {
    return {.logProbabilities = shown.logProbabilities, .longestMap = shown.longestMap};
}

} // namespace

std::vector<std::int64_t> decodedIds(const trace::Run& run) {
    std::vector<std::int64_t> ids;
    if (!run.path.empty())
        for (const auto node : trace::pathWithoutPadding(run))
            ids.push_back(run.tree.node(node).token.id);
    return ids;
}

namespace {

/// Returns the shown path as a path of its own.
trace::DecodePath pathAsItIs(const trace::Run& run) {
    // The tokens were chosen, the last one perhaps not fed. If it was fed, one more token is chosen after it,
    // as in the original tree.
    const bool isFed = run.tree.node(run.path.back()).row != nullptr;
    return {
        .forced = trace::TargetIds{decodedIds(run)}, .newTokens = 1, .mayContinue = isFed, .ends = !isFed};
}

} // namespace

trace::Request shownRequest(const trace::Run& run) {
    trace::Request request = run.request;
    if (const auto shown = trace::shownPath(run)) {
        const auto path = request.paths.begin() + static_cast<std::ptrdiff_t>(*shown);
        std::rotate(path, path + 1, request.paths.end());
    } else if (!run.path.empty()) {
        request.paths.push_back(pathAsItIs(run));
    }
    return request;
}

trace::Request originalRequest(trace::Request request) {
    request.interventions.clear();
    request.paths = {request.paths.back()};
    request.recording = ofRunBeside(request.recording);
    request.recording.logProbabilities = true;
    return request;
}

trace::Request forcedRequest(trace::Request changed, const trace::Run& original) {
    trace::TargetIds fed;
    const std::size_t rows = outputTokens(original).size();
    for (std::size_t t = 0; t < rows; ++t)
        fed.ids.push_back(original.target[t].id);
    if (!original.path.empty())
        changed.paths = {{.forced = std::move(fed), .newTokens = 0}};
    changed.recording = ofRunBeside(changed.recording);
    changed.recording.logProbabilities = true;
    return changed;
}

trace::Request twinRequest(trace::Request shown, const trace::Run& run, std::uint64_t seed) {
    shown.randomTwin = seed;
    shown.recording = ofRunBeside(shown.recording);
    if (run.path.empty())
        return shown;
    const auto said = trace::pathWithoutPadding(run);
    const auto start = run.tree.node(said.front()).token.id;
    const int longest = std::max<int>(1, 2 * (std::ssize(said) - 1));
    shown.paths = {{.forced = trace::TargetIds{{start}}, .newTokens = longest}, readingOf(run, said)};
    return shown;
}

trace::Request readingRequest(trace::Request shown, const trace::Run& run) {
    shown.paths = {run.path.empty() ? shown.paths.back() : readingOf(run, trace::pathWithoutPadding(run))};
    return shown;
}

trace::Request fedRequest(const trace::Request& shown, const trace::Run& run) {
    auto request = readingRequest(shown, run);
    trace::DecodePath& path = request.paths.back();
    const std::size_t fed = run.target.size() - run.request.padding.target;
    if (auto* forced = std::get_if<trace::TargetIds>(&path.forced); forced && forced->ids.size() > fed) {
        forced->ids.resize(fed);
        path.newTokens = 0;
        path.ends = false;
    }
    return request;
}

trace::Request twinReadingRequest(trace::Request shown, const trace::Run& run, std::uint64_t seed) {
    shown.randomTwin = seed;
    shown.recording = ofRunBeside(shown.recording);
    return readingRequest(std::move(shown), run);
}

} // namespace headscope::analysis
