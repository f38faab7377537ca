#pragma once

#include "model/analysis/heads/head_roles.h"
#include "model/analysis/heads/statistics_of_heads.h"
#include "model/analysis/translation/bootstrap.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::analysis {

/// Statistics of heads over many sentences: means over the rows of a sentence, then over the sentences to
/// which a statistic applies.
class CorpusStatistics {
  public:
    struct Sentence {
        std::string text;
        double value = 0; ///< value of the requested statistic
    };
    using Intervals = std::array<std::optional<MeanInterval>, statisticCount>;

    void add(const std::string& sentence, const std::vector<HeadStatistics>& heads);

    std::size_t sentences() const { return sentences_.size(); }
    /// Sorted by address.
    std::vector<HeadStatistics> heads() const;
    /// Returns bootstrap intervals over sentences for one head's statistics; empty for statistics that do not
    /// apply. Time is proportional to the number of sentences.
    Intervals intervals(const trace::HeadAddress& head) const;
    /// Returns the sentences with the largest magnitudes of a statistic in one head, at most `most`.
    std::vector<Sentence> driving(const trace::HeadAddress& head, Statistic statistic,
                                  std::size_t most = 5) const;

  private:
    struct Read {
        std::string text;
        std::vector<HeadStatistics> heads; ///< without what is for a single sentence
    };

    std::vector<std::shared_ptr<const Read>> sentences_; ///< shared by copies, which are made often
};

/// Returns the statistic that characterises a head: that of its first role, or confidence if it has no role.
Statistic drivingStatistic(const HeadStatistics& statistics);

} // namespace headscope::analysis
