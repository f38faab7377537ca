#pragma once

#include <QString>
#include <QStringList>

#include "model/analysis/heads/head_roles.h"
#include "model/trace/run.h"

#include <functional>
#include <optional>

namespace headscope::widgets {

/// "Previous", for the head of a column.
QString statisticTitle(analysis::Statistic statistic);
/// What it is, as a sentence.
QString statisticTip(analysis::Statistic statistic);
constexpr int statisticDecimals = 2;
/// Two decimals, or as many, with a real minus sign; a dash for nothing.
QString statisticText(const std::optional<double>& value, int decimals = statisticDecimals);

/// "previous token (−1), 98 %, on this sentence": the name of a role, its number, and what it is a statement
/// about.
QString roleText(const analysis::HeadRole& role, const analysis::HeadStatistics& statistics);
/// The same without the number.
QString heldRoleName(const analysis::HeadRole& role);
/// All of them, the first one first; empty where there is none.
QString rolesText(const analysis::HeadStatistics& statistics);
/// "Previous token (−1): the largest weight lies there in 98 % of rows. Evenly spread attention: 0 %. Random
/// twin: 12 %." `twin` may be null.
QString roleInWords(const analysis::HeadRole& role, const analysis::HeadStatistics* twin);
/// A role, or broad, as heads are searched by it.
struct SearchedRole {
    QString name;
    QString needs; ///< the threshold, after "needs"
    /// How near a head comes to it: from 1 on it has it; nothing where it cannot.
    std::function<std::optional<double>(const analysis::HeadStatistics&)> nearness;
};
/// The first, of those there can be, whose name has all these words.
std::optional<SearchedRole> roleLike(const QStringList& words);
/// What the names of roles stand for.
QString rolesInGeneral();
/// "Broad: the entropy is 97 % of ..." of a head that looks nearly everywhere, which is no role; else empty.
QString breadthInWords(const analysis::HeadStatistics& statistics, const analysis::HeadStatistics* twin);

/// "on this sentence", "on these 8 sentences", or "on 250 sentences".
QString scopeText(const analysis::HeadStatistics& statistics);

} // namespace headscope::widgets
