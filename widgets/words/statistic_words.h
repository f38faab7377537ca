#pragma once

#include <QString>
#include <QStringList>

#include "model/analysis/heads/head_roles.h"
#include "model/trace/run.h"

#include <functional>
#include <optional>

namespace headscope::widgets {

/// "Previous", as a column title.
QString statisticTitle(analysis::Statistic statistic);
/// A description for tooltips.
QString statisticTip(analysis::Statistic statistic);
constexpr int statisticDecimals = 2;
/// The value with a real minus sign; a dash if there is none.
QString statisticText(const std::optional<double>& value, int decimals = statisticDecimals);

/// "previous token", "sink </s>": the name in a list. `run` spells the tokens of sinks; null for a corpus.
QString listedRoleName(analysis::RoleKind kind, int offset, const trace::Run* run);
/// Name of the role without its number, with what it was judged by: "previous token (−1)".
QString heldRoleName(const analysis::HeadRole& role);
/// What the nearest head has and what its role needs, in the words of numbers alone.
struct HasAndNeeds {
    QString has;   ///< "53 %"
    QString needs; ///< "90 %"
    QString both;  ///< what was measured, both numbers, and the same for uniform attention
};
HasAndNeeds hasAndNeeds(const analysis::HeadRole& nearest);
/// All roles, the main one first; empty if there is none.
QString rolesText(const analysis::HeadStatistics& statistics);
/// "Previous token (−1): the largest weight, not counting the end token, is on this offset in 98 % of the
/// rows. Uniform attention: 0 %. Random twin: 12 %." `twin` may be null.
QString roleInWords(const analysis::HeadRole& role, const analysis::HeadStatistics* twin);
/// A role, or "broad", that heads can be searched by.
struct SearchedRole {
    QString name;
    QString needs; ///< the threshold, to follow "needs"
    /// How close a head comes to the role: it has the role from 1 on; empty if it cannot have it.
    std::function<std::optional<double>(const analysis::HeadStatistics&)> nearness;
    /// What a head that comes close has: "53 %".
    std::function<QString(const analysis::HeadStatistics&)> has;
};
/// The first role whose name contains all these words.
std::optional<SearchedRole> roleLike(const QStringList& words);
/// Explains the names of all roles.
QString rolesInGeneral();
/// "Broad: the entropy is 97 % of ..." for a head with nearly uniform attention, which is no role; else
/// empty.
QString breadthInWords(const analysis::HeadStatistics& statistics, const analysis::HeadStatistics* twin);

/// "on this sentence", "on these 8 sentences", or "on 250 sentences".
QString scopeText(const analysis::HeadStatistics& statistics);

} // namespace headscope::widgets
