#pragma once

#include "model/trace/matrix.h"
#include "widgets/drawing/matrix_image.h"

#include <algorithm>
#include <cstddef>

namespace headscope::widgets {

/// Cells that represent several cells each: the pooled value of the allowed ones, masked if all are masked.
/// Filled one by one.
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

/// Returns how many rows and columns a cell represents in a map of at most `side` x `side` cells.
inline std::size_t tokensACell(std::size_t rows, std::size_t columns, std::size_t side) {
    return std::max<std::size_t>(1, (std::max(rows, columns) + side - 1) / side);
}

} // namespace headscope::widgets
