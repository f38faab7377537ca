#pragma once

#include "app/traces/trace_fields.h"
#include "app/traces/trace_tensors.h"
#include "model/files/npy.h"
#include "model/trace/matrix.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace headscope::app {

// One description of the arrays of a result writes and reads them: a function template that names each with
// its shape and its place in the result. Whatever reads returns false if the array is missing or does not
// fit, which is then a finding of the file. What is written of stacks, steps and matrices is nothing if they
// are empty.

using Shape = std::vector<std::int64_t>;

inline std::size_t sizeOf(const Shape& shape) {
    return files::checkedProduct(shape).value_or(0);
}

/// Writes arrays of the type of their elements.
class ArrayWriter {
  public:
    static constexpr bool writes = true;
    template <class T>
    using Of = const T;

    /// `of(i)` is the i-th element, row by row.
    template <class Element>
    bool each(const std::string& name, const Shape& shape, const Element& of) {
        std::vector<std::remove_cvref_t<decltype(of(std::size_t()))>> values;
        const auto n = sizeOf(shape);
        for (std::size_t i = 0; i < n; ++i)
            values.push_back(of(i));
        return list(name, shape, values);
    }
    template <class Values>
    bool list(const std::string& name, const Shape& shape, const Values& values) {
        using T = typename Values::value_type;
        if constexpr (std::is_same_v<T, bool>)
            arrays_.push_back(files::booleanArray(name, shape, values));
        else if constexpr (std::is_same_v<T, float>)
            arrays_.push_back(files::floatArray(name, shape, values));
        else if constexpr (std::is_same_v<T, double>)
            arrays_.push_back(files::doubleArray(name, shape, values));
        else if constexpr (std::is_same_v<T, std::int64_t>)
            arrays_.push_back(files::integerArray(name, shape, values));
        else
            arrays_.push_back(
                files::integerArray(name, shape, std::vector<std::int64_t>(values.begin(), values.end())));
        return true;
    }
    void ids(const std::string& name, const std::vector<trace::Token>& tokens) {
        list(name, {size(tokens.size())}, trace::idsOf(tokens));
    }
    /// Two dimensions.
    template <class T>
    bool rows(const std::string& name, const Shape& shape, const std::vector<std::vector<T>>& rows) {
        std::vector<T> values;
        for (const auto& row : rows)
            values.insert(values.end(), row.begin(), row.end());
        return list(name, shape, values);
    }
    /// Stacks of one shape, one after the other: `of(i)` is the i-th. `outer` are the dimensions of their
    /// number, `inner` those of each: heads, rows and columns, or rows and columns of a single map.
    template <class Stack>
    bool stacks(const std::string& name, Shape outer, const Shape& inner, const Stack& of) {
        const std::size_t n = sizeOf(outer);
        if (n == 0 || of(0).empty())
            return true;
        const trace::HeadStack& first = of(0);
        std::vector<float> values;
        values.reserve(n * first.values().size());
        for (std::size_t i = 0; i < n; ++i) {
            const auto stack = of(i).values();
            values.insert(values.end(), stack.begin(), stack.end());
        }
        if (inner.size() == 3)
            outer.push_back(size(first.heads()));
        outer.insert(outer.end(), {size(first.rows()), size(first.columns())});
        return list(name, outer, values);
    }
    /// Two dimensions, of which the first is `n`: `of(i)` is the i-th row.
    template <class Row>
    void steps(const std::string& name, std::size_t n, const Row& of) {
        std::vector<float> values;
        for (std::size_t i = 0; i < n; ++i)
            values.insert(values.end(), of(i).begin(), of(i).end());
        if (!values.empty())
            list(name, {size(n), size(values.size() / n)}, values);
    }
    void matrix(const std::string& name, const Shape&, const trace::Matrix& matrix) {
        if (!matrix.empty())
            list(name, {size(matrix.rows()), size(matrix.columns())}, matrix.values());
    }
    std::vector<files::NamedArray> arrays() { return std::move(arrays_); }

  private:
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
    bool each(const std::string& name, const Shape& shape, const Element& of) {
        std::vector<std::remove_cvref_t<decltype(of(std::size_t()))>> values;
        if (!list(name, shape, values))
            return false;
        for (std::size_t i = 0; i < values.size(); ++i)
            of(i) = values[i];
        return true;
    }
    template <class T>
    bool list(const std::string& name, const Shape& shape, std::vector<T>& values) {
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
    bool rows(const std::string& name, const Shape& shape, std::vector<std::vector<T>>& rows) {
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

    /// Other types than int64 are passed over.
    void ids(const std::string& name, std::vector<trace::Token>& tokens) { tensors_.readIds(name, tokens); }
    std::size_t rank(const std::string& name) const { return tensors_.rank(name); }
    /// The stacks share the file's numbers.
    template <class Stack>
    bool stacks(const std::string& name, Shape outer, const Shape& inner, const Stack& of) {
        const std::size_t n = sizeOf(outer);
        outer.insert(outer.end(), inner.begin(), inner.end());
        const auto* stored = tensors_.find(name, outer);
        if (!stored)
            return false;
        const auto all = tensors_.values(*stored);
        const auto* last = &stored->shape.back();
        const std::size_t heads = inner.size() == 3 ? count(last[-2]) : 1, rows = count(last[-1]),
                          columns = count(last[0]);
        for (std::size_t i = 0; i < n; ++i)
            of(i) = trace::HeadStack(heads, rows, columns, {all, all.get() + i * heads * rows * columns});
        return true;
    }
    template <class Row>
    void steps(const std::string& name, std::size_t n, const Row& of) {
        const auto* stored = n > 0 ? tensors_.find(name, {size(n), -1}) : nullptr;
        if (!stored)
            return;
        const auto all = tensors_.values(*stored);
        const std::size_t columns = count(stored->shape[1]);
        for (std::size_t i = 0; i < n; ++i)
            of(i).assign(all.get() + i * columns, all.get() + (i + 1) * columns);
    }
    void matrix(const std::string& name, const Shape& shape, trace::Matrix& matrix) {
        if (const auto* stored = tensors_.find(name, shape))
            matrix = {count(stored->shape[0]), count(stored->shape[1]), tensors_.list(*stored)};
    }

  private:
    TraceTensors& tensors_;
};

} // namespace headscope::app
