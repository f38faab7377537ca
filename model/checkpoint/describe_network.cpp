#include "model/checkpoint/describe_network.h"

#include "model/checkpoint/architecture_settings.h"
#include "model/checkpoint/missing_settings.h"
#include "model/checkpoint/supported_config.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

namespace headscope::checkpoint {

namespace {

using network::NetworkConfig;
using network::PositionScheme;
using network::StackConfig;

/// Returns the shape of a tensor that must have `rank` dimensions.
std::vector<std::int64_t> shapeOf(const TensorLookup& tensors, const Family& family, const std::string& role,
                                  std::size_t rank, const std::string& where) {
    const auto* tensor = tensors.find(role);
    const auto shape = tensor ? withoutOnes(tensor->shape, rank) : std::vector<std::int64_t>();
    for (const auto size : shape)
        if (size < 1 || size > std::numeric_limits<std::int32_t>::max())
            tensor = nullptr;
    if (!tensor || shape.size() != rank)
        throw trace::Refusal({.what = "The model's sizes cannot be read from its tensors",
                              .where = where,
                              .expected = "a tensor " + family.tensorName(role).value_or(role) + " of " +
                                          std::to_string(rank) + " dimensions",
                              .found = tensors.find(role)
                                           ? "shape " + files::shapeText(tensors.find(role)->shape)
                                           : "no such tensor",
                              .wayOut = "check that --family fits this file"});
    return shape;
}

/// Layers that share their weights are counted by the settings alone.
int countedBySettings(const Settings& settings, const std::string& key) {
    constexpr std::int64_t most = 1000;
    const auto layers = settings.integer(key).value_or(0);
    if (layers < 1 || layers > most)
        settings.refuse(key, "1 to " + std::to_string(most) + ": the layers share their weights");
    return layers;
}

/// Returns how many experts a layer has. Refuses another number of them than the router chooses among, and
/// too many.
int countExperts(const TensorLookup& tensors, const std::string& feedForward, std::int64_t chosenAmong,
                 std::int64_t most, const std::string& where) {
    std::int64_t count = 0;
    while (count <= most && tensors.find(feedForward + "experts." + std::to_string(count) + ".in.weight"))
        ++count;
    if (count != chosenAmong || count > most)
        throw trace::Refusal(
            {.what = "The experts of this model do not fit their router",
             .where = where,
             .expected = std::to_string(chosenAmong) + " experts a layer, at most " + std::to_string(most),
             .found = count > most ? "more" : std::to_string(count),
             .wayOut = "check that the file is whole and that --family fits it"});
    return count;
}

/// Reads which layers have experts, which their routers tell, and sizes that differ between such layers and
/// others.
void readFeedForward(StackConfig& config, const std::string& stack, const TensorLookup& tensors,
                     const Family& family, const std::string& where) {
    const auto roleIn = [&](std::ptrdiff_t layer, const char* part) {
        return stack + "." + std::to_string(layer) + ".feed_forward." + part;
    };
    const auto rowsOf = [&](std::ptrdiff_t layer, const char* part) {
        return shapeOf(tensors, family, roleIn(layer, part), 2, where)[0];
    };
    std::vector<bool> have(config.layers, false);
    for (int layer = 0; layer < config.layers; ++layer)
        have[layer] = tensors.find(roleIn(layer, "router.weight")) != nullptr;
    const auto sparse = std::ranges::find(have, true) - have.begin(); // the first one
    const auto dense = std::ranges::find(have, false) - have.begin();
    const bool hasSparse = sparse < config.layers, hasDense = dense < config.layers;
    auto& experts = config.experts;
    if (hasSparse) {
        experts.count = countExperts(tensors, roleIn(sparse, ""), rowsOf(sparse, "router.weight"),
                                     mostExperts / config.layers, where);
        experts.width = rowsOf(sparse, "experts.0.in.weight");
        if (tensors.find(roleIn(sparse, "shared.in.weight")))
            experts.sharedWidth = rowsOf(sparse, "shared.in.weight");
    }
    config.feedForwardWidth = hasSparse && !hasDense ? experts.width : rowsOf(dense, "in.weight");
    if (hasSparse && hasDense)
        experts.layers = std::move(have);
}

/// `stack` is "encoder" or "decoder".
void readStack(StackConfig& config, const std::string& stack, const TensorLookup& tensors,
               const Family& family, const Settings& settings, const std::string& where) {
    config.layers = family.sharesLayers() && stack == "encoder"
                        ? countedBySettings(settings, "encoder_layers")
                    : settings.yesOrNo("tied_stacks").value_or(false)
                        ? countedBySettings(settings, stack + "_layers")
                        : tensors.countLayers(stack + ".{layer}.self.query.weight");
    if (config.layers > 0 || stack == family.firstStack())
        readFeedForward(config, stack, tensors, family, where);
}

/// Reads what only some embeddings have: vectors of segments, and a projection to d_model.
void readEmbedding(NetworkConfig& config, const TensorLookup& tensors, const Family& family,
                   const std::string& where) {
    if (tensors.find("segment_embedding.weight"))
        config.segments = shapeOf(tensors, family, "segment_embedding.weight", 2, where)[0];
    if (tensors.find("embedding_projection.weight"))
        config.embeddingWidth = shapeOf(tensors, family, "embedding_projection.weight", 2, where)[1];
}

/// Some families store classifiers of texts and of tokens under one name. Then the class of the model tells
/// them apart, or else a hidden layer, which only those of texts have.
bool labelsTokens(const TensorLookup& tensors, const Family& family, const Settings& settings) {
    if (!tensors.find("token_labels.weight"))
        return false;
    if (!family.shareTensor("token_labels.weight", "classifier.weight"))
        return true;
    const auto named = modelClass(settings);
    return named.empty() ? !tensors.find("classifier_hidden.weight")
                         : named.ends_with("ForTokenClassification");
}

void readLayersOfHead(NetworkConfig& config, const TensorLookup& tensors) {
    const std::string role(headRole(config));
    config.head.hidden = tensors.find(role + "_hidden.weight") != nullptr;
    config.head.norm = tensors.find(role + "_norm.gain") != nullptr;
}

/// The tensors tell which head an encoder has.
void readHead(NetworkConfig& config, const TensorLookup& tensors, const Family& family,
              const Settings& settings, const std::string& where) {
    using trace::TokenPrediction;
    if (family.hasStack("decoder") || !otherHead(family, settings).empty())
        return;
    if (labelsTokens(tensors, family, settings)) {
        config.classes = shapeOf(tensors, family, "token_labels.weight", 2, where)[0];
        config.tokenPrediction = TokenPrediction::Labels;
    } else if (tensors.find("answer_span.weight"))
        config.tokenPrediction = TokenPrediction::Span;
    else if (family.tensorName("classifier.weight") &&
             (tensors.find("classifier.weight") || !family.isOptional("classifier.weight")))
        config.classes = shapeOf(tensors, family, "classifier.weight", 2, where)[0];
    else if (tensors.find("masked_tokens.bias")) // the weight may be the embedding
        config.tokenPrediction = TokenPrediction::Masked;
    else if (tensors.find("replaced_tokens.bias"))
        config.tokenPrediction = TokenPrediction::Replaced;
    readLayersOfHead(config, tensors);
    if (config.tokenPrediction == TokenPrediction::Masked)
        config.tiedGenerator = tensors.areTied("source_embedding.weight", "masked_tokens.weight");
}

void readSizes(NetworkConfig& config, const TensorLookup& tensors, const Family& family,
               const Settings& settings, const std::string& where) {
    config.modelWidth = shapeOf(tensors, family, family.firstStack() + ".0.self.query.weight", 2, where)[1];
    if (family.hasStack("encoder")) {
        readStack(config.encoder, "encoder", tensors, family, settings, where);
        config.sharedLayers = family.sharesLayers();
        if (tensors.find("source_embedding.weight") || !family.isOptional("source_embedding.weight"))
            config.sourceVocabulary = shapeOf(tensors, family, "source_embedding.weight", 2, where)[0];
    }
    readEmbedding(config, tensors, family, where);
    readHead(config, tensors, family, settings, where);
    // Without target embeddings the decoder has no input, so only the encoder is shown.
    if (!family.tensorName("target_embedding.weight"))
        return;
    readStack(config.decoder, "decoder", tensors, family, settings, where);
    if (config.decoder.layers == 0)
        return;
    config.targetVocabulary = shapeOf(tensors, family, "target_embedding.weight", 2, where)[0];
    if (tensors.find("target_embedding_projection.weight"))
        config.targetEmbeddingWidth =
            shapeOf(tensors, family, "target_embedding_projection.weight", 2, where)[1];
    config.tiedGenerator = tensors.areTied("target_embedding.weight", "generator.weight");
    readLayersOfHead(config, tensors);
    if (tensors.find("target_segment_embedding.weight"))
        config.decoderSegments = shapeOf(tensors, family, "target_segment_embedding.weight", 2, where)[0];
    if (!config.hasCrossAttention())
        return;
    const auto width = shapeOf(tensors, family, "decoder.0.self.query.weight", 2, where)[1];
    if (width != config.modelWidth)
        config.decoder.width = width;
    config.tiedStacks = settings.yesOrNo("tied_stacks").value_or(false);
    config.tiedSourceTarget = tensors.areTied("source_embedding.weight", "target_embedding.weight");
    config.tiedPositions = family.shareTensor("source_positions", "target_positions");
    config.tiedDecoderAttention =
        family.shareTensor("decoder.0.self.query.weight", "decoder.0.cross.query.weight");
}

/// Throws all missing settings at once if any of them is required to open the model.
void refuseMissing(const NetworkConfig& sizes, std::int64_t queryRows, const Settings& settings,
                   const std::string& where) {
    auto missing = missingSettings(sizes, queryRows, settings);
    const auto stopsOpening = [](const auto& setting) { return setting.need == trace::Need::ToOpen; };
    if (std::any_of(missing.begin(), missing.end(), stopsOpening))
        throw trace::MissingSettings(std::move(missing), where);
}

/// Refuses a stated size other than `told`, which follows from the rows of a projection.
void refuseUnlessEqual(const Settings& settings, const std::string& key, std::int64_t told,
                       const std::string& projection) {
    if (const auto stated = settings.integer(key); stated && *stated != told)
        settings.refuse(key, std::to_string(told) + ", from the rows of the " + projection +
                                 " projection and the number of heads");
}

void readHeads(NetworkConfig& config, const TensorLookup& tensors, const Family& family,
               const Settings& settings, const std::string& where) {
    const auto heads = settings.integer("heads");
    const auto read = [&](StackConfig& stack, const std::string& name, std::optional<std::int64_t> count,
                          const char* key) {
        const auto rows = shapeOf(tensors, family, name + ".0.self.query.weight", 2, where)[0];
        if (!count || *count < 1 || *count > rows || rows % *count != 0)
            settings.refuse(key, "a number of heads that divides the " + std::to_string(rows) +
                                     " rows of the query projection (weights do not tell it)");
        stack.heads = *count;
        stack.headWidth = rows / *count;
        const auto keyRows = shapeOf(tensors, family, name + ".0.self.key.weight", 2, where)[0];
        const auto shared = keyRows / stack.headWidth;
        if (shared < 1 || keyRows % stack.headWidth != 0 || *count % shared != 0)
            settings.refuse(key, "a number of heads that divides the rows of the projections, " +
                                     std::to_string(rows) + " of queries and " + std::to_string(keyRows) +
                                     " of keys");
        // A configuration of other weights would give wrong numbers; a person may try other heads.
        if (name == family.firstStack() && !settings.find(key)->origin.starts_with("--")) {
            refuseUnlessEqual(settings, "head_width", stack.headWidth, "query");
            refuseUnlessEqual(settings, "key_value_heads", shared, "key");
        }
        if (shared != *count)
            stack.keyValueHeads = shared;
    };
    if (config.encoder.layers > 0)
        read(config.encoder, "encoder", heads, "heads");
    if (config.decoder.layers > 0) {
        const auto own = settings.integer("decoder_heads");
        read(config.decoder, "decoder", own ? own : heads, own ? "decoder_heads" : "heads");
    }
}

/// Role of the table of positions that is read first.
const char* tableRole(const NetworkConfig& config) {
    return config.encoder.layers > 0 ? "source_positions" : "target_positions";
}

PositionScheme positionScheme(const NetworkConfig& config, const TensorLookup& tensors,
                              const Settings& settings) {
    const auto scheme = choosePositions(settings, "positions");
    const bool tableIsMissing = scheme == PositionScheme::Table && !tensors.find(tableRole(config));
    return tableIsMissing && settings.find("positions_if_missing")
               ? choosePositions(settings, "positions_if_missing")
               : scheme;
}

void readTable(NetworkConfig& config, const TensorLookup& tensors, const Family& family,
               const Settings& settings, const std::string& where) {
    const auto read = [&](const char* role, const char* key, std::int64_t otherwise) {
        const auto rows = shapeOf(tensors, family, role, 2, where)[0];
        const auto first = settings.integer(key).value_or(otherwise);
        if (first >= rows)
            settings.refuse(key, "a row of the table of " + std::to_string(rows) + " positions");
        return network::PositionRows{.usable = rows - first, .first = first};
    };
    const auto rows = read(tableRole(config), "first_position", 0);
    config.maximumPositions = rows.usable;
    config.firstPosition = rows.first;
    if (!config.hasCrossAttention() || !tensors.find("target_positions"))
        return;
    if (const auto own = read("target_positions", "decoder_first_position", rows.first); own != rows)
        config.decoderRows = own;
}

void readPositions(NetworkConfig& config, const TensorLookup& tensors, const Family& family,
                   const Settings& settings, const std::string& where) {
    config.positions = positionScheme(config, tensors, settings);
    if (config.encoder.layers > 0 && config.sourceVocabulary == 0 && !isInAttention(config.positions))
        config.positions = PositionScheme::None; // input vectors already include positions
    if (config.positions == PositionScheme::Table)
        readTable(config, tensors, family, settings, where);
    config.relativeBias = config.positions != PositionScheme::RelativeBuckets &&
                          tensors.find(family.firstStack() + ".relative_bias") != nullptr;
    if (config.relativeBias)
        for (const auto& property : positionFlags(PositionScheme::RelativeBuckets))
            property.read(config, settings, property.key);
    config.positionsPerLayer = config.positions == PositionScheme::RelativeBuckets &&
                               family.tensorName(family.firstStack() + ".0.relative_bias").has_value();
    for (const auto& property : positionFlags(config.positions))
        property.read(config, settings, property.key);
}

void readFinalNorms(NetworkConfig& config, const TensorLookup& tensors, const Settings& settings) {
    const bool tensorsTell = settings.textOr("final_norm", "yes") == "if-present";
    const auto finalNorm = [&](const char* role) {
        return tensorsTell ? tensors.find(role) != nullptr : settings.yesOrNo("final_norm").value_or(true);
    };
    config.encoder.finalNorm = config.encoder.layers > 0 && finalNorm("encoder.final_norm.gain");
    config.decoder.finalNorm = finalNorm("decoder.final_norm.gain");
}

/// The family's table determines the biases; for optional ones the file decides.
network::Biases biasesOf(const TensorLookup& tensors, const Family& family) {
    const auto has = [&](const std::string& role) {
        return family.tensorName(role).has_value() && (!family.isOptional(role) || tensors.find(role));
    };
    const auto layer = family.firstStack() + ".0.";
    return {.queryKeyValue = has(layer + "self.query.bias"),
            .attentionOutput = has(layer + "self.output.bias"),
            .feedForward = has(layer + "feed_forward.in.bias"),
            .generator = has("generator.bias"),
            .norm = has(layer + "norm_self.bias")};
}

/// A gain of queries tells whether heads are normed one by one.
network::QueryKeyNorm queryKeyNorm(const NetworkConfig& config, const TensorLookup& tensors,
                                   const Family& family) {
    const auto* gain = tensors.find(family.firstStack() + ".0.self.query_norm.gain");
    if (!gain)
        return network::QueryKeyNorm::None;
    return withoutOnes(gain->shape, 1) == std::vector<std::int64_t>{config.firstStack().headWidth}
               ? network::QueryKeyNorm::PerHead
               : network::QueryKeyNorm::Whole;
}

/// Embedding scale that some programs store as a tensor with one element.
std::optional<double> storedScale(const TensorLookup& tensors, const Family& family) {
    const auto* tensor = family.tensorName("embedding_scale") ? tensors.find("embedding_scale") : nullptr;
    if (!tensor || tensor->type != files::ElementType::Float32 || files::checkedProduct(tensor->shape) != 1u)
        return std::nullopt;
    float scale = 0;
    std::memcpy(&scale, tensor->bytes->data() + tensor->offset, sizeof scale);
    return scale;
}

/// Throws trace::Refusal if sizes in the configuration differ from those of the tensors. The configuration of
/// an encoder that was taken from a translator describes the decoder, too.
void checkClaims(const NetworkConfig& config, const Settings& settings, const std::string& where) {
    const auto& stack = config.firstStack();
    const std::string_view feedForwardWidth = "feed_forward_width";
    const bool allHaveExperts = stack.experts.count > 0 && stack.experts.layers.empty();
    const std::array<std::pair<std::string_view, std::int64_t>, 9> sizes{
        {{"encoder_layers", config.encoder.layers},
         {"decoder_layers", config.decoder.layers},
         {"model_width", config.modelWidth},
         {feedForwardWidth, stack.feedForwardWidth},
         {"experts", stack.experts.count},
         {"expert_width", stack.experts.width},
         {"shared_expert_width", stack.experts.sharedWidth},
         {"source_vocabulary_size", config.sourceVocabulary},
         {"target_vocabulary_size", config.targetVocabulary}}};
    std::string expected, found;
    for (const auto& [key, size] : sizes) {
        const auto claimed = settings.integer(std::string(key));
        const bool isLeftOut = key == "decoder_layers" && modelClass(settings).ends_with("EncoderModel");
        const bool isOfNone = key == feedForwardWidth && allHaveExperts;
        if (!claimed || *claimed == size || isLeftOut || isOfNone)
            continue;
        expected += (expected.empty() ? "" : ", ") + std::string(key) + " " + std::to_string(*claimed);
        found += (found.empty() ? "" : ", ") + std::string(key) + " " + std::to_string(size);
    }
    if (!found.empty())
        throw trace::Refusal({.what = "The weights are not those that the configuration describes",
                              .where = where,
                              .expected = expected,
                              .found = found,
                              .wayOut = "put the config.json that belongs to these weights beside them"});
}

} // namespace

network::NetworkConfig describeNetwork(const TensorLookup& tensors, const Family& family,
                                       const Settings& settings, const std::string& where) {
    NetworkConfig config;
    readSizes(config, tensors, family, settings, where);
    checkClaims(config, settings, where);
    refuseMissing(config, shapeOf(tensors, family, family.firstStack() + ".0.self.query.weight", 2, where)[0],
                  settings, where);
    readHeads(config, tensors, family, settings, where);
    readPositions(config, tensors, family, settings, where);
    readFinalNorms(config, tensors, settings);
    for (const auto& property : architectureProperties())
        if (property.read)
            property.read(config, settings, property.key);
    if (const auto stored = storedScale(tensors, family))
        config.embeddingScale = *stored;
    config.biases = biasesOf(tensors, family);
    config.queryKeyNorm = queryKeyNorm(config, tensors, family);
    const auto feedForward = family.firstStack() + ".0.feed_forward.";
    config.feedForwardGate =
        tensors.find(feedForward + "gate.weight") || tensors.find(feedForward + "experts.0.gate.weight");
    return config;
}

} // namespace headscope::checkpoint
