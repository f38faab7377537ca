#include "widgets/tiles/head_tint.h"

#include "widgets/export/figure_data_parts.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/importance_words.h"
#include "widgets/words/plain_words.h"
#include "widgets/words/statistic_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace headscope::widgets {

namespace {

struct HeadTintWords {
    Q_DECLARE_TR_FUNCTIONS(HeadTint)
};

} // namespace

HeadTint::HeadTint(std::vector<Value> ranked, QString name, QString caption, analysis::StatisticRange range)
    : ranked_(std::move(ranked)), name_(std::move(name)), caption_(std::move(caption)) {
    double largest = 0;
    for (std::size_t place = 0; place < ranked_.size(); ++place) {
        places_[ranked_[place].head] = place;
        if (std::isfinite(ranked_[place].number))
            largest = std::max(largest, std::abs(ranked_[place].number));
    }
    lowest_ = range.lowest.value_or(-largest);
    highest_ = range.highest.value_or(largest);
    setEnds(statisticText(lowest_), statisticText(highest_));
}

const HeadTint::Value* HeadTint::of(const trace::HeadAddress& head) const {
    const auto place = places_.find(head);
    return place == places_.end() ? nullptr : &ranked_[place->second];
}

std::size_t HeadTint::placeOf(const trace::HeadAddress& head) const {
    const auto place = places_.find(head);
    return place == places_.end() ? ranked_.size() : place->second;
}

QString HeadTint::below() const {
    return below_;
}

QString HeadTint::above() const {
    return above_;
}

QString HeadTint::ofWholeInWords() const {
    if (!isOfWhole_)
        return {};
    return QChar(' ') +
           HeadTintWords::tr("%1 is measured over the whole decoding and is the same at every step.")
               .arg(capitalised(name_));
}

void HeadTint::setEnds(const QString& below, const QString& above) {
    below_ = below;
    above_ = above;
}

HeadTint tintByImportance(const std::vector<analysis::HeadScore>& ranked, const QString& caption,
                          bool isOfNumber) {
    std::vector<HeadTint::Value> values;
    for (const auto& score : ranked)
        values.push_back({.head = score.head,
                          .number = score.importance,
                          .words = scoreInWords(score, values.size() + 1, isOfNumber)});
    const double limit = std::max(analysis::largestImportance(ranked), analysis::leastImportance);
    HeadTint tint(std::move(values), HeadTintWords::tr("importance"), caption,
                  {.lowest = -limit, .highest = limit});
    const QString below = isOfNumber ? HeadTintWords::tr("lowers %1") : HeadTintWords::tr("hurts %1");
    const QString above = isOfNumber ? HeadTintWords::tr("%1 raises") : HeadTintWords::tr("%1 helps");
    tint.setEnds(below.arg(signedNumberText(tint.lowest())), above.arg(signedNumberText(tint.highest())));
    return tint;
}

HeadTint tintByStatistic(analysis::Statistic statistic, const std::vector<analysis::HeadStatistics>& heads) {
    std::vector<HeadTint::Value> values;
    for (const auto& head : heads)
        if (const auto& value = head.values[statistic]; value && std::isfinite(*value))
            values.push_back(
                {.head = head.head,
                 .number = *value,
                 .words = HeadTintWords::tr("%1: %2").arg(statisticTitle(statistic), statisticText(value))});
    std::ranges::stable_sort(values, std::greater(), &HeadTint::Value::number);
    const QString scope = heads.empty() ? QString() : scopeText(heads.front());
    HeadTint tint(std::move(values), statisticTitle(statistic).toLower(),
                  HeadTintWords::tr("%1, %2.").arg(statisticTip(statistic), scope),
                  analysis::rangeOf(statistic));
    tint.setOfWhole();
    return tint;
}

trace::DataTable tintTable(const HeadTint& tint, const std::vector<trace::HeadAddress>& heads) {
    QStringList names;
    std::vector<double> numbers;
    for (const auto& head : heads)
        if (const auto* value = tint.of(head)) {
            names += address(head);
            numbers.push_back(value->number);
        }
    return {.name = "tint",
            .columns = {dataColumn("head", names), dataColumn(tint.name().toStdString(), numbers)}};
}

} // namespace headscope::widgets
