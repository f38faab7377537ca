#include "model/engine/score_terms.h"

#include "model/engine/whole_path.h"
#include "model/trace/refusal.h"

namespace headscope::engine {

std::shared_ptr<const trace::ScoreTerms> scoreTerms(const OpenModel& model, const EncodedSource&,
                                                    const network::Interventions&, const trace::Run&,
                                                    trace::AttentionKind kind, std::stop_token) {
    refuseMissingSite(*model.summary, {kind, 0});
    throw trace::Refusal({.what = "The scores of this model cannot be taken apart",
                          .where = model.summary->path,
                          .wayOut = "look at the word and position shares instead"});
}

} // namespace headscope::engine
