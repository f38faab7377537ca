#pragma once

#include "model/analysis/heads/statistics_of_heads.h"

#include <optional>
#include <vector>

namespace headscope::analysis {

/// Roles of heads. Except for Positional, the thresholds are conventions of this program.
enum class RoleKind {
    Positional, ///< largest weight at one fixed offset in at least 90 % of rows (Voita et al. 2019,
                ///< section 5.1)
    Aligning,   ///< cross-attention: monotony of at least 0.8 and confidence of at least 0.5; judged by the
                ///< map alone, without gold alignments
    Reversed, ///< as Aligning, but in reverse order: monotony of at most -0.8 and confidence of at least 0.5.
              ///< Statistic::Monotony is Spearman's rank correlation of a row with the mean position of the
              ///< text that it attends to
    End,      ///< at least half of the weight on end tokens
    Start,    ///< the same for start tokens
    Punctuation,    ///< the same for punctuation
    Sink,           ///< the same for a single key of the sentence, of any token: HeadRole::sinkToken
    SameToken,      ///< encoders: the same for other occurrences of the query's token
    Induction,      ///< decoders: the same for the tokens that followed earlier occurrences of the token
    DuplicateToken, ///< decoders: the same for earlier occurrences of the token
};

/// One role with the numbers behind it.
struct HeadRole {
    RoleKind kind = RoleKind::Positional;
    int offset = 0; ///< for Positional
    /// The share that justifies the role, 0 to 1; for Aligning and Reversed the monotony, -1 to 1.
    double number = 0;
    std::optional<double> confidence;      ///< for Aligning and Reversed
    std::optional<double> uniform;         ///< the same number for uniform attention; empty if it has none
    SinkToken sinkToken = SinkToken::Text; ///< for Sink: the most frequent kind over the sentences
    std::size_t rows = 0;                  ///< for Induction: rows that `number` is a mean of
    friend bool operator==(const HeadRole&, const HeadRole&) = default;
};

/// Whether there is enough data for a statement about the head in general: 200 sentences and 1,000 rows.
bool speaksOfCorpus(const HeadStatistics& statistics);

/// Returns the roles of a head in the order of RoleKind, the main one first. In a text that is repeated as a
/// whole, what follows the earlier token is at a fixed offset, too: of a head of copies, an offset without a
/// name comes last. A role that uniform attention over the same allowed
/// keys would have as well is not reported: short causal rows favour the start token by themselves.
std::vector<HeadRole> rolesOf(const HeadStatistics& statistics);

/// Whether the normalised entropy is at least broadEntropy. Not a role: random networks are broad, too.
bool isBroad(const HeadStatistics& statistics);

/// Returns HeadRole::number for other statistics, such as those of the random twin. Empty if they lack it.
std::optional<double> numberBehind(const HeadRole& role, const HeadStatistics& statistics);

/// Thresholds of a role: minimum values; for Reversed, `number` is negative and a maximum.
struct RoleNeeds {
    double number = 0.5;
    std::optional<double> confidence = {};
    friend bool operator==(const RoleNeeds&, const RoleNeeds&) = default;
};
RoleNeeds needsOf(RoleKind kind);

/// Returns how near a head comes to a role; at 1 or more the head has the role. Empty if the role does not
/// apply to such a head, or if uniform attention would have it as well.
std::optional<double> nearness(const HeadRole& role, const HeadStatistics& statistics);

/// A role and the heads that have it, or the head that comes nearest.
struct RoleAmongHeads {
    /// A head that comes near, with its numbers in place of those of HeadRole.
    struct Nearest {
        trace::HeadAddress head;
        HeadRole role;       ///< HeadRole::number and the others of this head
        double nearness = 0; ///< from 0 to below 1
        friend bool operator==(const Nearest&, const Nearest&) = default;
    };
    RoleKind kind = RoleKind::Positional;
    int offset = 0;                        ///< for Positional
    std::vector<trace::HeadAddress> heads; ///< by address
    std::optional<Nearest> nearest;        ///< empty if a head has the role
    RoleNeeds needs;
    friend bool operator==(const RoleAmongHeads&, const RoleAmongHeads&) = default;
};

/// Returns the roles that heads have or could have, with who has each or comes nearest (of equally near ones,
/// the first by address): previous, next and own token, other offsets that a head has, then by RoleKind. A
/// role that no head can have is left out, as is one of which all heads do the opposite.
std::vector<RoleAmongHeads> rolesAmong(const std::vector<HeadStatistics>& heads);

/// Threshold of isBroad().
inline constexpr double broadEntropy = 0.9;

/// Returns the statistic that is large in sentences that show this role.
Statistic drivingStatistic(const HeadRole& role);

} // namespace headscope::analysis
