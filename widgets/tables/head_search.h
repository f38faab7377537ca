#pragma once

#include <QString>
#include <QStringList>

#include "model/analysis/heads/statistic.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// "entropy < 1": of which heads a number is small or large enough.
struct HeadCondition {
    enum class Relation { Below, AtMost, About, AtLeast, Above };

    std::optional<analysis::Statistic> statistic; ///< nothing: the head's importance
    Relation relation = Relation::Below;
    double limit = 0;
    friend bool operator==(const HeadCondition&, const HeadCondition&) = default;

    /// Where there is no number it does not hold. About: what rounds to the limit where heads are listed.
    bool holdsFor(std::optional<double> number) const;
    /// How many decimals, `fewest` at least, a number needs to be written on its own side of the limit: 0.998
    /// below 1 is not 1.00. About: the fewest, as it is rounded.
    int decimalsFor(double number, int fewest) const;
};

/// What a person types to find heads: conditions, and words of an address or a role.
struct HeadSearch {
    std::vector<HeadCondition> conditions;
    QStringList conditionTexts; ///< as they were typed: "entropy < 1"
    QStringList words;          ///< the others, in order and in lower case
    QString mistake;            ///< error in a condition; empty if there is none
};

/// Statistics are called by the titles of their columns, by their names in results or by the short ones of
/// the command line's table, or by the beginning of one where no other begins like it. Limits may be percent.
HeadSearch headSearch(const QString& typed);

/// What can be typed, for tooltips of search fields.
QString searchTip();

/// True for the name of a number that a condition can be about.
bool isStatisticName(const QString& word);

} // namespace headscope::widgets
