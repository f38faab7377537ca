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

/// Which heads are listed. "cross 2" or "cross.2.5" is an address or its beginning, "entropy < 1" compares a
/// number of a head with a limit, other words must all occur in the address, kind and roles of a head. All
/// must hold.
class HeadFilter {
    Q_DECLARE_TR_FUNCTIONS(HeadFilter)

  public:
    struct Listed {
        std::vector<int> places; ///< in KnownHeads::statistics(); the nearest first where `areNearest`
        /// No head has the searched role: these come nearest to it.
        bool areNearest = false;
        /// Why no head matches; empty if one does. For a role that no head has, its condition.
        QString whyNone;
    };

    /// Nothing: every kind.
    void setKind(std::optional<trace::AttentionKind> kind) { kind_ = kind; }
    void setWords(const QString& words);
    /// Lists only heads whose weight at the watched cell is at least this.
    void setLeastWeight(double weight) { leastWeight_ = weight; }

    const std::vector<HeadCondition>& conditions() const { return search_.conditions; }
    Listed listed(const KnownHeads& heads) const;

  private:
    struct Nearest {
        double nearness = 0; ///< the share of what the role needs
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
    QString words_; ///< of it, without conditions
    double leastWeight_ = 0;
};

} // namespace headscope::widgets
