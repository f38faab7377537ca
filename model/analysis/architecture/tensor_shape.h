#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::analysis {

/// Sizes of a model's input.
struct Lengths {
    std::int64_t batch = 1;
    std::int64_t source = 0; ///< S
    std::int64_t target = 0; ///< T
    friend bool operator==(const Lengths&, const Lengths&) = default;
};

/// One axis of a tensor with its usual letters: N sentences, S source tokens, T target tokens; all other axes
/// have a size fixed by the model.
struct Axis {
    enum class Along { Batch, Source, Target, Model };
    Along along = Along::Model;
    std::string letters;   ///< such as "d_model"
    std::int64_t size = 0; ///< of an axis with a fixed size; 0: not known

    std::int64_t length(const Lengths& lengths) const;
    friend bool operator==(const Axis&, const Axis&) = default;
};

using Shape = std::vector<Axis>;

/// "(N, T, d_model)"
std::string letters(const Shape& shape);
/// "(1, 11, 256)"; axes of unknown size are written as letters
std::string numbers(const Shape& shape, const Lengths& lengths);
/// Number of elements; a double because long texts can exceed 64 bits. NaN if a size is not known.
double elements(const Shape& shape, const Lengths& lengths);

} // namespace headscope::analysis
