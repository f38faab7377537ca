#include "model/analysis/heads/break_condition.h"

#include "model/analysis/output/path_scores.h"
#include "model/trace/run_path.h"

#include <algorithm>
#include <cmath>

namespace headscope::analysis {

namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

} // namespace

std::optional<std::size_t> nextBreak(const trace::Run& run, const BreakCondition& condition,
                                     std::size_t from) {
    if (condition.empty() || run.path.empty())
        return std::nullopt;
    const auto scores = tokenScores(run.tree, run.path.back());
    std::vector<trace::Token> output;
    std::size_t seen = 0;
    for (std::size_t row = 0; row < std::min(scores.size(), run.target.size()); ++row) {
        const auto& score = scores[row];
        output.push_back(score.token);
        // If the next token extends a matched word, the match counts only once, at its first occurrence.
        const auto now = condition.text.empty() ? 0 : occurrences(trace::joinedText(output), condition.text);
        const bool completed = now > seen;
        seen = now;
        const bool spelt = !condition.text.empty() && score.token.piece == condition.text;
        const bool doubtful = condition.below && std::exp(score.logProbability) < *condition.below;
        if (row >= from && (completed || spelt || doubtful))
            return row;
    }
    return std::nullopt;
}

} // namespace headscope::analysis
