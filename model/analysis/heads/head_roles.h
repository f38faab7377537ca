#pragma once

#include "model/analysis/heads/statistics_of_heads.h"

#include <optional>
#include <vector>

namespace headscope::analysis {

/// What a head can be said to be. Thresholds of 0.5 and 0.9 are conventions, apart from the first's.
enum class RoleKind {
    Positional, ///< largest weight at one fixed offset in at least 90 % of rows (Voita et al. 2019,
                ///< section 5.1)
    Aligning,   ///< cross-attention: monotony of at least 0.8 and confidence of at least 0.5; by its shape
                ///< alone, without gold alignments
    Reversed, ///< the same against the order: Statistic::Monotony, which is Spearman's rank correlation of a
              ///< row with the mean position among text that it attends to, of at most -0.8, and
              ///< Statistic::Confidence of at least 0.5
    End,      ///< at least half of the weight on end tokens
    Start,    ///< on start tokens
    Punctuation, ///< on punctuation
    Sink,        ///< on one key of the sentence, whatever its token is: HeadRole::sinkToken
    SameToken,   ///< on the same token elsewhere
};

/// One role with the numbers behind it.
struct HeadRole {
    RoleKind kind = RoleKind::Positional;
    int offset = 0; ///< of Positional
    /// What the role is given for, 0 to 1; of Aligning and Reversed the monotony, -1 to 1.
    double number = 0;
    std::optional<double> confidence; ///< of Aligning and Reversed
    std::optional<double> uniform; ///< the same number for evenly spread attention; nothing where it has none
    SinkToken sinkToken = SinkToken::Text; ///< of Sink, in most sentences
};

/// Enough for a statement about more than the sentences it was seen on.
bool speaksOfCorpus(const HeadStatistics& statistics);

/// In the order of RoleKind; empty where a head has no role. What evenly spread attention over the same open
/// keys would be as well is no role: short causal rows favour the start token by themselves.
std::vector<HeadRole> rolesOf(const HeadStatistics& statistics);

/// Normalised entropy of at least broadEntropy. A property and no role: networks of random weights are so,
/// too.
bool isBroad(const HeadStatistics& statistics);

/// The number behind a role in other statistics, such as those of the random twin. Nothing where it has none.
std::optional<double> numberBehind(const HeadRole& role, const HeadStatistics& statistics);

/// What a head needs for a role at least; of Reversed, whose number is below 0, at most.
struct RoleNeeds {
    double number = 0.5;
    std::optional<double> confidence = {};
};
RoleNeeds needsOf(RoleKind kind);

/// How near a head comes to a role: from 1 on it has it. Nothing where it cannot have it, also because evenly
/// spread attention would have it as well.
std::optional<double> nearness(const HeadRole& role, const HeadStatistics& statistics);

/// Normalised entropy from which a head is broad.
inline constexpr double broadEntropy = 0.9;

/// What a sentence must have much of to drive a head of this role.
Statistic drivingStatistic(const HeadRole& role);

} // namespace headscope::analysis
