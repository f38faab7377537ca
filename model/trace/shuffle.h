#pragma once

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace headscope::trace {

/// Fisher-Yates shuffle. std::shuffle differs between builds.
template <class T>
void shuffle(std::vector<T>& values, std::mt19937_64& bits) {
    for (std::size_t i = values.size(); i > 1; --i)
        std::swap(values[i - 1], values[bits() % i]);
}

} // namespace headscope::trace
