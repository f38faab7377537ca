#pragma once

#include <QString>

#include "model/analysis/heads/head_ranking.h"
#include "model/analysis/heads/statistics_of_heads.h"
#include "model/trace/figure_data.h"

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// A number of every head that small maps are tinted and sorted by, in words that a person sees.
class HeadTint {
  public:
    struct Value {
        trace::HeadAddress head;
        double number = 0;
        QString words; ///< of a tooltip
    };

    HeadTint() = default;
    /// The heads in order, the highest number first. `range`: what the numbers can be; an end that is not
    /// there is where the largest number is.
    HeadTint(std::vector<Value> ranked, QString name, QString caption, analysis::StatisticRange range);

    bool isEmpty() const { return ranked_.empty(); }
    std::size_t size() const { return ranked_.size(); }
    /// Null where it is not known.
    const Value* of(const trace::HeadAddress& head) const;
    /// The place of a head in the order; size() where it is not known.
    std::size_t placeOf(const trace::HeadAddress& head) const;
    /// What the ends of a bar stand for: as far to the left as to the right of 0 where numbers have a sign.
    double lowest() const { return lowest_; }
    double highest() const { return highest_; }
    bool isSigned() const { return lowest_ < 0; }
    /// "importance", for sentences.
    const QString& name() const { return name_; }
    /// What the numbers are of.
    const QString& caption() const { return caption_; }
    /// What a frame of an animation says, where the caption does not name the step: " Entropy is ...".
    QString ofWholeInWords() const;
    void setOfWhole() { isOfWhole_ = true; }
    /// What stands at the ends of a bar.
    QString below() const;
    QString above() const;
    void setEnds(const QString& below, const QString& above);

  private:
    std::vector<Value> ranked_;
    std::map<trace::HeadAddress, std::size_t> places_;
    double lowest_ = 0;
    double highest_ = 0;
    QString name_;
    QString caption_;
    bool isOfWhole_ = false; ///< of all rows of the maps
    QString below_;
    QString above_;
};

/// `ranked` as analysis::rankByImportance leaves them; `caption` says what they are of.
HeadTint tintByImportance(const std::vector<analysis::HeadScore>& ranked, const QString& caption);
/// Without the heads that the statistic does not apply to.
HeadTint tintByStatistic(analysis::Statistic statistic, const std::vector<analysis::HeadStatistics>& heads);

/// The heads that have a number, with it.
trace::DataTable tintTable(const HeadTint& tint, const std::vector<trace::HeadAddress>& heads);

} // namespace headscope::widgets
