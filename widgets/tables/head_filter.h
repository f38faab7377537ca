#pragma once

#include <QCoreApplication>
#include <QString>

#include "widgets/tables/head_search.h"
#include "widgets/words/statistic_words.h"

#include <optional>
#include <utility>
#include <vector>

namespace headscope::widgets {

class KnownHeads;

/// Filters the listed heads by a search: "cross 2" or "cross.2.5" is an address or its beginning; a condition
/// such as "entropy < 1" compares a number of the head with a limit; other words must occur in its address,
/// kind or roles. All must hold.
class HeadFilter {
    Q_DECLARE_TR_FUNCTIONS(HeadFilter)

  public:
    struct Listed {
        std::vector<int> places; ///< in KnownHeads::statistics(); the nearest first if `areNearest`
        /// No head has the searched role; `places` are the nearest heads.
        bool areNearest = false;
        /// Why no head matches, or the condition of a role that no head has; empty if a head matches.
        QString whyNone;
    };

    /// Nothing: all kinds.
    void setKind(std::optional<trace::AttentionKind> kind) { kind_ = kind; }
    void setWords(const QString& words);
    /// Lists only heads whose weight at the watched cell is at least this.
    void setLeastWeight(double weight) { leastWeight_ = weight; }

    const std::vector<HeadCondition>& conditions() const { return search_.conditions; }
    Listed listed(const KnownHeads& heads) const;

  private:
    struct Nearest {
        double nearness = 0; ///< 1: the head has the role
        int place = 0;
    };
    struct WantedRole {
        SearchedRole role;
        QStringList kinds; ///< words that name kinds of attention
    };
    std::optional<WantedRole> wantedRole() const;
    std::vector<Nearest> nearest(const KnownHeads& heads) const;
    bool isOffered(const KnownHeads& heads, int place) const;
    bool matchesWords(const KnownHeads& heads, int place) const;
    bool meetsConditions(const KnownHeads& heads, int place) const;
    QString whyNone(const KnownHeads& heads, const std::vector<Nearest>& nearest) const;
    QString whyNoWords(const KnownHeads& heads, const std::vector<Nearest>& nearest) const;

    std::optional<trace::AttentionKind> kind_;
    HeadSearch search_;
    QString words_; ///< of the search, without conditions
    double leastWeight_ = 0;
};

} // namespace headscope::widgets
