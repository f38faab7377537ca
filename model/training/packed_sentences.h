#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace headscope::training {

/// Concatenated sentences without padding. Only attention needs to know where each begins.
struct PackedSentences {
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> places;   ///< index of each token in its sentence
    std::vector<std::int64_t> begin{0}; ///< [sentences + 1]

    void add(std::span<const std::int64_t> sentence) {
        for (std::size_t place = 0; place < sentence.size(); ++place) {
            ids.push_back(sentence[place]);
            places.push_back(static_cast<std::int64_t>(place));
        }
        begin.push_back(static_cast<std::int64_t>(ids.size()));
    }
    std::size_t sentences() const { return begin.size() - 1; }
    std::size_t tokens() const { return ids.size(); }
};

/// Input and expected output of one forward pass.
struct PackedBatch {
    PackedSentences source;
    PackedSentences fed;              ///< decoder input; empty for a classifier
    std::vector<std::int64_t> wanted; ///< the token after each fed one, or the class of each sentence
};

} // namespace headscope::training
