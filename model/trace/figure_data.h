#pragma once

#include <string>
#include <variant>
#include <vector>

namespace headscope::trace {

/// One side of an array: what it counts, such as "query", and the name of every place, where they have names.
struct DataAxis {
    std::string name;
    std::vector<std::string> labels; ///< empty: numbers from 0
    friend bool operator==(const DataAxis&, const DataAxis&) = default;
};

/// Numbers with the axes they stand on, row-major. NaN: no number, as in a cell that the mask closes.
struct DataArray {
    std::string name; ///< such as "weights"; one of its kind
    std::vector<DataAxis> axes;
    std::vector<std::size_t> shape; ///< one size an axis
    std::vector<double> values;
};

using DataColumnValues = std::variant<std::vector<double>, std::vector<std::string>>;

/// A column of a table: numbers (NaN: none) or texts.
struct DataColumn {
    std::string title;
    DataColumnValues values;
};

/// Columns of one length.
struct DataTable {
    std::string name; ///< such as "candidates"; one of its kind
    std::vector<DataColumn> columns;
    std::size_t rows() const;
};

/// The numbers behind a picture.
struct FigureData {
    std::vector<DataArray> arrays;
    std::vector<DataTable> tables;
    bool empty() const { return arrays.empty() && tables.empty(); }
};

} // namespace headscope::trace
