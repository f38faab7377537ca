#include "model/training/sentence_rows.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace headscope::training {

SentenceRows::SentenceRows(const PackedSentences& packed, const std::vector<std::size_t>& rowBegins)
    : rows(static_cast<std::int64_t>(rowBegins.size()) - 1) {
    const auto begin = [&](std::int64_t row) { return packed.begin[rowBegins[row]]; };
    for (std::int64_t row = 0; row < rows; ++row)
        length = std::max(length, begin(row + 1) - begin(row));
    const auto numbers = [](const std::vector<std::int64_t>& values) {
        return at::tensor(values, at::kLong);
    };
    std::vector<std::int64_t> tokenAt, placeOf;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t place = 0; place < length; ++place) {
            tokenAt.push_back(std::min(begin(row) + place, begin(row + 1) - 1));
            if (begin(row) + place == tokenAt.back())
                placeOf.push_back(row * length + place);
        }
    std::vector<std::int64_t> sentenceOf;
    for (std::size_t s = 0; s < packed.sentences(); ++s)
        sentenceOf.resize(packed.begin[s + 1], static_cast<std::int64_t>(s));
    const auto token = numbers(tokenAt);
    ids = numbers(packed.ids).index_select(0, token);
    places = numbers(packed.places).index_select(0, token);
    sentence = numbers(sentenceOf).index_select(0, token).view({rows, length});
    tokens = numbers(placeOf);
    isRest = at::ones({rows * length}, at::kBool).index_fill_(0, tokens, 0).view({rows, length});
}

std::vector<std::size_t> rowBegins(const PackedBatch& batch) {
    constexpr std::int64_t longest = 40; // measured: from 30 to 60 it makes no difference
    const auto fits = [&](const PackedSentences& packed, std::size_t first, std::size_t end) {
        return packed.begin[end] - packed.begin[first] <= longest;
    };
    std::vector<std::size_t> begins{0};
    for (std::size_t s = 1; s < batch.source.sentences(); ++s)
        if (batch.fed.ids.empty() || !fits(batch.source, begins.back(), s + 1) ||
            !fits(batch.fed, begins.back(), s + 1))
            begins.push_back(s);
    begins.push_back(batch.source.sentences());
    return begins;
}

} // namespace headscope::training
