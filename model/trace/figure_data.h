#pragma once

#include <string>
#include <variant>
#include <vector>

namespace headscope::trace {

/// One axis of an array: its name, such as "query", and the labels of its entries if they have any.
struct DataAxis {
    std::string name;
    std::vector<std::string> labels; ///< empty: indices from 0
    friend bool operator==(const DataAxis&, const DataAxis&) = default;
};

/// Named array, row-major. NaN: no value, as in a masked cell.
struct DataArray {
    std::string name; ///< such as "weights"; unique among the arrays
    std::vector<DataAxis> axes;
    std::vector<std::size_t> shape; ///< one size per axis
    std::vector<double> values;
};

using DataColumnValues = std::variant<std::vector<double>, std::vector<std::string>>;

/// Column of a table: numbers (NaN: no value) or texts.
struct DataColumn {
    std::string title;
    DataColumnValues values;
};

/// Table whose columns have equal length.
struct DataTable {
    std::string name; ///< such as "candidates"; unique among the tables
    std::vector<DataColumn> columns;
    std::size_t rows() const;
};

/// The numbers shown in a picture.
struct FigureData {
    std::vector<DataArray> arrays;
    std::vector<DataTable> tables;
    bool empty() const { return arrays.empty() && tables.empty(); }
};

} // namespace headscope::trace
