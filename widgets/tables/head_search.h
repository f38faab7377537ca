#pragma once

#include <QString>
#include <QStringList>

#include "model/analysis/heads/statistic.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// A condition such as "entropy < 1".
struct HeadCondition {
    enum class Relation { Below, AtMost, About, AtLeast, Above };

    std::optional<analysis::Statistic> statistic; ///< nothing: the head's importance
    Relation relation = Relation::Below;
    double limit = 0;
    friend bool operator==(const HeadCondition&, const HeadCondition&) = default;

    /// False if there is no number. About: true if the number as listed rounds to the limit.
    bool holdsFor(std::optional<double> number) const;
    /// Returns the decimals, at least `fewest`, that a number needs to be visibly on one side of the limit:
    /// 0.998 below 1 is not 1.00. About: `fewest`.
    int decimalsFor(double number, int fewest) const;
};

/// A search for heads: conditions, and words of an address or a role.
struct HeadSearch {
    std::vector<HeadCondition> conditions;
    QStringList conditionTexts; ///< as they were typed: "entropy < 1"
    QStringList words;          ///< the others, in order and in lower case
    QString mistake;            ///< error in a condition; empty if there is none
};

/// Parses a search. Names of statistics are the titles of their columns, the names in results, the short
/// names of the command line's table, or a unique beginning of one of these. Limits can be percentages.
HeadSearch headSearch(const QString& typed);

/// Returns a tooltip for search fields.
QString searchTip();

/// True for the name of a number that conditions can use.
bool isStatisticName(const QString& word);

} // namespace headscope::widgets
