#pragma once

#include "app/traces/trace_tensors.h"
#include "model/files/npy.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace headscope::app {

// One description of the arrays of a result writes and reads them: a function template that names each with
// its shape and its place in the result. Whatever reads returns false if the array is missing or does not
// fit, which is then a finding of the file.

using Shape = std::vector<std::int64_t>;

/// Writes arrays of the type of their elements.
class ArrayWriter {
  public:
    static constexpr bool writes = true;
    template <class T>
    using Of = const T;

    /// `of(i)` is the i-th element, row by row.
    template <class Element>
    bool each(const char* name, const Shape& shape, const Element& of) {
        std::vector<std::remove_cvref_t<decltype(of(std::size_t()))>> values;
        const auto n = static_cast<std::size_t>(files::checkedProduct(shape).value_or(0));
        for (std::size_t i = 0; i < n; ++i)
            values.push_back(of(i));
        arrays_.push_back(arrayOf(name, shape, values));
        return true;
    }
    template <class T>
    bool list(const char* name, const Shape& shape, const std::vector<T>& values) {
        arrays_.push_back(arrayOf(name, shape, values));
        return true;
    }
    /// Two dimensions.
    template <class T>
    bool rows(const char* name, const Shape& shape, const std::vector<std::vector<T>>& rows) {
        std::vector<T> values;
        for (const auto& row : rows)
            values.insert(values.end(), row.begin(), row.end());
        return list(name, shape, values);
    }
    std::vector<files::NamedArray> arrays() { return std::move(arrays_); }

  private:
    static files::NamedArray arrayOf(const char* name, const Shape& shape, const std::vector<float>& values) {
        return files::floatArray(name, shape, values);
    }
    static files::NamedArray arrayOf(const char* name, const Shape& shape,
                                     const std::vector<double>& values) {
        return files::doubleArray(name, shape, values);
    }
    static files::NamedArray arrayOf(const char* name, const Shape& shape,
                                     const std::vector<std::int64_t>& values) {
        return files::integerArray(name, shape, values);
    }
    static files::NamedArray arrayOf(const char* name, const Shape& shape,
                                     const std::vector<std::size_t>& values) {
        return files::integerArray(name, shape, std::vector<std::int64_t>(values.begin(), values.end()));
    }

    std::vector<files::NamedArray> arrays_;
};

/// The inverse. A negative size of a shape is any.
class ArrayReader {
  public:
    static constexpr bool writes = false;
    template <class T>
    using Of = T;

    explicit ArrayReader(TraceTensors& tensors) : tensors_(tensors) {}

    template <class Element>
    bool each(const char* name, const Shape& shape, const Element& of) {
        std::vector<std::remove_cvref_t<decltype(of(std::size_t()))>> values;
        if (!list(name, shape, values))
            return false;
        for (std::size_t i = 0; i < values.size(); ++i)
            of(i) = values[i];
        return true;
    }
    template <class T>
    bool list(const char* name, const Shape& shape, std::vector<T>& values) {
        const auto* stored = tensors_.find(name, shape);
        if (!stored)
            return false;
        if constexpr (std::is_same_v<T, float>) {
            values = tensors_.list(*stored);
        } else if constexpr (std::is_same_v<T, double>) {
            values = tensors_.doubles(*stored);
        } else {
            const auto numbers = tensors_.integers(*stored);
            values.assign(numbers.begin(), numbers.end());
        }
        return !values.empty();
    }
    template <class T>
    bool rows(const char* name, const Shape& shape, std::vector<std::vector<T>>& rows) {
        std::vector<T> values;
        if (!list(name, shape, values))
            return false;
        const auto count = tensors_.find(name, shape)->shape.front();
        const auto columns = static_cast<std::ptrdiff_t>(values.size()) / count;
        rows.clear();
        for (auto row = values.begin(); row != values.end(); row += columns)
            rows.emplace_back(row, row + columns);
        return true;
    }

  private:
    TraceTensors& tensors_;
};

} // namespace headscope::app
