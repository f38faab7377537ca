#pragma once

#include "model/analysis/maps/cell_arithmetic.h"

#include <cstddef>
#include <optional>

namespace headscope::analysis {

/// Display options of a map of weights.
struct WeightView {
    bool words = false;          ///< group tokens into words
    bool withoutSpecial = false; ///< hide special keys and renormalise the remaining weights
};

/// The value that such a map shows for a cell, and the same value from recomputed weights.
struct ViewedWeight {
    bool isHidden = false;       ///< the key is special and hidden; all other members are meaningless
    std::size_t queryPieces = 1; ///< number of tokens in the query's word
    std::size_t keyPieces = 1;
    double together = 0;         ///< recomputed, in the cell's row: sum over the tokens of the key's word
    std::optional<double> kept;  ///< recomputed, in the cell's row: sum over all keys that are not special
    double computed = 0;         ///< the resulting value: mean over the tokens of the query's word
    std::optional<double> shown; ///< value in the map; empty if it is masked there
};

/// `cell` is the result of cellArithmetic() for `shown` and `projected`.
ViewedWeight viewedWeight(const trace::Run& shown, const trace::Run& projected, const CellArithmetic& cell,
                          const WeightView& view);

} // namespace headscope::analysis
