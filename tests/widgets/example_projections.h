#pragma once

#include "tests/widgets/example_run.h"

#include <cmath>

namespace headscope::example {

/// Made-up queries, keys and values for every site of `run`, and the scores and weights that follow from
/// them.
inline std::shared_ptr<const trace::Run> withProjections(const trace::Run& run, std::size_t width = 8) {
    auto made = std::make_shared<trace::Run>(run);
    const auto fill = [&](std::size_t heads, std::size_t rows, double phase) {
        trace::HeadStack stack(heads, rows, width);
        for (std::size_t h = 0; h < heads; ++h)
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t i = 0; i < width; ++i)
                    stack.at(h, r, i) = static_cast<float>(
                        1.7 * std::sin(phase + static_cast<double>(h * 3 + r * 5 + i * i * (r + 2))));
        return stack;
    };
    for (auto* records : {&made->encoder, &made->decoder, &made->cross})
        for (auto& record : *records) {
            const std::size_t rows = record.weights.rows();
            const std::size_t columns = record.weights.columns();
            record.q = fill(record.weights.heads(), rows, 0.3);
            record.k = fill(record.weights.heads(), columns, 1.1);
            record.v = fill(record.weights.heads(), columns, 2.2);
            for (std::size_t h = 0; h < record.weights.heads(); ++h)
                for (std::size_t r = 0; r < rows; ++r) {
                    double sum = 0;
                    for (std::size_t c = 0; c < columns; ++c) {
                        double dot = 0;
                        for (std::size_t i = 0; i < width; ++i)
                            dot += double(record.q(h, r, i)) * double(record.k(h, c, i));
                        record.scores.at(h, r, c) = static_cast<float>(dot / std::sqrt(double(width)));
                        sum += record.mask(r, c) ? std::exp(double(record.scores(h, r, c))) : 0;
                    }
                    for (std::size_t c = 0; c < columns; ++c)
                        record.weights.at(h, r, c) =
                            record.mask(r, c)
                                ? static_cast<float>(std::exp(double(record.scores(h, r, c))) / sum)
                                : 0;
                }
        }
    return made;
}

} // namespace headscope::example
