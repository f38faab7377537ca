#include "model/analysis/output/hesitation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope::analysis {

namespace {

/// `logProbabilities` are natural.
double entropyInBits(const std::vector<float>& logProbabilities) {
    double sum = 0;
    for (const double value : logProbabilities)
        if (std::isfinite(value)) // a token with probability 0 contributes nothing
            sum -= std::exp(value) * value;
    return sum / std::numbers::ln2;
}

/// Tokens of a recording may lack ids.
bool isChosenToken(const trace::Token& one, const trace::Token& other) {
    return one.id >= 0 && other.id >= 0 ? one.id == other.id
                                        : one.piece == other.piece && one.role == other.role;
}

} // namespace

Hesitation hesitationAbout(const trace::Token& token, const trace::Run& run, std::size_t t) {
    Hesitation about{.chosen = token, .isForced = t < run.forcedRows};
    if (t + 1 < run.path.size()) // the token need not be among the candidates
        if (const auto& node = run.tree.node(run.path[t + 1]);
            node.token.id == token.id && !std::isnan(node.logProbability))
            about.probability = std::exp(node.logProbability);
    const auto* row = t < run.path.size() ? run.tree.node(run.path[t]).row.get() : nullptr;
    if (!row)
        return about;
    for (const auto& candidate : row->candidates)
        if (!isChosenToken(candidate.token, token))
            about.second = about.second.value_or(candidate);
        else if (!about.probability)
            about.probability = std::exp(static_cast<double>(candidate.logProbability));
    if (about.probability && about.second)
        about.margin = *about.probability - std::exp(about.second->logProbability);
    if (!row->logProbabilities.empty())
        about.entropy = entropyInBits(row->logProbabilities);
    return about;
}

std::vector<Hesitation> hesitations(const trace::Run& run) {
    std::vector<Hesitation> all;
    for (std::size_t t = 0; t + 1 < run.path.size(); ++t) {
        const auto& token = run.tree.node(run.path[t + 1]).token;
        if (token.role == trace::TokenRole::Padding)
            break;
        all.push_back(hesitationAbout(token, run, t));
    }
    return all;
}

} // namespace headscope::analysis
