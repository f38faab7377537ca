#include "model/analysis/tensor_shape.h"

namespace headscope::analysis {

namespace {

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
    return listed(shape, [&](const Axis& axis) { return std::to_string(axis.length(lengths)); });
}

double elements(const Shape& shape, const Lengths& lengths) {
    double count = 1;
    for (const Axis& axis : shape)
        count *= static_cast<double>(axis.length(lengths));
    return count;
}

} // namespace headscope::analysis
