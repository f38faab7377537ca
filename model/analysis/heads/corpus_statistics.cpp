#include "model/analysis/heads/corpus_statistics.h"

#include <algorithm>
#include <functional>

namespace headscope::analysis {

namespace {

StatisticValues means(const std::vector<StatisticValues>& sentences) {
    StatisticValues means;
    for (const auto statistic : allStatistics()) {
        double sum = 0;
        std::size_t count = 0;
        for (const auto& values : sentences)
            if (const auto& value = values[statistic]) {
                sum += *value;
                ++count;
            }
        if (count > 0)
            means[statistic] = sum / static_cast<double>(count);
    }
    return means;
}

} // namespace

void CorpusStatistics::add(const std::string& sentence, const std::vector<HeadStatistics>& heads) {
    for (const auto& found : heads) {
        auto& head = heads_[found.head];
        head.sum.head = found.head;
        head.sum.rows += found.rows;
        head.sum.offsets.add(found.offsets);
        std::ranges::transform(head.sum.sinkTokens, found.sinkTokens, head.sum.sinkTokens.begin(),
                               std::plus());
        head.values.push_back(found.values);
        head.uniform.push_back(found.uniform);
        head.sentences.push_back(texts_.size());
    }
    texts_.push_back(sentence);
}

std::vector<HeadStatistics> CorpusStatistics::heads() const {
    std::vector<HeadStatistics> all;
    for (const auto& [address, head] : heads_) {
        auto statistics = head.sum;
        statistics.sentences = head.values.size();
        statistics.values = means(head.values);
        statistics.uniform = means(head.uniform);
        all.push_back(std::move(statistics));
    }
    return all;
}

CorpusStatistics::Intervals CorpusStatistics::intervals(const trace::HeadAddress& address) const {
    Intervals intervals;
    const auto head = heads_.find(address);
    if (head == heads_.end())
        return intervals;
    for (const auto statistic : allStatistics()) {
        std::vector<double> known;
        for (const auto& values : head->second.values)
            if (const auto& value = values[statistic])
                known.push_back(*value);
        if (!known.empty())
            intervals[static_cast<std::size_t>(statistic)] =
                bootstrapMean(known, std::vector<double>(known.size(), 1));
    }
    return intervals;
}

std::vector<CorpusStatistics::Sentence>
CorpusStatistics::driving(const trace::HeadAddress& address, Statistic statistic, std::size_t most) const {
    std::vector<Sentence> sentences;
    const auto head = heads_.find(address);
    if (head == heads_.end())
        return sentences;
    for (std::size_t i = 0; i < head->second.values.size(); ++i)
        if (const auto& value = head->second.values[i][statistic])
            sentences.push_back({.text = texts_[head->second.sentences[i]], .value = *value});
    // Sorted by magnitude because monotony is signed: for a reversed head the most reversed sentences count.
    std::ranges::stable_sort(sentences, std::greater(),
                             [](const Sentence& sentence) { return std::abs(sentence.value); });
    sentences.resize(std::min(sentences.size(), most));
    return sentences;
}

Statistic drivingStatistic(const HeadStatistics& statistics) {
    const auto roles = rolesOf(statistics);
    return roles.empty() ? Statistic::Confidence : drivingStatistic(roles.front());
}

} // namespace headscope::analysis
