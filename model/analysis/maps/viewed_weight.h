#pragma once

#include "model/analysis/maps/cell_arithmetic.h"

#include <cstddef>
#include <optional>

namespace headscope::analysis {

/// How a map of weights is looked at.
struct WeightView {
    bool words = false;          ///< instead of pieces
    bool withoutSpecial = false; ///< keys; the weights of the others are shared out again
};

/// What such a map shows where one of its cells stands, beside the same from weights that were computed.
struct ViewedWeight {
    bool isLeftOut = false;      ///< the key is special and has no place in the map; all else means nothing
    std::size_t queryPieces = 1; ///< of the word that the cell's row belongs to
    std::size_t keyPieces = 1;
    double together = 0;         ///< computed, of the cell's own row: all pieces of the key's word
    std::optional<double> kept;  ///< computed, of the same row: all keys that are not special
    double computed = 0;         ///< what follows, the mean over the query's pieces
    std::optional<double> shown; ///< by the map; nothing where it is closed there
};

/// Of one of `run`'s own cells, with `cell` computed from `projected` as cellArithmetic() does.
ViewedWeight viewedWeight(const trace::Run& shown, const trace::Run& projected, const CellArithmetic& cell,
                          const WeightView& view);

} // namespace headscope::analysis
