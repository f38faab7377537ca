#pragma once

#include <QString>

#include "model/analysis/heads/corpus_reading.h"
#include "model/analysis/heads/head_ranking.h"
#include "model/analysis/heads/head_roles.h"
#include "model/analysis/heads/statistics_of_heads.h"
#include "model/trace/run.h"
#include "widgets/view.h"
#include "widgets/words/importance_words.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// A cell of the maps of one kind of attention.
struct WatchedCell {
    trace::AttentionKind kind = trace::AttentionKind::Cross;
    trace::TokenIndex query;
    trace::TokenIndex key;
    friend bool operator==(const WatchedCell&, const WatchedCell&) = default;
};

/// By address; null as long as nothing is known.
using KnownStatistics = std::shared_ptr<const analysis::StatisticsWhat::Value>;
/// Statistics of the shown run's heads; as long as they are not known, what was shown `before`.
KnownStatistics shownStatistics(const ViewContext& context, KnownStatistics before);
std::vector<trace::Wanted> statisticsQuestions(const DocumentState& document);
using KnownCorpus = std::shared_ptr<const analysis::CorpusHeadsWhat::Value>;
/// Of the sentences that were read last, in the same way.
KnownCorpus shownCorpus(const ViewContext& context, KnownCorpus before);
std::vector<trace::Wanted> corpusQuestions(const DocumentState& document);
/// The twin of the document has read these sentences, too.
bool hasTwinRead(const DocumentState& document, const analysis::CorpusHeadsWhat::Value& corpus);
/// That bars and order of the head thumbnails are by; empty: importance.
std::optional<analysis::Statistic> chosenStatistic(const DocumentState& document);
/// The same of its random twin.
KnownStatistics twinStatistics(const ViewContext& context);
std::vector<trace::Wanted> twinStatisticsQuestions(const ViewContext& context);

/// How the heads are ranked by what the output loses without each: the token of the current step, or all.
struct ShownScores {
    std::shared_ptr<const trace::Run> run;                   ///< that it was measured of
    std::shared_ptr<const trace::HeadImportance> importance; ///< complete; null: not measured
    ImportanceScope scope;
    bool isEarlier = false; ///< the model was changed since

    bool areKnown() const { return importance != nullptr; }
    /// Empty unless they are known, as is the caption.
    std::vector<analysis::HeadScore> ranked() const;
    QString caption() const;
    friend bool operator==(const ShownScores&, const ShownScores&) = default;
};
ShownScores shownScores(const ViewContext& context, int step);
/// Of these, one step or all of the output; `importance` must be complete.
ImportanceScope importanceScope(const DocumentState& document, const trace::Run& run,
                                const trace::HeadImportance& importance, int step);
/// "Measured before the model was changed..."
QString beforeTheChange();

/// Of a picture that is to show the importance of heads, as `choice` says.
std::optional<View::Lacking> lackingImportance(const ViewContext& context, const char* choice);
/// Of a picture of heads that is to show their importance, or the twin.
std::optional<View::Lacking> lackingOfHeads(const ViewContext& context);

/// All that is known of every head: statistics, those of the random twin, importance, and the weight at one
/// cell.
class KnownHeads {
  public:
    void setRun(std::shared_ptr<const trace::Run> run) { run_ = std::move(run); }
    void setStatistics(std::vector<analysis::HeadStatistics> heads);
    void setTwin(const std::vector<analysis::HeadStatistics>& heads);
    void setImportance(const std::vector<analysis::HeadScore>& scores);
    void setCell(std::optional<WatchedCell> cell) { cell_ = cell; }

    /// Null if none is shown.
    const std::shared_ptr<const trace::Run>& run() const { return run_; }
    /// By address.
    const std::vector<analysis::HeadStatistics>& statistics() const { return heads_; }
    int count() const { return heads_.size(); }
    trace::HeadAddress head(int place) const { return heads_.at(place).head; }
    /// The roles of the head at a place of statistics(), in words; computed once, since that takes longer
    /// than a repaint may.
    const QString& roles(int place) const { return roles_.at(place); }
    const std::optional<WatchedCell>& cell() const { return cell_; }

    /// Null if the head is not known.
    const analysis::HeadStatistics* of(const trace::HeadAddress& head) const;
    const analysis::HeadStatistics* twinOf(const trace::HeadAddress& head) const;
    std::optional<double> importanceOf(const trace::HeadAddress& head) const;
    /// Weight of a head at the watched cell; nothing if the head has no such cell, or it is masked.
    std::optional<double> weightAtCell(const trace::HeadAddress& head) const;

  private:
    std::shared_ptr<const trace::Run> run_;
    std::vector<analysis::HeadStatistics> heads_;
    std::vector<QString> roles_;
    std::map<trace::HeadAddress, analysis::HeadStatistics> twin_;
    std::map<trace::HeadAddress, double> importance_;
    std::optional<WatchedCell> cell_;
};

} // namespace headscope::widgets
