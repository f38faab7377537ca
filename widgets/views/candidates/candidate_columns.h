#pragma once

#include <QCoreApplication>

#include "model/trace/decode_tree.h"
#include "widgets/tables/column_model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// The most probable next tokens of a step, the best first, or the classes of a classifier.
struct CandidateRows {
    std::vector<trace::Candidate> candidates;
    std::optional<std::int64_t> chosen; ///< id of the token that was taken at this step
    double before = 0;                  ///< log-probability of the target so far
    double labelSmoothing = 0;          ///< that the model was trained with
    bool areClasses = false;

    int count() const { return static_cast<int>(candidates.size()); }
    /// Log-probability of the target so far with the token of a row.
    double sum(std::size_t row) const;
    std::optional<int> chosenRow() const;
};

/// The columns of that table: rank, token, probability, log-probability of the target with the token, and a
/// bar.
class CandidateColumns {
    Q_DECLARE_TR_FUNCTIONS(CandidateColumns)

  public:
    enum Column { Rank, Token, Probability, Sum, Bar };

    static TableContent content(const CandidateRows& rows);
    /// What "certain" means for a model that was trained with label smoothing; empty for 0.
    static QString certainty(double labelSmoothing);
};

} // namespace headscope::widgets
