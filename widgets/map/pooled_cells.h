#pragma once

#include "model/trace/matrix.h"
#include "widgets/drawing/matrix_image.h"

#include <algorithm>
#include <cstddef>

namespace headscope::widgets {

/// Cells that stand for several each, filled one after the other: of the open ones the one that the pooling
/// says; closed where all are.
class PooledCells {
  public:
    PooledCells() = default;
    PooledCells(std::size_t rows, std::size_t columns, Pooling pooling)
        : values(rows, columns), open(rows, columns), met_(rows, columns), pooling_(pooling) {}

    void add(std::size_t row, std::size_t column, float value, bool isOpen) {
        if (!met_(row, column) || (isOpen && !open(row, column)))
            values(row, column) = value;
        else if (isOpen == (open(row, column) != 0))
            values(row, column) = pooledOf(values(row, column), value, pooling_);
        met_(row, column) = 1;
        open(row, column) = open(row, column) || isOpen;
    }

    trace::Matrix values;
    trace::MaskMatrix open;

  private:
    trace::MaskMatrix met_;
    Pooling pooling_ = Pooling::Extreme;
};

/// How many rows and columns one of at most `side` a side stands for.
inline std::size_t tokensACell(std::size_t rows, std::size_t columns, std::size_t side) {
    return std::max<std::size_t>(1, (std::max(rows, columns) + side - 1) / side);
}

} // namespace headscope::widgets
