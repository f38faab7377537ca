#include "model/analysis/maps/map_views.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>

namespace headscope::analysis {

namespace {

std::vector<MapSpan> oneByOne(std::size_t count) {
    std::vector<MapSpan> spans;
    for (std::size_t i = 0; i < count; ++i)
        spans.push_back({i, i + 1});
    return spans;
}

double openSum(const MapTable& table, std::size_t row, std::size_t first, std::size_t last) {
    double sum = 0;
    for (std::size_t c = first; c < last; ++c)
        if (table.mask(row, c))
            sum += table.values(row, c);
    return sum;
}

bool isPunctuationToken(const trace::Token& token) {
    constexpr std::string_view marks = ".,;:!?\"')]}";
    return !token.piece.empty() && token.piece.find_first_not_of(marks) == std::string::npos;
}

/// Returns for each word the indices of the spans within it; words without spans are skipped.
std::vector<std::vector<std::size_t>> parts(const std::vector<MapSpan>& spans,
                                            const std::vector<MapSpan>& words) {
    std::vector<std::vector<std::size_t>> within;
    for (const MapSpan& word : words) {
        std::vector<std::size_t> members;
        for (std::size_t i = 0; i < spans.size(); ++i)
            if (spans[i].first >= word.first && spans[i].last <= word.last)
                members.push_back(i);
        if (!members.empty())
            within.push_back(std::move(members));
    }
    return within;
}

std::vector<MapSpan> joined(const std::vector<MapSpan>& spans,
                            const std::vector<std::vector<std::size_t>>& members) {
    std::vector<MapSpan> words;
    for (const auto& word : members)
        words.push_back({spans[word.front()].first, spans[word.back()].last});
    return words;
}

bool isOpen(const MapTable& table, std::size_t row) {
    return std::ranges::any_of(table.mask.row(row), [](auto open) { return open != 0; });
}

} // namespace

MapTable tableOf(trace::MatrixView values, const trace::MaskMatrix& mask) {
    MapTable table{.values = trace::Matrix(values.rows(), values.columns()),
                   .mask = mask,
                   .rows = oneByOne(values.rows()),
                   .columns = oneByOne(values.columns())};
    for (std::size_t r = 0; r < values.rows(); ++r)
        std::ranges::copy(values.row(r), &table.values.values()[r * values.columns()]);
    return table;
}

std::vector<std::size_t> closeUndefinedRows(MapTable& table) {
    std::vector<std::size_t> closed;
    for (std::size_t r = 0; r < table.values.rows(); ++r) {
        bool anyNumber = false;
        for (std::size_t c = 0; c < table.values.columns(); ++c)
            anyNumber = anyNumber || (table.mask(r, c) && !std::isnan(table.values(r, c)));
        if (anyNumber || !isOpen(table, r))
            continue;
        closed.push_back(r);
        for (std::size_t c = 0; c < table.values.columns(); ++c)
            table.mask(r, c) = 0;
    }
    return closed;
}

MapTable withoutSpecialKeys(const MapTable& table, const std::vector<trace::Token>& keys) {
    std::vector<std::size_t> kept;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (!isSpecial(keys.at(table.columns[c].first).role))
            kept.push_back(c);
    MapTable view{.values = trace::Matrix(table.rows.size(), kept.size()),
                  .mask = trace::MaskMatrix(table.rows.size(), kept.size()),
                  .rows = table.rows};
    for (std::size_t i = 0; i < kept.size(); ++i) {
        view.columns.push_back(table.columns[kept[i]]);
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            view.values(r, i) = table.values(r, kept[i]);
            view.mask(r, i) = table.mask(r, kept[i]);
        }
    }
    return view;
}

std::vector<double> normaliseRows(MapTable& table, std::optional<std::size_t> divider) {
    const std::size_t columns = table.columns.size();
    const std::size_t middle = divider.value_or(columns);
    std::vector<double> sums;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        sums.push_back(openSum(table, r, 0, columns));
        for (const MapSpan& side : {MapSpan{0, middle}, MapSpan{middle, columns}}) {
            const double sum = openSum(table, r, side.first, side.last);
            for (std::size_t c = side.first; c < side.last && sum != 0; ++c)
                table.values(r, c) = static_cast<float>(table.values(r, c) / sum);
        }
    }
    return sums;
}

std::vector<double> keptShares(const MapTable& whole, const std::vector<double>& sums) {
    std::vector<double> kept;
    for (std::size_t r = 0; r < sums.size(); ++r) {
        const double sum = isOpen(whole, r) ? openSum(whole, r, 0, whole.columns.size()) : 0;
        kept.push_back(sum != 0 ? sums[r] / sum : std::numeric_limits<double>::quiet_NaN());
    }
    return kept;
}

std::vector<std::size_t> weakRows(const MapTable& whole, const std::vector<double>& sums, double least) {
    const auto kept = keptShares(whole, sums);
    std::vector<std::size_t> weak;
    for (std::size_t r = 0; r < kept.size(); ++r)
        if (kept[r] < least)
            weak.push_back(r);
    return weak;
}

std::vector<MapSpan> wordsOf(const std::vector<trace::Token>& tokens) {
    const auto hasMark = [](const trace::Token& token) { return token.piece.starts_with(trace::spaceMark); };
    if (std::ranges::none_of(tokens, hasMark))
        return oneByOne(tokens.size());
    const auto begins = [&](std::size_t t) {
        return t == 0 || t >= tokens.size() || hasMark(tokens[t]) || isSpecial(tokens[t].role) ||
               isSpecial(tokens[t - 1].role);
    };
    std::vector<MapSpan> words;
    bool closing = false; // inside the punctuation at the end of a word
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        std::size_t end = t;
        while (end < tokens.size() && isPunctuationToken(tokens[end]) && (end == t || !begins(end)))
            ++end;
        const bool closes = end > t && begins(end);
        if (begins(t) || (closes && !closing))
            words.push_back({t, t});
        closing = closes;
        words.back().last = t + 1;
    }
    return words;
}

MapTable byWords(const MapTable& table, const std::vector<MapSpan>& queries,
                 const std::vector<MapSpan>& keys) {
    const auto rows = parts(table.rows, queries);
    const auto columns = parts(table.columns, keys);
    MapTable view{.values = trace::Matrix(rows.size(), columns.size()),
                  .mask = trace::MaskMatrix(rows.size(), columns.size()),
                  .rows = joined(table.rows, rows),
                  .columns = joined(table.columns, columns)};
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::vector<std::size_t> open;
        std::ranges::copy_if(rows[r], std::back_inserter(open),
                             [&](std::size_t row) { return isOpen(table, row); });
        for (std::size_t c = 0; c < columns.size(); ++c) {
            double sum = 0;
            for (const std::size_t row : open)
                for (const std::size_t column : columns[c])
                    if (table.mask(row, column)) {
                        sum += table.values(row, column);
                        view.mask(r, c) = 1;
                    }
            view.values(r, c) = open.empty() ? 0 : static_cast<float>(sum / static_cast<double>(open.size()));
        }
    }
    return view;
}

std::vector<double> received(const MapTable& table) {
    std::vector<double> sums(table.columns.size());
    for (std::size_t r = 0; r < table.rows.size(); ++r)
        for (std::size_t c = 0; c < sums.size(); ++c)
            if (table.mask(r, c) && std::isfinite(table.values(r, c)))
                sums[c] += table.values(r, c);
    return sums;
}

} // namespace headscope::analysis
