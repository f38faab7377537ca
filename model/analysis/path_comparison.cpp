#include "model/analysis/path_comparison.h"

#include <algorithm>
#include <cmath>

namespace headscope::analysis {

namespace {

using trace::AttentionKind;

/// Edits from the suffix of one tail to that of the other, [first + 1, second + 1].
trace::BasicMatrix<std::size_t> editDistances(const std::vector<TokenScore>& first,
                                              const std::vector<TokenScore>& second, std::size_t common) {
    const std::size_t rows = first.size() - common;
    const std::size_t columns = second.size() - common;
    trace::BasicMatrix<std::size_t> edits(rows + 1, columns + 1);
    for (std::size_t r = rows + 1; r-- > 0;)
        for (std::size_t c = columns + 1; c-- > 0;) {
            if (r == rows || c == columns) {
                edits(r, c) = (rows - r) + (columns - c);
                continue;
            }
            const bool same = first[common + r].token.id == second[common + c].token.id;
            edits(r, c) =
                std::min({edits(r + 1, c + 1) + (same ? 0 : 1), edits(r + 1, c) + 1, edits(r, c + 1) + 1});
        }
    return edits;
}

std::vector<AlignedPlace> align(const std::vector<TokenScore>& first, const std::vector<TokenScore>& second,
                                std::size_t common) {
    const auto edits = editDistances(first, second, common);
    std::vector<AlignedPlace> places;
    for (std::size_t i = 0; i < common; ++i)
        places.push_back({.first = i, .second = i, .same = true});
    for (std::size_t r = common, c = common; r < first.size() || c < second.size();) {
        const bool canPair = r < first.size() && c < second.size();
        const bool same = canPair && first[r].token.id == second[c].token.id;
        const auto here = edits(r - common, c - common);
        if (canPair && here == edits(r + 1 - common, c + 1 - common) + (same ? 0 : 1))
            places.push_back({.first = r++, .second = c++, .same = same});
        else if (r < first.size() && here == edits(r + 1 - common, c - common) + 1)
            places.push_back({.first = r++});
        else
            places.push_back({.second = c++});
    }
    return places;
}

/// Places of the tokens that were fed: the start token, then each chosen one, a row later.
std::vector<AlignedPlace> fedPlaces(const std::vector<AlignedPlace>& chosen) {
    std::vector<AlignedPlace> fed{{.first = 0, .second = 0, .same = true}};
    for (AlignedPlace place : chosen) {
        for (auto* side : {&place.first, &place.second})
            if (*side)
                ++**side;
        fed.push_back(place);
    }
    return fed;
}

/// Without what neither map has.
std::vector<AlignedPlace> within(std::vector<AlignedPlace> places, std::size_t first, std::size_t second) {
    for (auto& place : places) {
        if (place.first && *place.first >= first)
            place.first.reset();
        if (place.second && *place.second >= second)
            place.second.reset();
        place.same = place.same && place.first && place.second;
    }
    std::erase_if(places, [](const AlignedPlace& place) { return !place.first && !place.second; });
    return places;
}

std::vector<AlignedPlace> counted(std::size_t count) {
    std::vector<AlignedPlace> places;
    for (std::size_t i = 0; i < count; ++i)
        places.push_back({.first = i, .second = i, .same = true});
    return places;
}

} // namespace

std::optional<double> PathComparison::logProbabilityChange(const AlignedPlace& place) const {
    if (!place.same)
        return std::nullopt;
    return second[*place.second].logProbability - first[*place.first].logProbability;
}

PathComparison comparePaths(const trace::DecodeTree& tree, trace::DecodeTree::NodeId first,
                            trace::DecodeTree::NodeId second) {
    PathComparison compared{.first = tokenScores(tree, first), .second = tokenScores(tree, second)};
    while (compared.common < std::min(compared.first.size(), compared.second.size()) &&
           compared.first[compared.common].token.id == compared.second[compared.common].token.id)
        ++compared.common;
    compared.places = align(compared.first, compared.second, compared.common);
    return compared;
}

MapDifference compareMaps(const PathComparison& paths, const trace::Run& first, const trace::Run& second,
                          const trace::HeadAddress& head) {
    const auto* one = first.record(head.site);
    const auto* other = second.record(head.site);
    const auto h = static_cast<std::size_t>(head.head);
    MapDifference difference;
    if (!one || !other || head.head < 0 || h >= one->weights.heads() || h >= other->weights.heads())
        return difference;
    const bool target = head.site.kind != AttentionKind::EncoderSelf;
    const bool fed = head.site.kind == AttentionKind::DecoderSelf;
    difference.rows = target ? within(fed ? fedPlaces(paths.places) : paths.places, one->weights.rows(),
                                      other->weights.rows())
                             : counted(std::min(one->weights.rows(), other->weights.rows()));
    difference.columns =
        fed ? within(fedPlaces(paths.places), one->weights.columns(), other->weights.columns())
            : counted(std::min(one->weights.columns(), other->weights.columns()));
    difference.values = trace::Matrix(difference.rows.size(), difference.columns.size());
    difference.both = trace::MaskMatrix(difference.rows.size(), difference.columns.size());
    for (std::size_t r = 0; r < difference.rows.size(); ++r)
        for (std::size_t c = 0; c < difference.columns.size(); ++c) {
            const auto& row = difference.rows[r];
            const auto& column = difference.columns[c];
            if (!row.first || !row.second || !column.first || !column.second ||
                (!one->mask(*row.first, *column.first) && !other->mask(*row.second, *column.second)))
                continue;
            const float change =
                other->weights(h, *row.second, *column.second) - one->weights(h, *row.first, *column.first);
            difference.values(r, c) = change;
            difference.both(r, c) = 1;
            difference.largest = std::max(difference.largest, static_cast<double>(std::abs(change)));
        }
    return difference;
}

} // namespace headscope::analysis
