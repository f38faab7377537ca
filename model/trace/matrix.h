#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace headscope::trace {

/// Non-owning view of a row-major matrix. Shape [rows, columns].
class MatrixView {
  public:
    MatrixView() = default;
    MatrixView(const float* values, std::size_t rows, std::size_t columns)
        : values_(values), rows_(rows), columns_(columns) {}

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    bool empty() const { return rows_ == 0 || columns_ == 0; }
    std::span<const float> row(std::size_t r) const {
        assert(r < rows_);
        return {values_ + r * columns_, columns_};
    }
    float operator()(std::size_t r, std::size_t c) const {
        assert(r < rows_ && c < columns_);
        return values_[r * columns_ + c];
    }

  private:
    const float* values_ = nullptr;
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
};

/// Row-major matrix that owns its values. Shape [rows, columns].
template <class T>
class BasicMatrix {
  public:
    BasicMatrix() = default;
    BasicMatrix(std::size_t rows, std::size_t columns, T fill = T())
        : rows_(rows), columns_(columns), values_(rows * columns, fill) {}
    /// `values` holds rows * columns elements.
    BasicMatrix(std::size_t rows, std::size_t columns, std::vector<T> values)
        : rows_(rows), columns_(columns), values_(std::move(values)) {
        assert(values_.size() == rows * columns);
    }

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    bool empty() const { return values_.empty(); }
    T& operator()(std::size_t r, std::size_t c) {
        assert(r < rows_ && c < columns_);
        return values_[r * columns_ + c];
    }
    T operator()(std::size_t r, std::size_t c) const {
        assert(r < rows_ && c < columns_);
        return values_[r * columns_ + c];
    }
    std::span<const T> row(std::size_t r) const {
        assert(r < rows_);
        return {values_.data() + r * columns_, columns_};
    }
    const std::vector<T>& values() const { return values_; }
    std::vector<T>& values() { return values_; }

    friend bool operator==(const BasicMatrix&, const BasicMatrix&) = default;

  private:
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
    std::vector<T> values_;
};

using Matrix = BasicMatrix<float>;

/// 1 = allowed, 0 = masked. Shape [queries, keys].
using MaskMatrix = BasicMatrix<std::uint8_t>;

inline MatrixView view(const Matrix& matrix) {
    return {matrix.values().data(), matrix.rows(), matrix.columns()};
}

/// One contiguous matrix per head. Shape [heads, rows, columns]. Values are copied on write.
class HeadStack {
  public:
    HeadStack() = default;
    HeadStack(std::size_t heads, std::size_t rows, std::size_t columns)
        : heads_(heads), rows_(rows), columns_(columns),
          values_(std::make_shared<std::vector<float>>(heads * rows * columns)) {}
    /// `values` holds heads * rows * columns elements.
    HeadStack(std::size_t heads, std::size_t rows, std::size_t columns, std::vector<float> values)
        : heads_(heads), rows_(rows), columns_(columns),
          values_(std::make_shared<std::vector<float>>(std::move(values))) {
        assert(values_->size() == heads * rows * columns);
    }
    /// View of heads * rows * columns elements stored elsewhere, such as in a file; nothing is copied.
    HeadStack(std::size_t heads, std::size_t rows, std::size_t columns,
              std::shared_ptr<const float> elsewhere)
        : heads_(heads), rows_(rows), columns_(columns), elsewhere_(std::move(elsewhere)) {}

    std::size_t heads() const { return heads_; }
    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    bool empty() const { return values().empty(); }
    MatrixView head(std::size_t h) const {
        assert(h < heads_);
        return {values().data() + h * rows_ * columns_, rows_, columns_};
    }
    float operator()(std::size_t h, std::size_t r, std::size_t c) const { return head(h)(r, c); }
    /// Not available for a view.
    float& at(std::size_t h, std::size_t r, std::size_t c) {
        assert(!elsewhere_ && h < heads_ && r < rows_ && c < columns_);
        if (values_.use_count() > 1)
            values_ = std::make_shared<std::vector<float>>(*values_);
        return (*values_)[(h * rows_ + r) * columns_ + c];
    }
    std::span<const float> values() const {
        if (elsewhere_)
            return {elsewhere_.get(), heads_ * rows_ * columns_};
        return values_ ? std::span<const float>(*values_) : std::span<const float>();
    }

    friend bool operator==(const HeadStack& one, const HeadStack& other) {
        return one.heads_ == other.heads_ && one.rows_ == other.rows_ && one.columns_ == other.columns_ &&
               (one.values().data() == other.values().data() ||
                std::ranges::equal(one.values(), other.values()));
    }

  private:
    std::size_t heads_ = 0;
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
    std::shared_ptr<std::vector<float>> values_; ///< null: empty, or a view
    std::shared_ptr<const float> elsewhere_;     ///< set for a view, instead of values_
};

} // namespace headscope::trace
