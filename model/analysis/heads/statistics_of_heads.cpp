#include "model/analysis/heads/statistics_of_heads.h"

#include "model/analysis/heads/head_statistics.h"
#include "model/analysis/heads/map_statistics.h"
#include "model/analysis/heads/punctuation.h"
#include "model/analysis/heads/row_entropy.h"
#include "model/analysis/maps/recomputed_map.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace headscope::analysis {

namespace {

using trace::AttentionKind;
using trace::Token;
using trace::TokenRole;

bool isPunctuationMark(const Token& token) {
    return !isSpecial(token.role) && isPunctuation(token.piece);
}

void addEntropy(const Map& map, StatisticValues& values) {
    Mean entropy;
    Mean normalised;
    Mean effective;
    for (const auto& row : map.rows) {
        if (row.allowedKeys < 2)
            continue;
        const double bits = rowEntropy(row.weights);
        entropy.add(bits);
        normalised.add(bits / std::log2(static_cast<double>(row.allowedKeys)));
        effective.add(std::exp2(bits));
    }
    values[Statistic::Entropy] = entropy.value();
    values[Statistic::NormalisedEntropy] = normalised.value();
    values[Statistic::EffectiveKeys] = effective.value();
}

template <class IsMeant>
std::optional<double> share(const Map& map, IsMeant isMeant) {
    std::vector<std::size_t> meant;
    for (std::size_t key = 0; key < map.keys.size(); ++key)
        if (isMeant(key))
            meant.push_back(key);
    Mean mean;
    for (const auto& row : map.rows) {
        double sum = 0;
        for (const auto key : meant)
            sum += row.weights[key];
        mean.add(sum);
    }
    return meant.empty() ? std::nullopt : mean.value();
}

void addShares(const Map& map, bool seesLast, StatisticValues& values) {
    const auto role = [&](TokenRole wanted) {
        return share(map, [&](std::size_t key) { return map.keys[key].role == wanted; });
    };
    values[Statistic::First] = share(map, [](std::size_t key) { return key == 0; });
    if (seesLast)
        values[Statistic::Last] = share(map, [&](std::size_t key) { return key + 1 == map.textKeys; });
    values[Statistic::End] = role(TokenRole::End);
    values[Statistic::Start] = role(TokenRole::Start);
    values[Statistic::Punctuation] =
        share(map, [&](std::size_t key) { return isPunctuationMark(map.keys[key]); });
}

/// Special tokens belong to the text before them, those at the start to the first text.
void addBetweenTexts(const Map& map, std::size_t secondText, StatisticValues& values) {
    Mean first;
    Mean second;
    for (const auto& row : map.rows) {
        double weight = 0;
        const bool isOfFirst = row.query < secondText;
        for (std::size_t key = isOfFirst ? secondText : 0; key < (isOfFirst ? map.textKeys : secondText);
             ++key)
            weight += row.weights[key];
        (isOfFirst ? first : second).add(weight);
    }
    values[Statistic::FirstReadsSecond] = first.value();
    values[Statistic::SecondReadsFirst] = second.value();
}

SinkToken sinkToken(const Token& token) {
    return token.role == TokenRole::End     ? SinkToken::End
           : token.role == TokenRole::Start ? SinkToken::Start
           : isPunctuationMark(token)       ? SinkToken::Punctuation
                                            : SinkToken::Text;
}

void addReceived(const Map& map, HeadStatistics& statistics) {
    statistics.received.assign(map.keys.size(), 0);
    for (const auto& row : map.rows)
        for (std::size_t key = 0; key < map.keys.size(); ++key)
            statistics.received[key] += row.weights[key] / static_cast<double>(map.rows.size());
    std::optional<std::size_t> most;
    for (std::size_t key = 0; key < map.keys.size(); ++key) {
        if (statistics.received[key] > sinkThreshold)
            statistics.sinks.push_back(key);
        const bool isCounted = map.keys[key].role != TokenRole::Padding;
        if (isCounted && (!most || statistics.received[key] > statistics.received[*most]))
            most = key;
    }
    if (!most)
        return;
    statistics.values[Statistic::Sink] = statistics.received[*most];
    ++statistics.sinkTokens[static_cast<std::size_t>(sinkToken(map.keys[*most]))];
}

/// Returns a record with the same mask and uniform weights over the allowed keys.
trace::AttentionRecord evenly(const trace::AttentionRecord& record) {
    const auto& mask = record.mask;
    trace::AttentionRecord even{
        .site = record.site, .mask = mask, .weights = {1, mask.rows(), mask.columns()}};
    for (std::size_t row = 0; row < mask.rows(); ++row) {
        const auto open = std::ranges::count_if(mask.row(row), [](auto cell) { return cell != 0; });
        for (std::size_t key = 0; key < mask.columns(); ++key)
            if (mask(row, key) != 0)
                even.weights.at(0, row, key) = 1 / static_cast<float>(open);
    }
    return even;
}

std::vector<HeadStatistics> statisticsOfSite(const trace::Run& run, const trace::AttentionRecord& record,
                                             const std::stop_token& stop) {
    const auto& queries = fedTokens(run, record.site.kind);
    const auto& keys = run.keyTokens(record.site.kind);
    const auto second =
        record.site.kind == AttentionKind::EncoderSelf ? run.secondText : std::optional<trace::TokenIndex>();
    std::vector<HeadStatistics> all;
    StatisticValues even;
    for (std::size_t head = 0; head < record.heads(); ++head) {
        trace::throwIfStopped(stop);
        if (record.isRecomputed()) { // one map at a time, to limit memory
            const auto one = withWeightsOf(record, head, stop);
            if (head == 0)
                even = headStatistics(evenly(one), 0, queries, keys, second).values;
            all.push_back(headStatistics(one, 0, queries, keys, second));
            all.back().head.head = head;
        } else {
            if (head == 0)
                even = headStatistics(evenly(record), 0, queries, keys, second).values;
            all.push_back(headStatistics(record, head, queries, keys, second));
        }
        all.back().uniform = even;
    }
    return all;
}

template <class Tell>
std::vector<HeadStatistics> statisticsOf(const trace::Run& run, const std::stop_token& stop, Tell tell) {
    std::vector<HeadStatistics> all;
    for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
        for (const auto& record : *records) {
            std::ranges::move(statisticsOfSite(run, record, stop), std::back_inserter(all));
            tell(all);
        }
    return all;
}

} // namespace

HeadStatistics headStatistics(const trace::AttentionRecord& record, std::size_t head,
                              const std::vector<Token>& queries, const std::vector<Token>& keys,
                              std::optional<trace::TokenIndex> secondText) {
    const auto rows = validRows(record, head, queries);
    HeadStatistics statistics{.head = {record.site, head}, .rows = rows.size()};
    if (rows.empty())
        return statistics;
    const auto texts =
        std::ranges::count_if(keys, [](const Token& token) { return token.role != TokenRole::Padding; });
    const Map map{
        .rows = rows, .queries = queries, .keys = keys, .textKeys = static_cast<std::size_t>(texts)};
    addEntropy(map, statistics.values);
    statistics.values[Statistic::Confidence] = confidence(record, head, queries, keys);
    addShares(map, record.site.kind != AttentionKind::DecoderSelf, statistics.values);
    addReceived(map, statistics);
    if (record.site.kind == AttentionKind::Cross) {
        addCrossStatistics(map, statistics);
    } else {
        addSelfStatistics(map, statistics);
    }
    if (secondText)
        addBetweenTexts(map, *secondText, statistics.values);
    return statistics;
}

std::optional<WeightBetweenTexts> weightBetweenTexts(const StatisticValues& values) {
    const auto& there = values[Statistic::FirstReadsSecond];
    const auto& back = values[Statistic::SecondReadsFirst];
    if (!there || !back)
        return std::nullopt;
    return WeightBetweenTexts{{{1 - *there, *there}, {*back, 1 - *back}}};
}

const std::vector<Token>& fedTokens(const trace::Run& run, AttentionKind kind) {
    return kind == AttentionKind::EncoderSelf ? run.source : run.target;
}

std::vector<HeadStatistics> statisticsOfHeads(const trace::Run& run, std::stop_token stop) {
    return statisticsOf(run, stop, [](const auto&) {});
}

bool StatisticsWhat::takesLong() const {
    for (const auto* records : {&run->encoder, &run->decoder, &run->cross})
        if (std::ranges::any_of(*records, &trace::AttentionRecord::isRecomputed))
            return true;
    return false;
}

StatisticsWhat::Value StatisticsWhat::count(const trace::Task& work,
                                            const std::function<void(Value)>& partial) const {
    const bool isLong = takesLong();
    return statisticsOf(*run, work.stop(), [&](const Value& known) {
        if (isLong)
            partial(known);
    });
}

} // namespace headscope::analysis
