#pragma once

#include <QCoreApplication>

#include "model/trace/decode_tree.h"
#include "widgets/tables/column_model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// The most probable next tokens of a step, the best first; the classes of a classifier; the most probable
/// tokens of each mask; or how probably each token was replaced.
struct CandidateRows {
    std::vector<trace::Candidate> candidates;
    std::optional<std::int64_t> chosen; ///< id of the token that was taken at this step
    double before = 0;                  ///< log-probability of the target so far
    double labelSmoothing = 0;          ///< that the model was trained with
    bool areClasses = false;
    bool areReplaced = false;           ///< probabilities that the tokens of the source were replaced
    std::vector<std::size_t> positions; ///< [candidates] their places in the source, if they have some

    int count() const { return candidates.size(); }
    bool areOfStep() const { return !areClasses && !areReplaced && positions.empty(); }
    /// The candidates are of one mask.
    bool areOnePosition() const;
    /// Log-probability of the target so far with the token of a row.
    double sum(std::size_t row) const;
    std::optional<int> chosenRow() const;
};

/// The columns of that table: rank, token, probability, log-probability of the target with the token, and a
/// bar. Of several masks, or replaced tokens, the position comes first.
class CandidateColumns {
    Q_DECLARE_TR_FUNCTIONS(CandidateColumns)

  public:
    enum Column { Rank, Token, Probability, Sum, Bar }; ///< of one step

    static TableContent content(const CandidateRows& rows);
    /// What "certain" means for a model that was trained with label smoothing; empty for 0.
    static QString certainty(double labelSmoothing);
};

} // namespace headscope::widgets
