#pragma once

#include "model/analysis/positions/embedding_shares.h"
#include "model/analysis/positions/positional_shift.h"
#include "model/analysis/positions/positional_wavelengths.h"
#include "model/analysis/scores/score_shares.h"
#include "model/trace/known_answers.h"
#include "model/trace/run.h"
#include "model/trace/score_terms.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// A computation for a page of the positions view that is too slow for the GUI thread.
struct PositionQuestion {
    enum class About { Wavelengths, Shift, Words, Scores, Rotation };
    About about = About::Wavelengths;
    std::shared_ptr<const trace::Matrix> table; ///< [positions, d_model]; null for words and scores
    int offset = 0;                             ///< for the shift
    std::shared_ptr<const trace::Run> run;      ///< complete; for words, scores, or queries and keys
    trace::AttentionSite site;                  ///< for the scores
    friend bool operator==(const PositionQuestion&, const PositionQuestion&) = default;
};

/// The tokens of one side as they were fed, and the shares of word and position in each.
struct TokenShares {
    std::vector<trace::Token> tokens;
    std::vector<analysis::EmbeddingShare> shares; ///< [tokens]; empty if no positions were added
    analysis::EmbeddingSums embedding;            ///< the vectors of the shares
};

/// Only the members that the question is about are set.
struct PositionAnswer {
    PositionQuestion question;
    analysis::PositionalWavelengths wavelengths;
    analysis::PositionalShift shift;
    /// A fit, for comparison with an exact rotation.
    std::optional<analysis::PositionalShift> fittedShift;
    TokenShares source;
    TokenShares target;
    std::shared_ptr<const trace::ScoreTerms> scores;
    std::vector<analysis::HeadScoreShares> headShares; ///< [heads], for scores
    std::shared_ptr<const trace::Run> projected;       ///< the run with queries and keys
};

/// A question about a table.
struct MeasuredTable {
    using Value = PositionAnswer;
    PositionQuestion question;

    PositionAnswer count(const trace::Task& work) const;
    friend bool operator==(const MeasuredTable&, const MeasuredTable&) = default;
};

/// A question about a run, which is read again for what it does not store.
struct ReadAgain {
    using Value = PositionAnswer;
    PositionQuestion question;

    PositionAnswer ask(trace::Answers& model, const trace::Task& work) const;
    friend bool operator==(const ReadAgain&, const ReadAgain&) = default;
};

trace::Wanted wanted(const PositionQuestion& question);
/// Null if it is not known.
std::shared_ptr<const PositionAnswer> answerOf(const trace::KnownAnswers& known,
                                               const PositionQuestion& question);

} // namespace headscope::widgets
