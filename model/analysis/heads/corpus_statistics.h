#pragma once

#include "model/analysis/heads/head_roles.h"
#include "model/analysis/heads/statistics_of_heads.h"
#include "model/analysis/translation/bootstrap.h"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headscope::analysis {

/// What heads do over many sentences: means over a sentence's rows, then over the sentences that a statistic
/// applies to.
class CorpusStatistics {
  public:
    struct Sentence {
        std::string text;
        double value = 0; ///< of the statistic that was asked for
    };
    using Intervals = std::array<std::optional<MeanInterval>, statisticCount>;

    void add(const std::string& sentence, const std::vector<HeadStatistics>& heads);

    std::size_t sentences() const { return texts_.size(); }
    /// By address.
    std::vector<HeadStatistics> heads() const;
    /// Bootstrap intervals over sentences of one head's statistics; nothing where a statistic does not apply.
    /// Takes time in proportion to the sentences.
    Intervals intervals(const trace::HeadAddress& head) const;
    /// The sentences that have most of a statistic in one head, at most `most`, the furthest from 0
    /// first.
    std::vector<Sentence> driving(const trace::HeadAddress& head, Statistic statistic,
                                  std::size_t most = 5) const;

  private:
    struct Head {
        HeadStatistics sum;                  ///< values and uniform are not summed here
        std::vector<StatisticValues> values; ///< one a sentence
        std::vector<StatisticValues> uniform;
        std::vector<std::size_t> sentences; ///< to which they belong, as places in texts_
    };

    std::vector<std::string> texts_;
    std::map<trace::HeadAddress, Head> heads_;
};

/// What drives a head of these statistics: that of its first role, or confidence where it has none.
Statistic drivingStatistic(const HeadStatistics& statistics);

} // namespace headscope::analysis
