#include "model/analysis/heads/corpus_statistics.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace headscope::analysis {

namespace {

StatisticValues means(const std::vector<const HeadStatistics*>& sentences,
                      StatisticValues HeadStatistics::*of) {
    StatisticValues means;
    for (const auto statistic : allStatistics()) {
        double sum = 0;
        std::size_t count = 0;
        for (const auto* sentence : sentences)
            if (const auto& value = (sentence->*of)[statistic]) {
                sum += *value;
                ++count;
            }
        if (count > 0)
            means[statistic] = sum / static_cast<double>(count);
    }
    return means;
}

/// Null if the sentence has no such head.
const HeadStatistics* find(const std::vector<HeadStatistics>& heads, const trace::HeadAddress& address) {
    const auto found = std::ranges::find(heads, address, &HeadStatistics::head);
    return found == heads.end() ? nullptr : &*found;
}

} // namespace

void CorpusStatistics::add(const std::string& sentence, const std::vector<HeadStatistics>& heads) {
    Read read{.text = sentence, .heads = {}};
    for (const auto& head : heads)
        read.heads.push_back({.head = head.head,
                              .rows = head.rows,
                              .values = head.values,
                              .uniform = head.uniform,
                              .offsets = head.offsets,
                              .inductionRows = head.inductionRows,
                              .sinkTokens = head.sinkTokens,
                              .received = {},
                              .sinks = {},
                              .expectedPositions = {}});
    sentences_.push_back(std::make_shared<const Read>(std::move(read)));
}

std::vector<HeadStatistics> CorpusStatistics::heads() const {
    std::map<trace::HeadAddress, std::vector<const HeadStatistics*>> sentences;
    for (const auto& sentence : sentences_)
        for (const auto& head : sentence->heads)
            sentences[head.head].push_back(&head);
    std::vector<HeadStatistics> all;
    for (const auto& [address, found] : sentences) {
        auto& sum = all.emplace_back();
        sum.head = address;
        sum.sentences = found.size();
        for (const auto* head : found) {
            sum.rows += head->rows;
            sum.offsets.add(head->offsets);
            sum.inductionRows += head->inductionRows;
            std::ranges::transform(sum.sinkTokens, head->sinkTokens, sum.sinkTokens.begin(), std::plus());
        }
        sum.values = means(found, &HeadStatistics::values);
        sum.uniform = means(found, &HeadStatistics::uniform);
    }
    return all;
}

CorpusStatistics::Intervals CorpusStatistics::intervals(const trace::HeadAddress& address) const {
    Intervals intervals;
    for (const auto statistic : allStatistics()) {
        std::vector<double> known;
        for (const auto& sentence : sentences_)
            if (const auto* head = find(sentence->heads, address); head && head->values[statistic])
                known.push_back(*head->values[statistic]);
        if (!known.empty())
            intervals[static_cast<std::size_t>(statistic)] =
                bootstrapMean(known, std::vector<double>(known.size(), 1));
    }
    return intervals;
}

std::vector<CorpusStatistics::Sentence>
CorpusStatistics::driving(const trace::HeadAddress& address, Statistic statistic, std::size_t most) const {
    std::vector<Sentence> sentences;
    for (const auto& sentence : sentences_)
        if (const auto* head = find(sentence->heads, address); head && head->values[statistic])
            sentences.push_back({.text = sentence->text, .value = *head->values[statistic]});
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
