#pragma once

#include <QCoreApplication>

#include "model/analysis/heads/head_ranking.h"
#include "model/trace/model_summary.h"
#include "widgets/tables/column_model.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// What the table of heads by importance is made of.
struct ImportanceRows {
    std::vector<analysis::HeadScore> scores; ///< ranked
    /// Of the random twin: nothing if there is no twin, empty if its scores are not known.
    std::optional<std::vector<analysis::HeadScore>> twin;
    std::size_t tokens = 1;                           ///< the scores are sums over so many
    bool areNumbers = false;                          ///< trace::HeadImportance::areNumbers
    std::optional<trace::AttentionKind> kind;         ///< listed; nothing: every kind
    std::shared_ptr<const trace::ModelSummary> model; ///< for tooltips; may be null

    /// What a full bar stands for.
    double limit() const;
};

/// The columns of that table: rank among all heads, address, signed bar, importance, importance in the
/// random twin, and divergence.
class ImportanceColumns {
    Q_DECLARE_TR_FUNCTIONS(ImportanceColumns)

  public:
    enum Column { Rank, Head, Bar, Importance, Twin, Divergence };

    static TableContent content(const ImportanceRows& rows);
};

} // namespace headscope::widgets
