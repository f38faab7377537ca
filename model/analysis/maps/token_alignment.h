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

/// Units by which two runs are aligned.
enum class AlignBy {
    Pieces, ///< tokens, for runs with the same vocabulary
    Words,  ///< words, for different tokenizers; the tokens of a word are taken together
};

/// Pieces if both runs are of the same model, or their vocabularies have the same size and no id that occurs
/// in both runs has two different texts; otherwise words.
AlignBy alignedBy(const trace::Run& first, const trace::Run& second);

/// One unit of an axis: a token, or the tokens of a word.
struct AxisUnit {
    MapSpan tokens;
    std::string text; ///< text to compare: the token, or the word without its space mark
    trace::TokenRole role = trace::TokenRole::Text;
    friend bool operator==(const AxisUnit&, const AxisUnit&) = default;
};

/// Padding is skipped; the first input token of a decoder is its start token, even if it is the pad token.
std::vector<AxisUnit> axisUnits(const std::vector<trace::Token>& tokens, AlignBy by);

/// Whether two units have the same text, or are special tokens of the same role.
bool isSame(const AxisUnit& first, const AxisUnit& second);

/// A pair of aligned units of two sequences; one of them is empty if the other is unmatched.
struct AlignedPlace {
    std::optional<std::size_t> first;
    std::optional<std::size_t> second;
    bool same = false; ///< both exist and are equal

    bool isPair() const { return first && second; }
    friend bool operator==(const AlignedPlace&, const AlignedPlace&) = default;
};

/// Aligns two sequences by a longest common subsequence; of several, the leftmost in `first`, then in
/// `second`. If the same number of units lies between two matches on both sides, they are paired one by one
/// as replacements; otherwise they stay unmatched. Slow for long sequences: throws trace::Cancelled.
std::vector<AlignedPlace> alignUnits(const std::vector<AxisUnit>& first, const std::vector<AxisUnit>& second,
                                     const std::stop_token& stop = {});

/// The alignment of one axis of two maps.
struct AlignedAxis {
    std::vector<AxisUnit> first;
    std::vector<AxisUnit> second;
    std::vector<AlignedPlace> places; ///< indices into `first` and `second`

    std::size_t pairs() const;
};
AlignedAxis alignTokens(const std::vector<trace::Token>& first, const std::vector<trace::Token>& second,
                        AlignBy by, const std::stop_token& stop = {});

/// The alignment of the maps of two runs: source with source, target with target. Rows of cross-attention are
/// aligned by the tokens chosen there, rows and columns of decoder self-attention by the input tokens.
struct RunAlignment {
    AlignBy by = AlignBy::Pieces;
    std::array<AlignedAxis, 3> queries; ///< indexed by kind of attention
    std::array<AlignedAxis, 3> keys;

    const AlignedAxis& queriesOf(trace::AttentionKind kind) const {
        return queries[static_cast<std::size_t>(kind)];
    }
    const AlignedAxis& keysOf(trace::AttentionKind kind) const {
        return keys[static_cast<std::size_t>(kind)];
    }
};
RunAlignment alignRuns(const trace::Run& first, const trace::Run& second, const std::stop_token& stop = {});

/// Aligns two steps of one run: one row each of the decoder's maps, over the same keys. Encoder maps have no
/// rows in the result, because the encoder has no steps.
RunAlignment alignSteps(const trace::Run& run, std::size_t first, std::size_t second);

} // namespace headscope::analysis
