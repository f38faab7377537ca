#include "model/analysis/architecture/tensor_shape.h"

#include <limits>

namespace headscope::analysis {

namespace {

bool isKnown(const Axis& axis) {
    return axis.along != Axis::Along::Model || axis.size > 0;
}

template <class Name>
std::string listed(const Shape& shape, Name&& name) {
    std::string text = "(";
    for (const Axis& axis : shape)
        text += (&axis == &shape.front() ? "" : ", ") + name(axis);
    return text + ")";
}

} // namespace

std::int64_t Axis::length(const Lengths& lengths) const {
    switch (along) {
    case Along::Batch:
        return lengths.batch;
    case Along::Source:
        return lengths.source;
    case Along::Target:
        return lengths.target;
    case Along::Model:
        break;
    }
    return size;
}

std::string letters(const Shape& shape) {
    return listed(shape, [](const Axis& axis) { return axis.letters; });
}

std::string numbers(const Shape& shape, const Lengths& lengths) {
    return listed(shape, [&](const Axis& axis) {
        return isKnown(axis) ? std::to_string(axis.length(lengths)) : axis.letters;
    });
}

double elements(const Shape& shape, const Lengths& lengths) {
    double count = 1;
    for (const Axis& axis : shape)
        count *= isKnown(axis) ? static_cast<double>(axis.length(lengths))
                               : std::numeric_limits<double>::quiet_NaN();
    return count;
}

} // namespace headscope::analysis
