#include "model/engine/best_candidates.h"

#include "model/decoding/best_ids.h"

namespace headscope::engine {

std::vector<trace::Candidate> bestCandidates(const OpenModel& model, std::span<const float> logProbabilities,
                                             std::size_t count) {
    std::vector<trace::Candidate> candidates;
    for (const auto id : decoding::bestIds(logProbabilities, count))
        candidates.push_back({.token = model.answerToken(id), .logProbability = logProbabilities[id]});
    return candidates;
}

} // namespace headscope::engine
