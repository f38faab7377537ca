#pragma once

#include "model/trace/matrix.h"
#include "model/trace/token.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// A range [first, last) of rows or columns of a map, shown as one row or column.
struct MapSpan {
    std::size_t first = 0;
    std::size_t last = 0;
    friend bool operator==(const MapSpan&, const MapSpan&) = default;
};

/// A transformed view of a map, for display only: results of the model are not recomputed from it.
struct MapTable {
    trace::Matrix values;         ///< [rows, columns]
    trace::MaskMatrix mask;       ///< [rows, columns], 1 = allowed
    std::vector<MapSpan> rows;    ///< rows of the map for each row of the view
    std::vector<MapSpan> columns; ///< columns of the map for each column of the view
};

/// Returns the unchanged map. `mask` has the shape of `values`.
MapTable tableOf(trace::MatrixView values, const trace::MaskMatrix& mask);

/// Masks the rows whose allowed cells are all NaN, and returns them.
std::vector<std::size_t> closeUndefinedRows(MapTable& table);

/// Removes the columns of special tokens. `keys` has one token per column of the map.
MapTable withoutSpecialKeys(const MapTable& table, const std::vector<trace::Token>& keys);

/// Divides the allowed cells of each row by their sum, separately for the columns before `divider` and from
/// it on. A part with sum 0 is not changed. Returns each row's previous sum over all columns.
std::vector<double> normaliseRows(MapTable& table, std::optional<std::size_t> divider = {});

/// Returns the share of each row's sum in `whole` that is kept in `sums`; NaN for rows that are masked or sum
/// to 0 in `whole`.
std::vector<double> keptShares(const MapTable& whole, const std::vector<double>& sums);

/// Returns the rows that keep less than `least` of their sum in `whole`: normalised, they are mostly noise.
std::vector<std::size_t> weakRows(const MapTable& whole, const std::vector<double>& sums,
                                  double least = 0.05);

/// Groups tokens into words. A word begins at a token with a space mark (U+2581) and at a special token, and
/// ends after a special token. Punctuation at the end of a word is a word of its own. If no token has a space
/// mark, every token is a word.
std::vector<MapSpan> wordsOf(const std::vector<trace::Token>& tokens);

/// Groups a map by words: sums over the tokens of a key word, averages over the tokens of a query word (Clark
/// et al. 2019, section 4.1), so that rows still sum to 1. Masked cells count as 0; a cell is masked if all
/// its tokens are; fully masked rows are excluded from the mean. `queries` and `keys` are rows and columns of
/// the original map; columns that `table` lacks are skipped.
MapTable byWords(const MapTable& table, const std::vector<MapSpan>& queries,
                 const std::vector<MapSpan>& keys);

/// Returns the column totals, [columns]: sums over the allowed, finite cells of each key. For cross-attention
/// weights this is the coverage of a source token (Tu et al. 2016).
std::vector<double> received(const MapTable& table);

} // namespace headscope::analysis
