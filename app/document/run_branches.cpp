#include "app/document/run_branches.h"

#include "model/trace/run_path.h"

#include <algorithm>

namespace headscope::app {

std::vector<widgets::Branch> branchesOf(const trace::Run& run, const QStringList& names) {
    std::vector<widgets::Branch> branches;
    const auto shown = trace::shownPath(run);
    // The model chose no token of a prompt; its first one has no score.
    const auto prompt =
        run.model && run.model->isDecoderAlone() && !run.source.empty() ? run.source.size() - 1 : 0;
    for (std::size_t i = 0; i < run.paths.size(); ++i) {
        const auto& path = run.paths[i]; // a reference also scores its end token, which is not fed
        const auto scores = path.decodedOn ? analysis::tokenScores(run.tree, path.leaf)
                                           : analysis::referenceScores(run, path);
        std::vector<trace::Token> tokens;
        for (const auto& score : scores)
            tokens.push_back(score.token);
        const auto given = std::min(prompt, scores.size());
        const double before = given > 0 ? scores[given - 1].sum : 0;
        branches.push_back(
            {.name = names.value(static_cast<qsizetype>(i)),
             .text = QString::fromStdString(path.output.empty() ? trace::joinedText(tokens) : path.output),
             .logProbability = scores.empty() ? 0 : scores.back().sum - before,
             .tokens = scores.size() - given,
             .shown = shown == i});
    }
    return branches;
}

std::optional<std::size_t> referencePath(const trace::Run& run) {
    for (std::size_t i = run.paths.size(); i-- > 0;)
        if (!run.paths[i].decodedOn)
            return i;
    return std::nullopt;
}

std::vector<analysis::TokenScore> scoresOfReference(const trace::Run& run) {
    const auto path = referencePath(run);
    return path ? analysis::referenceScores(run, run.paths[*path]) : std::vector<analysis::TokenScore>();
}

} // namespace headscope::app
