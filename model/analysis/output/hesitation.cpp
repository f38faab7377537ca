#include "model/analysis/output/hesitation.h"

#include "model/analysis/output/path_scores.h"

#include <algorithm>
#include <cmath>

namespace headscope::analysis {

std::vector<Hesitation> hesitations(const trace::Run& run) {
    std::vector<Hesitation> all(run.next.size());
    if (run.path.empty())
        return all;
    const auto scores = tokenScores(run.tree, run.path.back());
    for (std::size_t t = 0; t < all.size(); ++t) {
        const auto id = run.next[t].id;
        const auto& node = run.tree.node(run.path.at(t));
        static const std::vector<trace::Candidate> none;
        const auto& candidates = node.row ? node.row->candidates : none;
        const auto isShown = [id](const trace::Candidate& candidate) { return candidate.token.id == id; };
        if (t < scores.size() && scores[t].token.id == id) // the token need not be among the candidates
            all[t].probability = std::exp(scores[t].logProbability);
        else if (const auto shown = std::ranges::find_if(candidates, isShown); shown != candidates.end())
            all[t].probability = std::exp(static_cast<double>(shown->logProbability));
        const auto other = std::ranges::find_if_not(candidates, isShown);
        if (other != candidates.end())
            all[t].other = *other;
    }
    return all;
}

} // namespace headscope::analysis
