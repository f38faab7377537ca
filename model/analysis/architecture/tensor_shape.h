#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::analysis {

/// How long what runs through a model is.
struct Lengths {
    std::int64_t batch = 1;
    std::int64_t source = 0; ///< S
    std::int64_t target = 0; ///< T
    friend bool operator==(const Lengths&, const Lengths&) = default;
};

/// One axis of a tensor, named as the field names it: N sentences, S source and T target tokens; the model
/// fixes the others.
struct Axis {
    enum class Along { Batch, Source, Target, Model };
    Along along = Along::Model;
    std::string letters;   ///< such as "d_model"
    std::int64_t size = 0; ///< of an axis that the model fixes; 0: not known

    std::int64_t length(const Lengths& lengths) const;
    friend bool operator==(const Axis&, const Axis&) = default;
};

using Shape = std::vector<Axis>;

/// "(N, T, d_model)"
std::string letters(const Shape& shape);
/// "(1, 11, 256)", with the letters of what is not known
std::string numbers(const Shape& shape, const Lengths& lengths);
/// How many numbers it holds; a double, because long texts have more than 64 bits count. NaN: not known.
double elements(const Shape& shape, const Lengths& lengths);

} // namespace headscope::analysis
