#include "app/cli/head_statistics.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <iostream>
#include <string>

namespace headscope::app {

namespace {

using analysis::RoleKind;
using analysis::Statistic;
using nlohmann::ordered_json;

const char* name(RoleKind kind) {
    switch (kind) {
    case RoleKind::Positional:
        return "positional";
    case RoleKind::Aligning:
        return "aligning (by shape)";
    case RoleKind::Reversed:
        return "reversed (by shape)";
    case RoleKind::End:
        return "end";
    case RoleKind::Start:
        return "start";
    case RoleKind::Punctuation:
        return "punctuation";
    case RoleKind::Sink:
        return "sink";
    case RoleKind::SameToken:
        break;
    }
    return "same token";
}

const char* name(analysis::SinkToken token) {
    switch (token) {
    case analysis::SinkToken::End:
        return "end";
    case analysis::SinkToken::Start:
        return "start";
    case analysis::SinkToken::Punctuation:
        return "punctuation";
    case analysis::SinkToken::Text:
        break;
    }
    return "text";
}

std::string inWords(const analysis::HeadRole& role, const analysis::HeadStatistics& statistics) {
    std::string words = name(role.kind);
    if (role.kind == RoleKind::Positional)
        words += role.offset > 0 ? " +" + std::to_string(role.offset) : " " + std::to_string(role.offset);
    if (role.kind == RoleKind::Sink)
        words += std::string(" (") + name(role.sinkToken) + ")";
    std::array<char, 16> number{};
    std::snprintf(number.data(), number.size(), " %.2f", role.number);
    return words + number.data() + (analysis::speaksOfCorpus(statistics) ? "" : " on these sentences");
}

std::size_t rows(const std::vector<analysis::HeadStatistics>& heads) {
    std::size_t sum = 0;
    for (const auto& head : heads)
        sum += head.rows;
    return sum;
}

ordered_json json(const analysis::HeadRole& role, const analysis::HeadStatistics& statistics) {
    ordered_json json{{"role", name(role.kind)},
                      {"number", role.number},
                      {"of_corpus", analysis::speaksOfCorpus(statistics)}};
    if (role.kind == RoleKind::Positional)
        json["offset"] = role.offset;
    if (role.kind == RoleKind::Sink)
        json["token"] = name(role.sinkToken);
    if (role.confidence)
        json["confidence"] = *role.confidence;
    if (role.uniform)
        json["uniform"] = *role.uniform;
    return json;
}

} // namespace

void printHeadStatistics(const analysis::CorpusStatistics& corpus, std::optional<std::uint64_t> twin) {
    constexpr std::array columns{Statistic::Entropy,    Statistic::NormalisedEntropy,
                                 Statistic::Confidence, Statistic::Distance,
                                 Statistic::Diagonal,   Statistic::Previous,
                                 Statistic::Next,       Statistic::First,
                                 Statistic::Last,       Statistic::End,
                                 Statistic::Start,      Statistic::Punctuation,
                                 Statistic::Monotony};
    const auto heads = corpus.heads();
    if (twin)
        std::printf("random twin, seed %llu\n", static_cast<unsigned long long>(*twin));
    std::printf(
        "%zu sentences, %zu rows of all heads; means over rows, then sentences; intervals with --json\n",
        corpus.sentences(), rows(heads));
    std::printf("%-14s", "head");
    for (const auto column : columns)
        std::printf(" %6s", std::string(analysis::shortName(column)).c_str());
    std::printf("  roles\n");
    for (const auto& head : heads) {
        std::printf("%-14s", toString(head.head).c_str());
        for (const auto column : columns)
            if (const auto& value = head.values[column])
                std::printf(" %6.2f", *value);
            else
                std::printf(" %6s", "-");
        const char* before = "  ";
        for (const auto& role : analysis::rolesOf(head)) {
            std::printf("%s%s", before, inWords(role, head).c_str());
            before = "; ";
        }
        std::printf("\n");
    }
}

void printHeadStatisticsAsJson(const analysis::CorpusStatistics& corpus, std::optional<std::uint64_t> twin) {
    ordered_json whole{{"sentences", corpus.sentences()}};
    if (twin)
        whole["random_twin"] = *twin;
    whole["heads"] = ordered_json::array();
    for (const auto& head : corpus.heads()) {
        ordered_json line{{"head", toString(head.head)},
                          {"sentences", head.sentences},
                          {"rows", head.rows},
                          {"roles", ordered_json::array()},
                          {"statistics", ordered_json::object()}};
        for (const auto& role : analysis::rolesOf(head))
            line["roles"].push_back(json(role, head));
        const auto intervals = corpus.intervals(head.head);
        for (const auto statistic : analysis::allStatistics())
            if (const auto& interval = intervals[static_cast<std::size_t>(statistic)]) {
                auto& entry = line["statistics"][std::string(analysis::name(statistic))];
                entry = {{"mean", interval->mean}, {"interval", {interval->low, interval->high}}};
                if (const auto& uniform = head.uniform[statistic])
                    entry["uniform"] = *uniform;
            }
        whole["heads"].push_back(std::move(line));
    }
    std::cout << whole.dump(2) << '\n';
}

} // namespace headscope::app
