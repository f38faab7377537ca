#pragma once

#include "model/analysis/maps/map_views.h"
#include "model/trace/run.h"

#include <array>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::analysis {

/// What the tokens of two runs are aligned by.
enum class AlignBy {
    Pieces, ///< of one vocabulary
    Words,  ///< of tokenizers that cut differently: the pieces of a word count together
};

/// Pieces where both runs are of one model, or of two with vocabularies of the same size in which no id that
/// both runs met names two pieces; else words.
AlignBy alignedBy(const trace::Run& first, const trace::Run& second);

/// One place of an axis: a piece, or the pieces of a word.
struct AxisUnit {
    MapSpan tokens;
    std::string text; ///< what is compared: the piece, or the word without its space mark
    trace::TokenRole role = trace::TokenRole::Text;
    friend bool operator==(const AxisUnit&, const AxisUnit&) = default;
};

/// Padding is no place; what a decoder is fed first is its start token, whichever token that is.
std::vector<AxisUnit> axisUnits(const std::vector<trace::Token>& tokens, AlignBy by);

/// The same text, or special tokens of the same role.
bool isSame(const AxisUnit& first, const AxisUnit& second);

/// Two places of two sequences that stand beside each other; nothing where one has no counterpart.
struct AlignedPlace {
    std::optional<std::size_t> first;
    std::optional<std::size_t> second;
    bool same = false; ///< both are there and carry the same token

    bool isPair() const { return first && second; }
    friend bool operator==(const AlignedPlace&, const AlignedPlace&) = default;
};

/// Equal units stand beside each other: a longest common subsequence, of several the one that lies leftmost
/// in `first`, then in `second`. Where between them as many are left on both sides, these are taken as
/// replaced, one by one; else each stands alone.
/// Of long sequences it takes a while: throws trace::Cancelled.
std::vector<AlignedPlace> alignUnits(const std::vector<AxisUnit>& first, const std::vector<AxisUnit>& second,
                                     const std::stop_token& stop = {});

/// One axis of two maps.
struct AlignedAxis {
    std::vector<AxisUnit> first;
    std::vector<AxisUnit> second;
    std::vector<AlignedPlace> places; ///< of first and second

    std::size_t pairs() const;
};
AlignedAxis alignTokens(const std::vector<trace::Token>& first, const std::vector<trace::Token>& second,
                        AlignBy by, const std::stop_token& stop = {});

/// The axes of the maps of two runs: source with source, target with target. Cross rows are aligned by the
/// token they chose, decoder-self rows and columns by the token they were fed.
struct RunAlignment {
    AlignBy by = AlignBy::Pieces;
    std::array<AlignedAxis, 3> queries; ///< one a kind of attention
    std::array<AlignedAxis, 3> keys;

    const AlignedAxis& queriesOf(trace::AttentionKind kind) const {
        return queries[static_cast<std::size_t>(kind)];
    }
    const AlignedAxis& keysOf(trace::AttentionKind kind) const {
        return keys[static_cast<std::size_t>(kind)];
    }
};
RunAlignment alignRuns(const trace::Run& first, const trace::Run& second, const std::stop_token& stop = {});

/// Two steps of one run: one row of each of the decoder's maps, which stand beside each other over the same
/// keys. The encoder knows no steps: its maps have no row here.
RunAlignment alignSteps(const trace::Run& run, std::size_t first, std::size_t second);

} // namespace headscope::analysis
