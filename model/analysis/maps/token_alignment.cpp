#include "model/analysis/maps/token_alignment.h"

#include "model/trace/refusal.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>

namespace headscope::analysis {

namespace {

using trace::AttentionKind;
using trace::Token;
using trace::TokenRole;

using Names = std::map<std::int64_t, std::string>;

/// Returns false if an id already has a different name.
bool addNames(Names& names, const std::vector<Token>& tokens) {
    return std::ranges::all_of(tokens, [&](const Token& token) {
        return names.emplace(token.id, token.piece).first->second == token.piece;
    });
}

bool isLaterPadding(const std::vector<Token>& tokens, std::size_t place) {
    return place > 0 && tokens[place].role == TokenRole::Padding;
}

std::string textOf(const std::vector<Token>& tokens, const MapSpan& span, AlignBy by) {
    std::string text;
    for (std::size_t t = span.first; t < span.last; ++t)
        text += tokens[t].piece;
    if (by == AlignBy::Words && text.starts_with(trace::spaceMark))
        text.erase(0, trace::spaceMark.size());
    return text;
}

/// lengths(i, j) is the length of the longest common subsequence of first[i...] and second[j...].
trace::BasicMatrix<std::uint32_t> commonLengths(const std::vector<AxisUnit>& first,
                                                const std::vector<AxisUnit>& second,
                                                const std::stop_token& stop) {
    trace::BasicMatrix<std::uint32_t> lengths(first.size() + 1, second.size() + 1);
    for (std::size_t i = first.size(); i-- > 0;) {
        trace::throwIfStopped(stop);
        for (std::size_t j = second.size(); j-- > 0;)
            lengths(i, j) = isSame(first[i], second[j]) ? 1 + lengths(i + 1, j + 1)
                                                        : std::max(lengths(i + 1, j), lengths(i, j + 1));
    }
    return lengths;
}

/// Adds the units between two matches.
void addRest(std::vector<AlignedPlace>& places, MapSpan first, MapSpan second) {
    if (first.last - first.first == second.last - second.first) {
        while (first.first < first.last)
            places.push_back({.first = first.first++, .second = second.first++});
        return;
    }
    while (first.first < first.last)
        places.push_back({.first = first.first++});
    while (second.first < second.last)
        places.push_back({.second = second.first++});
}

/// Returns the tokens that label a map's rows; for cross-attention without rows whose input is padding.
std::vector<Token> queryTokens(const trace::Run& run, AttentionKind kind) {
    auto tokens = run.queryTokens(kind);
    if (kind == AttentionKind::Cross)
        for (std::size_t t = 0; t < run.target.size() && t < tokens.size(); ++t)
            if (isLaterPadding(run.target, t))
                tokens.resize(t);
    return tokens;
}

AlignedAxis besideItself(const std::vector<Token>& tokens) {
    AlignedAxis axis{.first = axisUnits(tokens, AlignBy::Pieces)};
    axis.second = axis.first;
    for (std::size_t i = 0; i < axis.first.size(); ++i)
        axis.places.push_back({.first = i, .second = i, .same = true});
    return axis;
}

} // namespace

AlignBy alignedBy(const trace::Run& first, const trace::Run& second) {
    if (!first.model || !second.model || first.model == second.model)
        return AlignBy::Pieces;
    if (first.model->sourceVocabulary != second.model->sourceVocabulary ||
        first.model->targetVocabulary != second.model->targetVocabulary)
        return AlignBy::Words;
    Names source, target;
    const bool agree = addNames(source, first.source) && addNames(source, second.source) &&
                       addNames(target, first.target) && addNames(target, second.target) &&
                       addNames(target, first.next) && addNames(target, second.next);
    return agree ? AlignBy::Pieces : AlignBy::Words;
}

std::vector<AxisUnit> axisUnits(const std::vector<Token>& tokens, AlignBy by) {
    std::vector<MapSpan> spans;
    if (by == AlignBy::Words)
        spans = wordsOf(tokens);
    else
        for (std::size_t t = 0; t < tokens.size(); ++t)
            spans.push_back({t, t + 1});
    std::vector<AxisUnit> units;
    for (const MapSpan& span : spans) {
        if (isLaterPadding(tokens, span.first))
            continue;
        const auto role = tokens[span.first].role;
        units.push_back({.tokens = span,
                         .text = textOf(tokens, span, by),
                         .role = role == TokenRole::Padding ? TokenRole::Start : role});
    }
    return units;
}

bool isSame(const AxisUnit& first, const AxisUnit& second) {
    if (isSpecial(first.role) || isSpecial(second.role))
        return first.role == second.role;
    return first.text == second.text;
}

std::vector<AlignedPlace> alignUnits(const std::vector<AxisUnit>& first, const std::vector<AxisUnit>& second,
                                     const std::stop_token& stop) {
    const auto lengths = commonLengths(first, second, stop);
    std::vector<AlignedPlace> places;
    std::size_t restFirst = 0, restSecond = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        trace::throwIfStopped(stop);
        std::size_t j = restSecond;
        while (j < second.size() && !isSame(first[i], second[j]))
            ++j;
        if (j == second.size() || 1 + lengths(i + 1, j + 1) < lengths(i, restSecond))
            continue; // with this pair the subsequence would not have maximum length
        addRest(places, {restFirst, i}, {restSecond, j});
        places.push_back({.first = i, .second = j, .same = true});
        restFirst = i + 1;
        restSecond = j + 1;
    }
    addRest(places, {restFirst, first.size()}, {restSecond, second.size()});
    return places;
}

std::size_t AlignedAxis::pairs() const {
    return std::ranges::count_if(places, [](const AlignedPlace& place) { return place.isPair(); });
}

AlignedAxis alignTokens(const std::vector<Token>& first, const std::vector<Token>& second, AlignBy by,
                        const std::stop_token& stop) {
    AlignedAxis axis{.first = axisUnits(first, by), .second = axisUnits(second, by)};
    axis.places = alignUnits(axis.first, axis.second, stop);
    return axis;
}

RunAlignment alignRuns(const trace::Run& first, const trace::Run& second, const std::stop_token& stop) {
    RunAlignment alignment{.by = alignedBy(first, second)};
    const auto align = [&](const std::vector<Token>& one, const std::vector<Token>& other) {
        return alignTokens(one, other, alignment.by, stop);
    };
    const auto place = [](AttentionKind kind) { return static_cast<std::size_t>(kind); };
    constexpr auto encoder = AttentionKind::EncoderSelf;
    constexpr auto decoder = AttentionKind::DecoderSelf;
    constexpr auto cross = AttentionKind::Cross;
    // In self-attention queries and keys are the same tokens.
    alignment.keys[place(encoder)] = align(first.keyTokens(encoder), second.keyTokens(encoder));
    alignment.keys[place(decoder)] = align(first.keyTokens(decoder), second.keyTokens(decoder));
    alignment.keys[place(cross)] = alignment.keys[place(encoder)];
    alignment.queries[place(encoder)] = alignment.keys[place(encoder)];
    alignment.queries[place(decoder)] = alignment.keys[place(decoder)];
    alignment.queries[place(cross)] = align(queryTokens(first, cross), queryTokens(second, cross));
    return alignment;
}

RunAlignment alignSteps(const trace::Run& run, std::size_t first, std::size_t second) {
    RunAlignment alignment;
    for (const auto kind : {AttentionKind::DecoderSelf, AttentionKind::Cross}) {
        const auto place = static_cast<std::size_t>(kind);
        alignment.keys[place] = besideItself(run.keyTokens(kind));
        AlignedAxis& rows = alignment.queries[place] = besideItself(queryTokens(run, kind));
        rows.places.clear();
        if (first < rows.first.size() && second < rows.second.size())
            rows.places.push_back(
                {.first = first,
                 .second = second,
                 .same = first == second || isSame(rows.first[first], rows.second[second])});
    }
    alignment.keys[static_cast<std::size_t>(AttentionKind::EncoderSelf)] =
        besideItself(run.keyTokens(AttentionKind::EncoderSelf));
    return alignment;
}

} // namespace headscope::analysis
