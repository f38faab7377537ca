#pragma once

#include "model/trace/matrix.h"
#include "model/trace/token.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// Rows or columns [first, last) of a map that one of its view stands for.
struct MapSpan {
    std::size_t first = 0;
    std::size_t last = 0;
    friend bool operator==(const MapSpan&, const MapSpan&) = default;
};

/// A view of a map: nothing that a model computed from the map is computed again.
struct MapTable {
    trace::Matrix values;         ///< [rows, columns]
    trace::MaskMatrix mask;       ///< [rows, columns], 1 = open
    std::vector<MapSpan> rows;    ///< of the map, one a row of the view
    std::vector<MapSpan> columns; ///< of the map, one a column of the view
};

/// The map as it is. `mask` has the shape of `values`.
MapTable tableOf(trace::MatrixView values, const trace::MaskMatrix& mask);

/// Open rows that hold no number at all are closed. Returns them.
std::vector<std::size_t> closeUndefinedRows(MapTable& table);

/// Leaves out the columns whose token is special. `keys` holds one token a column of the map.
MapTable withoutSpecialKeys(const MapTable& table, const std::vector<trace::Token>& keys);

/// Divides the open cells of each row by their sum, apart for the columns before `divider` and from it on. A
/// part that sums to 0 stays as it is. Returns each row's sum before, of all its columns.
std::vector<double> normaliseRows(MapTable& table, std::optional<std::size_t> divider = {});

/// How much of what a row sums to in `whole` it keeps; NaN for one that is closed there or sums to 0. `sums`
/// holds the sums of what they keep.
std::vector<double> keptShares(const MapTable& whole, const std::vector<double>& sums);

/// Rows that keep less than `least` of what they sum to in `whole`: what is left of them is magnified noise.
std::vector<std::size_t> weakRows(const MapTable& whole, const std::vector<double>& sums,
                                  double least = 0.05);

/// Words of consecutive tokens: one begins at a piece with a space before it (U+2581) and at a special
/// token. Punctuation at the end of a word is a word of its own; where no piece has a space mark, all are.
std::vector<MapSpan> wordsOf(const std::vector<trace::Token>& tokens);

/// One column a key word, the sum over its pieces; one row a query word, the mean over its pieces (Clark et
/// al. 2019, section 4.1), so that rows that sum to 1 still do. Closed cells count as 0; a cell is closed if
/// all its pieces are, a query word's closed rows are left out of its mean. The words count rows and columns
/// of the map; columns that the table left out are no part of their words.
MapTable byWords(const MapTable& table, const std::vector<MapSpan>& queries,
                 const std::vector<MapSpan>& keys);

/// What each key receives from all rows: the sum over its open cells that are numbers, [columns]. Of
/// cross-attention's weights this is the coverage of a source token (Tu et al. 2016).
std::vector<double> received(const MapTable& table);

} // namespace headscope::analysis
