#include "model/training/training_data.h"

#include "model/corpus/toy_corpus.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace headscope::training {

namespace {

void makeToy(const TrainingConfig& config, TrainingTexts& texts) {
    texts.train = corpus::makeToyCorpus(config.corpus.toy);
    auto unseen = config.corpus.toy;
    unseen.seed += 0x5DEECE66DU;
    unseen.sentences = std::min(unseen.sentences, config.corpus.validSentences);
    texts.valid = corpus::makeToyCorpus(unseen);
}

/// Holds out every n-th distinct source with all its lines, so that no sentence is both trained on and
/// measured.
void setAside(const CorpusConfig& config, TrainingTexts& texts) {
    std::unordered_map<std::string, std::int64_t> places; // index of each distinct source, from 1
    std::vector<corpus::TextPair> kept;
    for (auto& pair : texts.train) {
        const auto place =
            places.emplace(pair.source, static_cast<std::int64_t>(places.size()) + 1).first->second;
        const bool aside =
            place % config.validEvery == 0 && place / config.validEvery <= config.validSentences;
        (aside ? texts.valid : kept).push_back(std::move(pair));
    }
    texts.train = std::move(kept);
}

Framing framingOf(const TrainingConfig& config, const TrainedVocabulary& vocabulary) {
    const std::size_t longest = config.corpus.longest;
    Framing framing{.longestSource = longest, .longestTarget = longest};
    if (!config.classifies()) {
        framing.sourceSuffix = {vocabulary.end};
        framing.start = vocabulary.start;
        framing.end = vocabulary.end;
    }
    return framing;
}

} // namespace

TrainingTexts readTrainingTexts(const TrainingConfig& config, const std::stop_token& stop) {
    TrainingTexts texts;
    if (config.isToy())
        makeToy(config, texts);
    else {
        const bool labelFirst = config.classifies() && !config.corpus.swap;
        const auto read = labelFirst ? corpus::readLabelledTexts : corpus::readTextPairs;
        texts.train = read(config.corpus.train, stop);
        if (config.corpus.valid)
            texts.valid = read(*config.corpus.valid, stop);
    }
    if (config.corpus.swap && !config.classifies())
        for (auto* pairs : {&texts.train, &texts.valid})
            for (auto& pair : *pairs)
                std::swap(pair.source, pair.target);
    if (config.corpus.validEvery > 0)
        setAside(config.corpus, texts);
    texts.valid.resize(std::min<std::size_t>(texts.valid.size(), config.corpus.validSentences));
    if (config.classifies())
        texts.labels = labelsOf(texts.train);
    return texts;
}

TrainingData encodeTrainingTexts(const TrainingConfig& config, const TrainingTexts& texts,
                                 const TrainedVocabulary& vocabulary, const std::stop_token& stop) {
    const auto framing = framingOf(config, vocabulary);
    const auto encoded = [&](const std::vector<corpus::TextPair>& pairs) {
        return config.classifies()
                   ? EncodedCorpus::ofTexts(pairs, *vocabulary.tokenizer, framing, texts.labels, stop)
                   : EncodedCorpus::ofPairs(pairs, *vocabulary.tokenizer, framing, stop);
    };
    TrainingData data{.training = encoded(texts.train), .validation = encoded(texts.valid)};
    if (data.training.size() == 0)
        throw trace::Refusal(
            {.what = "There is nothing to train on",
             .where = config.corpus.train.string(),
             .expected = "sentences of at most " + std::to_string(config.corpus.longest) + " tokens",
             .found = std::to_string(data.training.leftOut()) + " longer or empty ones",
             .wayOut = "make corpus.longest larger"});
    data.samples = config.samples;
    constexpr std::size_t enough = 20;
    for (std::size_t i = 0; config.samples.empty() && i < std::min(texts.valid.size(), enough); ++i)
        data.samples.push_back(texts.valid[i].source);
    if (config.classifies())
        data.samples.clear(); // classifiers do not translate
    data.bleuSources = corpus::groupReferences(texts.valid);
    data.bleuSources.resize(std::min<std::size_t>(data.bleuSources.size(), config.bleuSentences));
    return data;
}

} // namespace headscope::training
