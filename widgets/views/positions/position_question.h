#pragma once

#include <QString>

#include "model/analysis/positions/embedding_shares.h"
#include "model/analysis/positions/positional_shift.h"
#include "model/analysis/positions/positional_wavelengths.h"
#include "model/analysis/scores/score_shares.h"
#include "model/trace/run.h"
#include "model/trace/score_terms.h"
#include "widgets/errand.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// What a page of the positions shows that takes too long to compute while the window waits.
struct PositionQuestion {
    enum class About { Wavelengths, Shift, Words, Scores, Rotation };
    About about = About::Wavelengths;
    std::shared_ptr<const trace::Matrix> table; ///< [positions, d_model]; null for words and scores
    int offset = 0;                             ///< of the shift
    std::shared_ptr<const trace::Run> run;      ///< whose words, scores or queries and keys; complete
    trace::AttentionSite site;                  ///< of the scores
    friend bool operator==(const PositionQuestion&, const PositionQuestion&) = default;
};

/// Tokens of one side as they were fed, and how much of each is word and position.
struct TokenShares {
    std::vector<trace::Token> tokens;
    std::vector<analysis::EmbeddingShare> shares; ///< [tokens]; empty where no positions were added
    analysis::EmbeddingSums embedding;            ///< of which these are
};

/// Only what the question was about is filled.
struct PositionAnswer {
    PositionQuestion question;
    analysis::PositionalWavelengths wavelengths;
    analysis::PositionalShift shift;
    /// Of a table that is turned exactly also what a fit makes of it.
    std::optional<analysis::PositionalShift> fittedShift;
    TokenShares source;
    TokenShares target;
    std::shared_ptr<const trace::ScoreTerms> scores;
    std::vector<analysis::HeadScoreShares> headShares; ///< [heads] of the scores
    std::shared_ptr<const trace::Run> projected;       ///< with queries and keys
    QString whyNot;                                    ///< a refusal in words; empty where it was answered
};

/// Asked of a model, or measured; `take` is called with the answer, or with why there is none.
Errand answering(const PositionQuestion& question, const std::function<void(PositionAnswer)>& take);

} // namespace headscope::widgets
