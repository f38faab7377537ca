#include "model/engine/summarise.h"

#include "model/checkpoint/architecture_settings.h"
#include "model/checkpoint/position_formula.h"
#include "model/checkpoint/supported_config.h"
#include "model/engine/run_memory.h"
#include "model/engine/tensor_values.h"
#include "model/files/read_file.h"
#include "model/network/matrix_product.h"
#include "model/trace/recompute_recipe.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

namespace headscope::engine {

namespace {

std::vector<std::pair<std::string, std::string>> architecture(const network::NetworkConfig& config,
                                                              const WeightsOrigin& origin) {
    std::vector<std::pair<std::string, std::string>> properties{{"format", origin.format}};
    if (!origin.prefix.empty())
        properties.emplace_back("prefix", origin.prefix);
    std::ranges::copy(origin.adapted, std::back_inserter(properties));
    for (const auto& property : checkpoint::architectureProperties())
        if (auto text = property.text ? property.text(config) : std::nullopt)
            properties.emplace_back(property.key, std::move(*text));
    return properties;
}

/// Returns an id from the settings. Refuses ids outside the vocabulary.
std::optional<std::int64_t> specialId(const checkpoint::Settings& settings, const std::string& key,
                                      std::int64_t vocabulary) {
    const auto id = settings.integer(key);
    if (id && *id >= vocabulary)
        settings.refuse(key, "an id below the vocabulary's " + std::to_string(vocabulary));
    return id;
}

/// The ids that end a target: those of the settings, then others of the generation settings, or else the
/// tokenizer's.
std::vector<std::int64_t> endsOf(const OpenModel& model, std::int64_t vocabulary) {
    auto ends = model.settings.integers("end_id");
    for (const auto id : ends)
        if (id >= vocabulary)
            model.settings.refuse("end_id", "an id below the vocabulary's " + std::to_string(vocabulary));
    for (const auto id : model.generation.ends)
        if (std::ranges::find(ends, id) == ends.end())
            ends.push_back(id);
    const auto ofTokenizer = model.tokenizer ? model.tokenizer->specialTokens() : text::SpecialTokens();
    const bool encoderAlone = model.network->config().decoder.layers == 0;
    const auto end = encoderAlone && ofTokenizer.separator ? ofTokenizer.separator : ofTokenizer.end;
    if (ends.empty() && end && *end < vocabulary)
        ends.push_back(*end);
    return ends;
}

/// The settings take precedence over what the tokenizer's files say.
trace::SpecialTokens specialTokens(const OpenModel& model) {
    const auto& config = model.network->config();
    const auto& settings = model.settings;
    const auto ofTokenizer = model.tokenizer ? model.tokenizer->specialTokens() : text::SpecialTokens();
    const auto target = config.decoder.layers > 0 ? config.targetVocabulary : config.sourceVocabulary;
    const auto source = config.encoder.layers > 0 ? config.sourceVocabulary : target;
    trace::SpecialTokens special{.start = specialId(settings, "start_id", target),
                                 .padding = specialId(settings, "pad_id", std::min(source, target)),
                                 .unknown = specialId(settings, "unknown_id", target),
                                 .sourcePrefix = settings.integers("source_prefix"),
                                 .sourceSuffix = settings.integers("source_suffix")};
    const auto fillIn = [&](std::optional<std::int64_t>& id, std::optional<std::int64_t> other) {
        if (!id && other && *other < target)
            id = other;
    };
    if (config.decoder.layers == 0) // it begins the texts of an encoder alone, as the separator ends them
        fillIn(special.start, ofTokenizer.classification);
    fillIn(special.start, ofTokenizer.start);
    fillIn(special.mask, ofTokenizer.mask);
    fillIn(special.padding, ofTokenizer.padding);
    fillIn(special.unknown, ofTokenizer.unknown);
    if (auto ends = endsOf(model, target); !ends.empty()) {
        special.end = ends.front();
        special.furtherEnds.assign(ends.begin() + 1, ends.end());
    }
    for (const auto* key : {"source_prefix", "source_suffix"})
        for (const auto id : settings.integers(key))
            if (id >= source)
                settings.refuse(key, "ids below the vocabulary's " + std::to_string(source));
    return special;
}

/// Converts ">>fra<<" to "fra".
std::vector<std::string> codesOf(std::vector<std::string> pieces) {
    for (auto& piece : pieces)
        piece = piece.substr(2, piece.size() - 4);
    return pieces;
}

/// Returns the block of a parameter: "encoder.0.self" for "encoder.0.self.query.weight", "encoder.final_norm"
/// for "encoder.final_norm.gain", "generator" for "generator.weight".
std::string blockOf(const std::string& role) {
    const bool inStack = role.starts_with("encoder.") || role.starts_with("decoder.");
    const bool inLayer = inStack && role.find_first_of("0123456789") == std::string_view("encoder.").size();
    std::size_t end = 0;
    for (int parts = inLayer ? 3 : inStack ? 2 : 1; parts > 0; --parts)
        end = role.find('.', end + 1);
    return role.substr(0, end);
}

std::shared_ptr<const trace::Matrix> tableOf(const network::TokenEmbedding& embedding) {
    const auto& table = embedding.positionTable();
    return table.defined() ? std::make_shared<const trace::Matrix>(matrix(table)) : nullptr;
}

/// Splits a list such as "negative, positive". Returns nothing unless there is one label per class.
std::vector<std::string> labelsOf(const std::string& text, std::int64_t classes) {
    std::vector<std::string> labels;
    std::istringstream list(text == checkpoint::Settings::noItems ? std::string() : text);
    for (std::string label; std::getline(list >> std::ws, label, ',');)
        labels.push_back(std::move(label));
    if (static_cast<std::int64_t>(labels.size()) != classes)
        labels.clear();
    return labels;
}

/// Returns nullopt if the folder names no head.
std::optional<trace::HeadAddress> firstHead(const checkpoint::Settings& settings,
                                            const trace::ModelSummary& model) {
    const auto text = settings.textOr("opens_at", "");
    if (text.empty())
        return std::nullopt;
    const auto head = trace::parseHeadAddress(text);
    const bool exists =
        head && head->site.layer < model.layers(head->site.kind) && head->head < model.heads(head->site.kind);
    if (!exists)
        settings.refuse("opens_at", "a head of this model, such as encoder.0.0");
    return head;
}

trace::PositionKind kindOf(network::PositionScheme scheme) {
    switch (scheme) {
    case network::PositionScheme::None:
        return trace::PositionKind::None;
    case network::PositionScheme::RelativeBuckets:
    case network::PositionScheme::LinearBias:
        return trace::PositionKind::DistanceBias;
    case network::PositionScheme::Rotary:
        return trace::PositionKind::Rotation;
    case network::PositionScheme::Disentangled:
        return trace::PositionKind::Disentangled;
    default:
        return trace::PositionKind::Added;
    }
}

/// Covers all distances until they share a bucket, and a few more.
std::shared_ptr<const trace::DistanceBias> biasOf(const std::vector<network::StackPositions>& tables) {
    if (tables.empty() || !tables.front().table().defined())
        return nullptr;
    const auto& buckets = tables.front().buckets();
    const std::int64_t reach = buckets.reach();
    const std::int64_t last = buckets.bothWays ? reach : 0; // later keys are masked
    std::vector<at::Tensor> biases;                         // [heads, distances] of each table
    for (const auto& table : tables)
        biases.push_back(
            table.bias(at::zeros({1}, at::kLong), at::arange(-reach, last + 1, at::kLong)).squeeze(1));
    auto made = std::make_shared<trace::DistanceBias>();
    made->first = -reach;
    for (auto offset = -reach; offset <= last; ++offset)
        made->buckets.push_back(buckets.of(offset));
    made->layers = tables.size();
    made->values = matrix(at::cat(biases));
    return made;
}

void addPositions(trace::ModelSummary& summary, const network::Transformer& network) {
    const auto& config = network.config();
    summary.positionKind =
        config.hasRelativeBias() ? trace::PositionKind::DistanceBias : kindOf(config.positions);
    if (config.encoder.layers > 0)
        summary.encoderBias = biasOf(network.encoderPositions());
    const auto& positions =
        config.encoder.layers > 0 ? network.encoderPositions(0) : network.decoderPositions(0);
    const auto& frequencies = positions.frequencies();
    for (std::int64_t pair = 0; frequencies.defined() && pair < frequencies.size(0); ++pair)
        summary.rotation.push_back(frequencies[pair].item<double>());
    if (config.sourceVocabulary > 0)
        summary.sourcePositions = tableOf(network.sourceEmbedding());
    if (config.decoder.layers == 0)
        return;
    summary.targetPositions = tableOf(network.targetEmbedding());
    summary.decoderBias = biasOf(network.decoderPositions());
}

/// Returns the lines that are not empty.
std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        if (!line.empty())
            lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace

std::shared_ptr<const trace::ModelSummary>
summarise(const OpenModel& model, const checkpoint::ModelFolder& folder, WeightsOrigin origin) {
    constexpr std::uint64_t largestAttribution = 1u << 20;
    constexpr std::uint64_t largestSamples = 1u << 16;
    const auto& config = model.network->config();
    const auto& settings = model.settings;
    auto summary = std::make_shared<trace::ModelSummary>();
    summary->name = settings.textOr("name", folder.name);
    summary->path = folder.weights.string();
    summary->family = model.family.key;
    summary->familyTitle = model.family.title;
    summary->familyTable = model.family.ownTable.string();
    for (const auto& [name, target] : checkpoint::linksOf(folder, model.tokenizerFiles))
        summary->links.emplace_back(name, target.string());
    summary->encoderLayers = config.encoder.layers;
    summary->decoderLayers = config.decoder.layers;
    summary->attendsToSource = config.hasCrossAttention();
    summary->encoderHeads = config.encoder.heads;
    summary->decoderHeads = config.decoder.heads;
    summary->modelWidth = config.modelWidth;
    summary->feedForwardWidth = config.firstStack().feedForwardWidth;
    summary->headWidth = config.firstStack().headWidth;
    if (config.hasCrossAttention() && config.decoder.feedForwardWidth != config.encoder.feedForwardWidth)
        summary->decoderFeedForwardWidth = config.decoder.feedForwardWidth;
    if (config.hasCrossAttention() && config.decoder.headWidth != config.encoder.headWidth)
        summary->decoderHeadWidth = config.decoder.headWidth;
    summary->sourceVocabulary = config.encoder.layers > 0 ? config.sourceVocabulary : config.targetVocabulary;
    summary->targetVocabulary = config.targetVocabulary;
    using trace::ClassifierOutput;
    auto& outputs = config.tokenPrediction == trace::TokenPrediction::Labels ? summary->tokenLabels
                    : config.classifierOutput == ClassifierOutput::Numbers   ? summary->numbers
                                                                             : summary->classes;
    outputs = config.classes;
    summary->areClassesSeparate = config.classifierOutput == ClassifierOutput::Labels;
    summary->tokenPrediction = config.tokenPrediction;
    summary->otherHead = checkpoint::otherHead(model.family, settings);
    summary->segments = config.segments;
    summary->maximumPositions = config.maximumPositions;
    if (config.maximumPositions == 0)
        summary->statedPositions = settings.integer("maximum_positions").value_or(0);
    // Programs store sinusoids beside what they trained.
    const double base = model.settings.number("position_base").value_or(10000);
    const bool areTrained = !checkpoint::positionFormula(*model.network, base);
    for (const auto& [role, parameter] : model.network->parameters()) {
        summary->bytes += network::bytesOf(parameter);
        if (!areTrained && (role == "source_positions" || role == "target_positions"))
            continue;
        summary->parameters += parameter.numel();
        const auto block = blockOf(role);
        if (summary->blocks.empty() || summary->blocks.back().first != block)
            summary->blocks.emplace_back(block, 0);
        summary->blocks.back().second += parameter.numel();
    }
    if (network::isSinusoid(config.positions)) { // tables from a formula are not parameters but use memory
        if (config.sourceVocabulary > 0)
            summary->bytes +=
                static_cast<std::int64_t>(model.network->sourceEmbedding().positionTable().nbytes());
        if (config.decoder.layers > 0)
            summary->bytes +=
                static_cast<std::int64_t>(model.network->targetEmbedding().positionTable().nbytes());
    }
    constexpr std::int64_t typicalTokens = 512;
    summary->mapTokens =
        config.maximumPositions > 0 ? std::min(typicalTokens, config.maximumPositions) : typicalTokens;
    const RunLengths lengths{.source = config.encoder.layers > 0 ? summary->mapTokens : 0,
                             .target = config.decoder.layers > 0 ? summary->mapTokens : 0,
                             .longestMap = trace::longestStoredMap};
    summary->mapBytes = static_cast<std::int64_t>(bytesOfRun(config, lengths));
    summary->architecture = architecture(config, origin);
    summary->tokenizer = model.tokenizer ? model.tokenizer->description() : "";
    summary->special = specialTokens(model);
    if (summary->special.mask)
        summary->maskPiece = model.tokenizer->piece(*summary->special.mask);
    summary->classLabels = labelsOf(settings.textOr("labels", ""), config.classes);
    summary->sourceLanguage = settings.textOr("source_language", "");
    summary->targetLanguage = settings.textOr("target_language", "");
    if (model.tokenizer) {
        summary->targetLanguages = codesOf(model.tokenizer->languages());
        for (const auto& language : model.tokenizer->languageTokens().all)
            summary->languages.push_back(language.code);
    }
    summary->readsPairs = config.decoder.layers == 0 && model.tokenizer &&
                          model.tokenizer->framed({.text = "a", .second = "a"}).has_value();
    summary->labelSmoothing = settings.number("label_smoothing").value_or(0);
    summary->decoding = model.generation.decoding;
    summary->newTokens = model.generation.newTokens;
    summary->unusedGeneration = model.generation.unused;
    summary->opensAt = firstHead(settings, *summary);
    summary->opensWithoutMask =
        config.decoder.layers > 0 && settings.yesOrNo("opens_without_mask").value_or(false);
    if (folder.attribution)
        summary->attribution = files::readText(*folder.attribution, largestAttribution);
    if (folder.samples)
        summary->samples = linesOf(files::readText(*folder.samples, largestSamples));
    summary->notes = std::move(origin.notes);
    std::ranges::copy(model.generation.notes, std::back_inserter(summary->notes));
    if (auto note = model.tokenizer ? model.tokenizer->note() : ""; !note.empty())
        summary->notes.push_back(std::move(note));
    summary->ignoredTensors = std::move(origin.ignoredTensors);
    summary->ignoredKeys = std::move(origin.ignoredKeys);
    addPositions(*summary, *model.network);
    return summary;
}

} // namespace headscope::engine
