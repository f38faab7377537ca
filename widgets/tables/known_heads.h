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

/// Sorted by address; null if not known.
using KnownStatistics = std::shared_ptr<const analysis::StatisticsWhat::Value>;
/// Returns the statistics of the shown run's heads; `before` while they are not known.
KnownStatistics shownStatistics(const ViewContext& context, KnownStatistics before);
std::vector<trace::Wanted> statisticsQuestions(const DocumentState& document);
using KnownCorpus = std::shared_ptr<const analysis::CorpusHeadsWhat::Value>;
/// Like shownStatistics(), for the last corpus.
KnownCorpus shownCorpus(const ViewContext& context, KnownCorpus before);
std::vector<trace::Wanted> corpusQuestions(const DocumentState& document);
/// True if `corpus` includes the random twin of the document.
bool hasTwinRead(const DocumentState& document, const analysis::CorpusHeadsWhat::Value& corpus);
/// The statistic for bars and order of the head thumbnails; nothing: importance.
std::optional<analysis::Statistic> chosenStatistic(const DocumentState& document);
/// Statistics of the random twin; null if not known.
KnownStatistics twinStatistics(const ViewContext& context);
std::vector<trace::Wanted> twinStatisticsQuestions(const ViewContext& context);

/// Head importance for the token of the current step or for all tokens.
struct ShownScores {
    std::shared_ptr<const trace::Run> run;                   ///< the measured run
    std::shared_ptr<const trace::HeadImportance> importance; ///< complete; null: not measured
    ImportanceScope scope;
    bool isEarlier = false; ///< measured before the last change of the model

    bool areKnown() const { return importance != nullptr; }
    bool areNumbers() const { return importance && importance->areNumbers; }
    /// Empty if not known; likewise caption().
    std::vector<analysis::HeadScore> ranked() const;
    QString caption() const;
    friend bool operator==(const ShownScores&, const ShownScores&) = default;
};
ShownScores shownScores(const ViewContext& context, int step);
/// Returns one step or all steps, as chosen in the document. `importance` must be complete.
ImportanceScope importanceScope(const DocumentState& document, const trace::Run& run,
                                const trace::HeadImportance& importance, int step);
/// Returns "Measured before the model was changed...".
QString beforeTheChange();

/// Returns the missing data of a picture that shows head importance because of `choice`.
std::optional<View::Lacking> lackingImportance(const ViewContext& context, const char* choice);
/// Returns the missing data of a picture that shows head importance or the random twin.
std::optional<View::Lacking> lackingOfHeads(const ViewContext& context);

/// Known data per head: statistics, statistics of the random twin, importance, and the weight at one cell.
class KnownHeads {
  public:
    void setRun(std::shared_ptr<const trace::Run> run) { run_ = std::move(run); }
    void setStatistics(std::vector<analysis::HeadStatistics> heads);
    void setTwin(const std::vector<analysis::HeadStatistics>& heads);
    void setImportance(const std::vector<analysis::HeadScore>& scores);
    void setCell(std::optional<WatchedCell> cell) { cell_ = cell; }

    /// Null if none is shown.
    const std::shared_ptr<const trace::Run>& run() const { return run_; }
    /// Sorted by address.
    const std::vector<analysis::HeadStatistics>& statistics() const { return heads_; }
    int count() const { return heads_.size(); }
    trace::HeadAddress head(int place) const { return heads_.at(place).head; }
    /// Names of the roles of the head at an index of statistics(); cached, because computing them is too slow
    /// for repainting.
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
