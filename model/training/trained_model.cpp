#include "model/training/trained_model.h"

#include "model/analysis/translation/bleu.h"
#include "model/checkpoint/configure_network.h"
#include "model/checkpoint/save_model.h"
#include "model/trace/refusal.h"
#include "model/training/attention_entropies.h"
#include "model/training/training_network.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace headscope::training {

namespace {

using checkpoint::Settings;

/// Formats labels for the setting "labels"; empty if a label cannot be part of such a list.
std::string listOf(const std::vector<std::string>& labels) {
    std::string list;
    for (const auto& label : labels) {
        if (label.starts_with(' ') || label.find(',') != label.npos)
            return {};
        list += (list.empty() ? "" : ",") + label;
    }
    return list;
}

/// Sizes of a network that are determined by the corpus.
struct CorpusSizes {
    std::int64_t source = 0; ///< tokens
    std::int64_t target = 0;
    std::int64_t classes = 0;
};

/// Returns the settings of the family, overridden by those of the configuration.
Settings statedSettings(const TrainingConfig& config, const checkpoint::Family& family,
                        const CorpusSizes& sizes, const std::vector<std::string>& labels) {
    Settings settings;
    for (const auto& [key, value] : family.settings)
        settings.set(key, value, "the family " + family.key);
    const auto stated = [&](const char* key, const std::string& value) {
        if (!value.empty())
            settings.set(key, value, config.where);
    };
    stated("source_vocabulary_size", std::to_string(sizes.source));
    if (config.classifies()) {
        stated("decoder_layers", "0");
        stated("classes", std::to_string(sizes.classes));
        stated("labels", listOf(labels));
    } else {
        stated("target_vocabulary_size", std::to_string(sizes.target));
        stated("label_smoothing", std::to_string(config.labelSmoothing));
    }
    for (const auto& [key, value] : config.network)
        stated(key.c_str(), value);
    stated("source_language", config.sourceLanguage);
    stated("target_language", config.targetLanguage);
    return settings;
}

Settings settingsOf(const TrainingConfig& config, const checkpoint::Family& family,
                    const TrainedVocabulary& vocabulary, const std::vector<std::string>& labels) {
    auto settings = statedSettings(config, family,
                                   {.source = vocabulary.tokenizer->size(),
                                    .target = vocabulary.tokenizer->targetSize(),
                                    .classes = static_cast<std::int64_t>(labels.size())},
                                   labels);
    for (const auto& [key, value] : vocabulary.settings.all())
        settings.set(key, value.text, value.origin);
    return settings;
}

/// Collects the requirements that a network does not meet, for a single refusal.
class Fit {
  public:
    void check(bool fits, const std::string& wanted, const std::string& is) {
        if (fits)
            return;
        expected_ += (expected_.empty() ? "" : "; ") + wanted;
        found_ += (found_.empty() ? "" : "; ") + is;
    }

    /// The task determines whether there is a decoder, and the longest sentence the minimum number of
    /// positions.
    void checkWhatIsStated(const TrainingConfig& config, const network::NetworkConfig& network) {
        check((network.decoder.layers == 0) == config.classifies(),
              config.classifies() ? "no decoder_layers in a classifier" : "decoder_layers of 1 or more",
              std::to_string(network.decoder.layers));
        const std::int64_t longest = config.corpus.longest + 1;
        check(network.positions == network::PositionScheme::None || network.maximumPositions >= longest,
              "network.maximum_positions of at least corpus.longest + 1 = " + std::to_string(longest),
              std::to_string(network.maximumPositions));
    }

    void throwRefusal(const TrainingConfig& config) const {
        if (!found_.empty())
            throw trace::Refusal({.what = "The network does not fit what it is to be trained on",
                                  .where = config.where,
                                  .expected = expected_,
                                  .found = found_,
                                  .wayOut = "mend these keys and start again"});
    }

  private:
    std::string expected_;
    std::string found_;
};

/// The tokenizer determines the sizes of the embeddings, and the labels the number of classes.
network::NetworkConfig networkOf(const TrainingConfig& config, const checkpoint::Family& family,
                                 const TrainedVocabulary& vocabulary, std::size_t classes,
                                 const Settings& settings) {
    const auto network = checkpoint::configureNetwork(family, settings, config.where);
    Fit fit;
    fit.check(network.sourceVocabulary == vocabulary.tokenizer->size(),
              "network.source_vocabulary_size left out, or the vocabulary's " +
                  std::to_string(vocabulary.tokenizer->size()),
              std::to_string(network.sourceVocabulary));
    if (config.classifies())
        fit.check(network.classes == static_cast<std::int64_t>(classes),
                  "network.classes left out, or the corpus's " + std::to_string(classes) + " labels",
                  std::to_string(network.classes));
    else
        fit.check(network.targetVocabulary == vocabulary.tokenizer->targetSize(),
                  "network.target_vocabulary_size left out, or the vocabulary's " +
                      std::to_string(vocabulary.tokenizer->targetSize()),
                  std::to_string(network.targetVocabulary));
    fit.checkWhatIsStated(config, network);
    fit.throwRefusal(config);
    return network;
}

std::vector<PackedBatch> firstOf(const EncodedCorpus& corpus, std::size_t most) {
    std::vector<PackedBatch> examples;
    for (std::uint32_t i = 0; i < std::min(most, corpus.size()); ++i)
        examples.push_back(corpus.packed(std::array{i}, 0, 1));
    return examples;
}

/// Toy tasks have their own vocabulary. Without samples, users could only type unknown words.
std::string samplesOf(const TrainingConfig& config) {
    std::string samples;
    if (!config.isToy())
        return samples;
    auto corpus = config.corpus.toy;
    corpus.sentences = 12;
    ++corpus.seed; // not the training sentences
    for (const auto& pair : corpus::makeToyCorpus(corpus))
        samples += pair.source + "\n";
    return samples;
}

} // namespace

/// Assumes fitting values for sizes that only the corpus determines.
void refuseImpossibleNetwork(const TrainingConfig& config, const checkpoint::Family& family) {
    auto settings = statedSettings(
        config, family, {.source = config.vocabulary.size, .target = config.vocabulary.size, .classes = 2},
        {});
    const std::pair keys("source_vocabulary_size", "target_vocabulary_size");
    for (const auto& [one, other] : {keys, std::pair(keys.second, keys.first)})
        if (!config.classifies() && config.network.contains(one) && !config.network.contains(other))
            settings.set(other, config.network.at(one), config.where);
    const auto network = checkpoint::configureNetwork(family, settings, config.where);
    refuseUntrainable(network);
    Fit fit;
    fit.checkWhatIsStated(config, network);
    fit.throwRefusal(config);
}

TrainedModel::TrainedModel(const TrainingConfig& config, const checkpoint::Family& family,
                           TrainedVocabulary vocabulary, const std::vector<std::string>& labels)
    : config_(config), family_(family), vocabulary_(std::move(vocabulary)),
      settings_(settingsOf(config, family, vocabulary_, labels)),
      network_(networkOf(config, family, vocabulary_, labels.size(), settings_)), parameters_(network_) {}

void TrainedModel::write(const at::Tensor& parameters, const std::filesystem::path& folder,
                         bool halfPrecision) const {
    const c10::InferenceMode withoutAutograd;
    fill(parameters);
    checkpoint::saveModel({.network = network_,
                           .family = family_,
                           .settings = settings_,
                           .generation = {},
                           .tokenizerFiles = vocabulary_.files,
                           .attribution = config_.attribution,
                           .samples = samplesOf(config_)},
                          folder, halfPrecision ? files::ElementType::Float16 : files::ElementType::Float32);
}

void TrainedModel::fill(const at::Tensor& parameters) const {
    parameters_.write(parameters, network_);
}

void TrainedModel::measure(const at::Tensor& parameters, const EncodedCorpus& corpus,
                           const std::vector<corpus::ReferencedSource>& sources, const std::stop_token& stop,
                           Validation& validation) const {
    constexpr std::size_t examplesOfEntropy = 20;
    const c10::InferenceMode withoutAutograd;
    fill(parameters);
    validation.entropy = attentionEntropies(network_, firstOf(corpus, examplesOfEntropy), stop);
    if (sources.empty())
        return;
    analysis::BleuScore score;
    for (const auto& source : sources) {
        trace::throwIfStopped(stop);
        score.add(translate(source.source), source.references);
    }
    validation.bleu = score.result().score;
}

std::string TrainedModel::translate(const at::Tensor& parameters, const std::string& sentence) const {
    const c10::InferenceMode withoutAutograd;
    fill(parameters);
    return translate(sentence);
}

std::string TrainedModel::translate(const std::string& sentence) const {
    const auto tensorOf = [](const std::vector<std::int64_t>& ids) { return at::tensor(ids, at::kLong); };
    std::vector<std::int64_t> source;
    for (const auto& token : vocabulary_.tokenizer->encode(sentence))
        source.push_back(token.id);
    source.resize(std::min<std::size_t>(source.size(), config_.corpus.longest));
    source.push_back(vocabulary_.end);
    const auto open = at::ones({static_cast<std::int64_t>(source.size())}, at::kBool);
    const auto memory = network_.encode(network_.sourceEmbedding()(tensorOf(source), 0), open, {});
    auto state = network_.startDecoding(memory, open, config_.corpus.longest);
    std::vector<std::int64_t> output;
    std::int64_t next = vocabulary_.start;
    while (next != vocabulary_.end && static_cast<std::int64_t>(output.size()) < config_.corpus.longest) {
        const auto answer = network_.decode(tensorOf({next}), at::ones({1}, at::kBool), state, {});
        next = network_.logProbabilities(answer).argmax(-1).item<std::int64_t>();
        output.push_back(next);
    }
    if (next == vocabulary_.end)
        output.pop_back();
    return vocabulary_.tokenizer->decode(output);
}

} // namespace headscope::training
