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

/// A number per head by which small maps are tinted and sorted, with its texts.
class HeadTint {
  public:
    struct Value {
        trace::HeadAddress head;
        double number = 0;
        QString words; ///< for tooltips
    };

    HeadTint() = default;
    /// `ranked` has the highest number first. A missing end of `range`, the possible values, is replaced by
    /// the largest number.
    HeadTint(std::vector<Value> ranked, QString name, QString caption, analysis::StatisticRange range);

    bool isEmpty() const { return ranked_.empty(); }
    std::size_t size() const { return ranked_.size(); }
    /// Null if not known.
    const Value* of(const trace::HeadAddress& head) const;
    /// Returns the rank of a head, from 0; size() if its number is not known.
    std::size_t placeOf(const trace::HeadAddress& head) const;
    /// Values at the ends of a bar, symmetric around 0 for signed numbers.
    double lowest() const { return lowest_; }
    double highest() const { return highest_; }
    bool isSigned() const { return lowest_ < 0; }
    /// For use in sentences, such as "importance".
    const QString& name() const { return name_; }
    /// Describes the numbers.
    const QString& caption() const { return caption_; }
    /// Text for frames of an animation whose caption does not name the step: " Entropy is ...".
    QString ofWholeInWords() const;
    void setOfWhole() { isOfWhole_ = true; }
    /// Texts at the ends of a bar.
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
    bool isOfWhole_ = false; ///< computed over all rows
    QString below_;
    QString above_;
};

/// `ranked` is the result of analysis::rankByImportance; `caption` describes it.
/// `isOfNumber`: as trace::HeadImportance::areNumbers.
HeadTint tintByImportance(const std::vector<analysis::HeadScore>& ranked, const QString& caption,
                          bool isOfNumber = false);
/// Omits heads to which the statistic does not apply.
HeadTint tintByStatistic(analysis::Statistic statistic, const std::vector<analysis::HeadStatistics>& heads);

/// Returns the heads that have a number, with the number.
trace::DataTable tintTable(const HeadTint& tint, const std::vector<trace::HeadAddress>& heads);

} // namespace headscope::widgets
