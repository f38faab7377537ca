#include "model/corpus/toy_corpus.h"

#include <algorithm>
#include <random>

namespace headscope::corpus {

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

} // namespace

std::vector<TextPair> makeToyCorpus(const ToyCorpus& corpus) {
    std::mt19937_64 bits(corpus.seed);
    // Own distribution, because those of the standard library differ between builds.
    const auto below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(n));
    };
    std::vector<TextPair> pairs;
    for (std::int64_t i = 0; i < corpus.sentences; ++i) {
        std::vector<std::string> words(corpus.shortest + below(corpus.longest - corpus.shortest + 1));
        for (auto& word : words)
            word = "w" + std::to_string(1 + below(corpus.words));
        TextPair pair{.source = joined(words), .target = {}};
        if (corpus.task == ToyTask::Reverse)
            std::reverse(words.begin(), words.end());
        pair.target = joined(words);
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

} // namespace headscope::corpus
