#pragma once

#include <cassert>
#include <compare>
#include <concepts>
#include <cstddef>
#include <utility>

namespace headscope::trace {

/// Place of something of one kind, from 0. `Of` tells the kinds apart: an index is never taken for one of
/// another kind, and compares with numbers by value, whatever their signs. It is a subscript as it stands.
template <class Of>
class Index {
  public:
    constexpr Index() = default;
    /// `number` is at least 0: who reads it from a file or from a person checks that.
    template <std::integral Number>
    constexpr Index(Number number) : number_(static_cast<std::size_t>(number)) {
        assert(std::cmp_greater_equal(number, 0));
    }

    constexpr operator std::size_t() const { return number_; }

    friend constexpr auto operator<=>(Index, Index) = default;
    template <std::integral Number>
    friend constexpr bool operator==(Index index, Number number) {
        return std::cmp_equal(index.number_, number);
    }
    template <std::integral Number>
    friend constexpr std::strong_ordering operator<=>(Index index, Number number) {
        return std::cmp_less(index.number_, number)    ? std::strong_ordering::less
               : std::cmp_equal(index.number_, number) ? std::strong_ordering::equal
                                                       : std::strong_ordering::greater;
    }
    template <class Other>
    requires(!std::same_as<Of, Other>) friend constexpr bool operator==(Index, Index<Other>) = delete;
    template <class Other>
    requires(!std::same_as<Of, Other>) friend constexpr std::strong_ordering
    operator<=>(Index, Index<Other>) = delete;

    constexpr Index& operator++() {
        ++number_;
        return *this;
    }
    /// A distance, which may be negative.
    friend constexpr std::ptrdiff_t operator-(Index a, Index b) {
        return static_cast<std::ptrdiff_t>(a.number_ - b.number_);
    }
    /// Further on or back, where there may be nothing, not even an index.
    template <std::integral Number>
    friend constexpr std::ptrdiff_t operator+(Index index, Number number) {
        return static_cast<std::ptrdiff_t>(index.number_) + static_cast<std::ptrdiff_t>(number);
    }
    template <std::integral Number>
    friend constexpr std::ptrdiff_t operator-(Index index, Number number) {
        return index + -static_cast<std::ptrdiff_t>(number);
    }

  private:
    std::size_t number_ = 0;
};

using LayerIndex = Index<struct OfLayers>;
using HeadIndex = Index<struct OfHeads>; ///< within its layer
using TokenIndex = Index<struct OfTokens>;

} // namespace headscope::trace
