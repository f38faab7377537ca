#include "app/cli/head_statistics.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

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
    case RoleKind::Induction:
        return "induction";
    case RoleKind::DuplicateToken:
        return "duplicate token";
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

std::string nameWithOffset(RoleKind kind, int offset) {
    std::string words = name(kind);
    if (kind == RoleKind::Positional)
        words += offset > 0 ? " +" + std::to_string(offset) : " " + std::to_string(offset);
    return words;
}

std::string number(double value, const std::optional<double>& confidence) {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.2f", value);
    const std::string words = text.data();
    if (!confidence)
        return words;
    std::snprintf(text.data(), text.size(), " with a confidence of %.2f", *confidence);
    return words + text.data();
}

std::string inWords(const analysis::HeadRole& role, const analysis::HeadStatistics& statistics) {
    std::string words = nameWithOffset(role.kind, role.offset);
    if (role.kind == RoleKind::Sink)
        words += std::string(" (") + name(role.sinkToken) + ")";
    return words + " " + number(role.number, std::nullopt) +
           (analysis::speaksOfCorpus(statistics) ? "" : " on these sentences");
}

/// The heads that have a role; if there is none, the nearest one, what it has, and what the role needs.
std::string inWords(const analysis::RoleAmongHeads& role) {
    std::string words = nameWithOffset(role.kind, role.offset) + ": ";
    if (const auto& nearest = role.nearest)
        return words + "no head; the nearest: " + toString(nearest->head) + " has " +
               number(nearest->role.number, nearest->role.confidence) +
               (role.kind == RoleKind::Sink ? std::string(" (") + name(nearest->role.sinkToken) + ")"
                                            : std::string()) +
               ", needs " + number(role.needs.number, role.needs.confidence);
    const char* before = "";
    for (const auto& head : role.heads) {
        words += before + toString(head);
        before = ", ";
    }
    return words;
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
    if (role.rows > 0)
        json["rows"] = role.rows;
    if (role.confidence)
        json["confidence"] = *role.confidence;
    if (role.uniform)
        json["uniform"] = *role.uniform;
    return json;
}

ordered_json json(const analysis::RoleAmongHeads& role) {
    ordered_json json{{"role", name(role.kind)}};
    if (role.kind == RoleKind::Positional)
        json["offset"] = role.offset;
    json["needs"] = {{"number", role.needs.number}};
    if (role.needs.confidence)
        json["needs"]["confidence"] = *role.needs.confidence;
    json["heads"] = ordered_json::array();
    for (const auto& head : role.heads)
        json["heads"].push_back(toString(head));
    if (const auto& nearest = role.nearest) {
        json["nearest"] = {{"head", toString(nearest->head)}, {"number", nearest->role.number}};
        if (role.kind == RoleKind::Sink)
            json["nearest"]["token"] = name(nearest->role.sinkToken);
        if (nearest->role.confidence)
            json["nearest"]["confidence"] = *nearest->role.confidence;
        if (nearest->role.uniform)
            json["nearest"]["uniform"] = *nearest->role.uniform;
    }
    return json;
}

/// Statistics with a column of their own; the last ones only where they apply to a head.
std::vector<Statistic> columnsOf(const std::vector<analysis::HeadStatistics>& heads) {
    std::vector columns{Statistic::Entropy,    Statistic::NormalisedEntropy,
                        Statistic::Confidence, Statistic::Distance,
                        Statistic::Diagonal,   Statistic::Previous,
                        Statistic::Next,       Statistic::First,
                        Statistic::Last,       Statistic::End,
                        Statistic::Start,      Statistic::Punctuation,
                        Statistic::Monotony};
    for (const auto statistic : {Statistic::DuplicateToken, Statistic::Induction, Statistic::FirstReadsSecond,
                                 Statistic::SecondReadsFirst})
        if (std::ranges::any_of(heads, [&](const auto& head) { return head.values[statistic].has_value(); }))
            columns.push_back(statistic);
    return columns;
}

} // namespace

void printHeadStatistics(const analysis::CorpusStatistics& corpus, std::optional<std::uint64_t> twin) {
    const auto heads = corpus.heads();
    const auto columns = columnsOf(heads);
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
    for (const auto& role : analysis::rolesAmong(heads))
        std::printf("%s\n", inWords(role).c_str());
}

void printHeadStatisticsAsJson(const analysis::CorpusStatistics& corpus, std::optional<std::uint64_t> twin) {
    ordered_json whole{{"sentences", corpus.sentences()}};
    if (twin)
        whole["random_twin"] = *twin;
    const auto heads = corpus.heads();
    whole["roles"] = ordered_json::array();
    for (const auto& role : analysis::rolesAmong(heads))
        whole["roles"].push_back(json(role));
    whole["heads"] = ordered_json::array();
    for (const auto& head : heads) {
        ordered_json line{{"head", toString(head.head)},
                          {"sentences", head.sentences},
                          {"rows", head.rows},
                          {"induction_rows", head.inductionRows},
                          {"roles", ordered_json::array()},
                          {"statistics", ordered_json::object()}};
        for (const auto& role : analysis::rolesOf(head))
            line["roles"].push_back(json(role, head));
        if (const auto between = analysis::weightBetweenTexts(head.values))
            line["between_texts"] = *between;
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
