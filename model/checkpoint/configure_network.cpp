#include "model/checkpoint/configure_network.h"

#include "model/checkpoint/architecture_settings.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace headscope::checkpoint {

namespace {

using network::Biases;
using network::NetworkConfig;
using network::PositionScheme;

constexpr std::int64_t mostLayers = 1024;
constexpr std::int64_t widest = 1 << 20;
constexpr std::int64_t mostRows = std::numeric_limits<std::int32_t>::max();

/// A bias flag with its setting, and a role that shows whether a family has the bias.
struct BiasFlag {
    const char* key;
    bool Biases::*flag;
    const char* role;
};
constexpr std::array<BiasFlag, 5> biasFlags{{
    {"bias_query_key_value", &Biases::queryKeyValue, "STACK.0.self.query.bias"},
    {"bias_attention_output", &Biases::attentionOutput, "STACK.0.self.output.bias"},
    {"bias_feed_forward", &Biases::feedForward, "STACK.0.feed_forward.in.bias"},
    {"bias_generator", &Biases::generator, "generator.bias"},
    {"bias_norm", &Biases::norm, "STACK.0.norm_self.bias"},
}};

/// Puts the name of the family's first stack in place of the mark.
std::string roleOf(std::string role, const Family& family) {
    constexpr std::string_view mark = "STACK";
    if (role.starts_with(mark))
        role.replace(0, mark.size(), family.firstStack());
    return role;
}

/// Reads all settings and collects the errors, so that one refusal can list them all.
class NetworkReader {
  public:
    NetworkReader(const Family& family, const Settings& settings) : family_(family), settings_(settings) {}

    NetworkConfig read() {
        readSizes();
        readHeads();
        readPositions();
        readTies();
        for (const auto& property : architectureProperties())
            if (property.read)
                read(property);
        readFinalNorms();
        readBiases();
        const bool allHaveExperts =
            config_.decoder.experts.count > 0 && config_.decoder.experts.layers.empty();
        const auto gate = roleOf(allHaveExperts ? "STACK.0.feed_forward.experts.0.gate.weight"
                                                : "STACK.0.feed_forward.gate.weight",
                                 family_);
        config_.feedForwardGate = yesOrNo("feed_forward_gate", has(gate) && !family_.isOptional(gate));
        needRole("feed_forward_gate", config_.feedForwardGate, gate);
        readQueryKeyNorm();
        needRole("norm", config_.encoder.normScheme == network::NormScheme::Sandwich,
                 roleOf("STACK.0.norm_self_after.gain", family_));
        needRole("embedding_norm", config_.firstStack().embeddingNorm,
                 family_.firstStack() + ".embedding_norm.gain");
        return config_;
    }

    void throwRefusals(const std::string& where) const {
        if (!refused_.empty())
            throw trace::Refusal({.what = "The configuration does not describe a network that can be made",
                                  .where = where,
                                  .expected = expected_,
                                  .found = found_,
                                  .wayOut = "write these keys as in the config.json of a converted model"});
    }

  private:
    template <class Work>
    void attempt(const std::string& key, Work&& work) {
        try {
            work();
        } catch (const trace::Refusal& refusal) {
            add(key, refusal.text().expected, refusal.text().found);
        }
    }

    void read(const ArchitectureProperty& property) {
        attempt(property.key, [&] { property.read(config_, settings_, property.key); });
    }

    void add(const std::string& key, const std::string& expected, const std::string& found) {
        const char* separator = refused_.empty() ? "" : "; ";
        refused_.insert(key);
        expected_ += separator + key + ": " + expected;
        found_ += separator + key + ": " + found;
    }

    /// Returns `otherwise` if the setting is missing; the setting is required if `otherwise` is empty.
    std::int64_t size(const std::string& key, std::int64_t least, std::int64_t most,
                      std::optional<std::int64_t> otherwise = {}) {
        std::int64_t size = otherwise.value_or(least);
        attempt(key, [&] {
            const auto stated = settings_.integer(key);
            if (stated ? *stated < least || *stated > most : !otherwise)
                settings_.refuse(key, std::to_string(least) + " to " + std::to_string(most));
            size = stated.value_or(size);
        });
        return size;
    }

    bool yesOrNo(const std::string& key, bool otherwise) {
        attempt(key, [&] { otherwise = settings_.yesOrNo(key).value_or(otherwise); });
        return otherwise;
    }

    bool has(const std::string& role) const { return family_.tensorName(role).has_value(); }

    void needRole(const std::string& key, bool wanted, const std::string& role) {
        if (wanted && !has(role))
            add(key, "none: the family " + family_.key + " has no tensor for it", "one that is wanted");
    }

    void readSizes() {
        const bool encodes = family_.hasStack("encoder");
        const bool decodes = has("target_embedding.weight");
        if (encodes)
            config_.encoder.layers = size("encoder_layers", 1, mostLayers);
        config_.sharedLayers = encodes && family_.sharesLayers();
        if (!encodes)
            config_.decoder.layers = size("decoder_layers", 1, mostLayers);
        else
            config_.decoder.layers =
                size("decoder_layers", 0, decodes ? mostLayers : 0, decodes ? config_.encoder.layers : 0);
        config_.modelWidth = size("model_width", 1, widest);
        const auto inner = size("feed_forward_width", 1, 4 * widest, 4 * config_.modelWidth);
        if (encodes)
            config_.encoder.feedForwardWidth = inner;
        if (config_.decoder.layers > 0)
            config_.decoder.feedForwardWidth = size("decoder_feed_forward_width", 1, 4 * widest, inner);
        readExperts(inner);
        const bool hasBridge = has("bridge.weight") && config_.decoder.layers > 0;
        config_.decoder.width = size("decoder_width", 0, hasBridge ? widest : 0, 0);
        config_.decoderSegments =
            size("decoder_segments", 0, has("target_segment_embedding.weight") ? mostRows : 0, 0);
        const bool embeds = has("source_embedding.weight");
        const bool mustEmbed = embeds && !family_.isOptional("source_embedding.weight");
        config_.sourceVocabulary = size("source_vocabulary_size", mustEmbed ? 1 : 0, embeds ? mostRows : 0,
                                        embeds ? std::nullopt : std::optional<std::int64_t>(0));
        if (config_.decoder.layers > 0)
            config_.targetVocabulary =
                size("target_vocabulary_size", 1, mostRows,
                     config_.sourceVocabulary > 0 ? std::optional(config_.sourceVocabulary) : std::nullopt);
        const bool classifies = has("classifier.weight") || has("token_labels.weight");
        const bool mustClassify = has("classifier.weight") && !family_.isOptional("classifier.weight");
        config_.classes = size("classes", mustClassify ? 1 : 0, classifies ? mostRows : 0,
                               mustClassify ? std::nullopt : std::optional<std::int64_t>(0));
        config_.segments = size("segments", 0, has("segment_embedding.weight") ? mostRows : 0, 0);
        config_.embeddingWidth =
            size("embedding_width", 0, has("embedding_projection.weight") ? widest : 0, 0);
        config_.targetEmbeddingWidth =
            size("target_embedding_width", 0, has("target_embedding_projection.weight") ? widest : 0, 0);
        readHead();
    }

    void readExperts(std::int64_t inner) {
        const std::string part = "decoder.0.feed_forward.";
        auto& stack = config_.decoder;
        auto& experts = stack.experts;
        experts.count =
            size("experts", has(part + "in.weight") ? 0 : 1,
                 stack.layers > 0 && has(part + "router.weight") ? mostExperts / stack.layers : 0, 0);
        if (experts.count == 0)
            return;
        experts.width = size("expert_width", 1, 4 * widest, inner);
        experts.sharedWidth =
            size("shared_expert_width", 0, has(part + "shared.in.weight") ? 4 * widest : 0, 0);
        attempt("expert_layers", [&] {
            const auto every = settings_.integer("expert_layer_every").value_or(1);
            const auto listed = settings_.integers("expert_layers"),
                       dense = settings_.integers("dense_layers");
            std::vector<bool> have;
            for (std::int64_t layer = 0; layer < stack.layers; ++layer)
                have.push_back(listed.empty() ? every > 0 && (layer + 1) % every == 0 &&
                                                    std::ranges::find(dense, layer) == dense.end()
                                              : std::ranges::find(listed, layer) != listed.end());
            const auto with = std::ranges::count(have, true);
            if (with == 0)
                experts = {};
            else if (with < stack.layers)
                experts.layers = std::move(have);
        });
        if (experts.count > 0 && experts.layers.empty())
            stack.feedForwardWidth = experts.width;
    }

    void readHead() {
        using trace::TokenPrediction;
        attempt("token_prediction", [&] {
            const auto stated =
                settings_.textOr("token_prediction", std::string(name(TokenPrediction::None)));
            std::string possible(name(TokenPrediction::None));
            for (const auto& [prediction, role] :
                 {std::pair(TokenPrediction::Masked, "masked_tokens.bias"),
                  std::pair(TokenPrediction::Replaced, "replaced_tokens.bias"),
                  std::pair(TokenPrediction::Labels, "token_labels.bias"),
                  std::pair(TokenPrediction::Span, "answer_span.bias")}) {
                const bool labels = prediction == TokenPrediction::Labels;
                if ((config_.classes > 0) != labels || config_.sourceVocabulary == 0 || !has(role))
                    continue;
                possible += " or " + std::string(name(prediction));
                if (stated == name(prediction))
                    config_.tokenPrediction = prediction;
            }
            if (stated != name(config_.tokenPrediction))
                settings_.refuse("token_prediction", possible);
        });
        const std::string role(headRole(config_));
        const bool isProjection =
            settings_.textOr(role + "_activation", "") == name(network::Activation::None);
        config_.head.hidden =
            has(role + "_hidden.weight") && (!isProjection || config_.targetEmbeddingWidth > 0);
        config_.head.norm = has(role + "_norm.gain");
    }

    void readHeads() {
        const auto heads = size("heads", 1, 65536);
        const bool divides = config_.modelWidth % heads == 0;
        if (!divides && !refused_.contains("model_width") && !settings_.find("head_width"))
            add("heads",
                "a number that divides model_width " + std::to_string(config_.modelWidth) +
                    ", or a head_width",
                std::to_string(heads));
        const auto width =
            size("head_width", 1, widest, std::max<std::int64_t>(1, config_.modelWidth / heads));
        if (heads * width > 16 * widest)
            add("head_width", "at most " + std::to_string(16 * widest) + " over all heads",
                std::to_string(heads * width));
        const auto fitting = std::min(width, 16 * widest / heads);
        const auto shared = size("key_value_heads", 1, heads, heads);
        if (heads % shared != 0)
            add("key_value_heads", "a number that divides the " + std::to_string(heads) + " heads",
                std::to_string(shared));
        const auto keyValueHeads = [&](std::int64_t own) {
            return own == heads && heads % shared == 0 && shared != heads ? shared : 0;
        };
        if (config_.encoder.layers > 0) {
            config_.encoder.heads = heads;
            config_.encoder.headWidth = fitting;
            config_.encoder.keyValueHeads = keyValueHeads(heads);
        }
        if (config_.decoder.layers > 0) {
            const auto own = size("decoder_heads", 1, 65536, heads);
            config_.decoder.heads = own;
            config_.decoder.keyValueHeads = keyValueHeads(own);
            config_.decoder.headWidth =
                own == heads && config_.decoder.width == 0
                    ? fitting
                    : std::max<std::int64_t>(1, config_.widthOf(config_.decoder) / own);
        }
    }

    void readPositions() {
        attempt("positions", [&] { config_.positions = choosePositions(settings_, "positions"); });
        if (config_.encoder.layers > 0 && config_.sourceVocabulary == 0 && !isInAttention(config_.positions))
            config_.positions = PositionScheme::None; // input vectors already include positions
        config_.positionsPerLayer = config_.positions == PositionScheme::RelativeBuckets &&
                                    has(family_.firstStack() + ".0.relative_bias");
        needRole("positions", config_.positions == PositionScheme::RelativeBuckets,
                 family_.firstStack() + (config_.positionsPerLayer ? ".0.relative_bias" : ".relative_bias"));
        needRole("positions", config_.positions == PositionScheme::Disentangled,
                 family_.firstStack() + ".distances");
        if (config_.positions == PositionScheme::Table) {
            needRole("positions", true, config_.encoder.layers > 0 ? "source_positions" : "target_positions");
            config_.maximumPositions = size("maximum_positions", 1, mostPositions(config_), 512);
            config_.firstPosition = size("first_position", 0, mostPositions(config_), 0);
            if (config_.hasCrossAttention() && settings_.find("decoder_maximum_positions"))
                config_.decoderRows = {.usable = size("decoder_maximum_positions", 1, mostPositions(config_)),
                                       .first = size("decoder_first_position", 0, mostPositions(config_), 0)};
        }
        const std::string bias = family_.firstStack() + ".relative_bias";
        config_.relativeBias = config_.positions != PositionScheme::RelativeBuckets &&
                               yesOrNo("relative_bias", /*otherwise=*/false);
        needRole("relative_bias", config_.relativeBias, bias);
        for (const auto& property : positionFlags(config_.positions))
            read(property);
        if (config_.relativeBias)
            for (const auto& property : positionFlags(PositionScheme::RelativeBuckets))
                read(property);
    }

    /// If the family decides by the tensors ("if-present"), assumes that final norms exist.
    void readFinalNorms() {
        const bool tensorsTell = settings_.textOr("final_norm", "yes") == "if-present";
        const auto role = family_.firstStack() + ".final_norm.gain";
        const bool wanted = tensorsTell ? has(role) : yesOrNo("final_norm", /*otherwise=*/true);
        needRole("final_norm", wanted, role);
        config_.encoder.finalNorm = config_.encoder.layers > 0 && wanted;
        config_.decoder.finalNorm =
            tensorsTell && config_.decoder.layers > 0 ? has("decoder.final_norm.gain") : wanted;
    }

    void readBiases() {
        for (const auto& [key, flag, named] : biasFlags) {
            const auto role = roleOf(named, family_);
            const bool known = has(role);
            const bool wanted = yesOrNo(key, known);
            needRole(key, wanted, role);
            if (!wanted && known && !family_.isOptional(role))
                add(key, "yes: every model of the family " + family_.key + " has it", "no");
            config_.biases.*flag = wanted;
        }
    }

    void readQueryKeyNorm() {
        using network::QueryKeyNorm;
        const auto text = settings_.textOr("query_key_norm", "none");
        for (const auto norm : {QueryKeyNorm::PerHead, QueryKeyNorm::Whole})
            if (text == name(norm))
                config_.queryKeyNorm = norm;
        if (text != name(config_.queryKeyNorm))
            add("query_key_norm", "none, per-head or whole", text);
        needRole("query_key_norm", config_.queryKeyNorm != QueryKeyNorm::None,
                 roleOf("STACK.0.self.query_norm.gain", family_));
    }

    void readTies() {
        config_.tiedSourceTarget = yesOrNo("tied_source_target", false);
        config_.tiedGenerator = yesOrNo("tied_generator", false);
        if (config_.decoder.layers == 0) {
            config_.tiedSourceTarget = false;
            config_.tiedGenerator &= config_.tokenPrediction == trace::TokenPrediction::Masked;
        } else if (!config_.hasCrossAttention())
            config_.tiedSourceTarget = false;
        else if (config_.tiedSourceTarget && config_.sourceVocabulary != config_.targetVocabulary)
            add("tied_source_target", "no, because the vocabularies differ in size", "yes");
        if (config_.hasCrossAttention()) {
            config_.tiedPositions = family_.shareTensor("source_positions", "target_positions");
            config_.tiedStacks = yesOrNo("tied_stacks", /*otherwise=*/false);
            config_.tiedDecoderAttention =
                family_.shareTensor("decoder.0.self.query.weight", "decoder.0.cross.query.weight");
        }
        if (config_.decoder.layers > 0)
            needRole("tied_generator: no", !config_.tiedGenerator, "generator.weight");
    }

    const Family& family_;
    const Settings& settings_;
    NetworkConfig config_;
    std::set<std::string> refused_;
    std::string expected_;
    std::string found_;
};

std::string listed(const std::vector<std::string>& items) {
    std::string list;
    for (const auto& item : items)
        list += (list.empty() ? "" : ",") + item;
    return list;
}

void stateRotation(Settings& settings, const NetworkConfig& config) {
    const auto& rotation = config.rotation;
    if (rotation == network::Rotation())
        return;
    const auto state = [&](const char* key, std::string text) {
        settings.set(key, std::move(text), "the network");
    };
    state("rotary_part", exactly(rotation.part));
    if (rotation.interleaved)
        state("rotary_pairs", "interleaved");
    state("rotary_scaling", std::string(name(rotation.scaling)));
    state("rotary_factor", exactly(rotation.factor));
    state("rotary_low", exactly(rotation.low));
    state("rotary_high", exactly(rotation.high));
    state("rotary_length", exactly(rotation.length));
    if (rotation.originalLength > 0)
        state("rotary_original_length", exactly(rotation.originalLength));
    std::vector<std::string> shares;
    for (const double share : rotation.shares)
        shares.push_back(exactly(share));
    if (!shares.empty())
        state("rotary_shares", listed(shares));
}

} // namespace

NetworkConfig configureNetwork(const Family& family, const Settings& settings, const std::string& where) {
    NetworkReader reader(family, settings);
    const auto config = reader.read();
    reader.throwRefusals(where);
    return config;
}

void stateShape(Settings& settings, const NetworkConfig& config) {
    const auto number = [&](const char* key, std::int64_t value) {
        settings.set(key, std::to_string(value), "the network");
    };
    const auto word = [&](const char* key, bool yes) {
        settings.set(key, yes ? "yes" : "no", "the network");
    };
    if (config.encoder.layers > 0)
        number("encoder_layers", config.encoder.layers);
    number("decoder_layers", config.decoder.layers);
    number("model_width", config.modelWidth);
    number("feed_forward_width", config.firstStack().feedForwardWidth);
    number("heads", config.firstStack().heads);
    number("head_width", config.firstStack().headWidth);
    if (config.encoder.layers > 0)
        number("source_vocabulary_size", config.sourceVocabulary);
    if (config.classes > 0)
        number("classes", config.classes);
    if (config.tokenPrediction != trace::TokenPrediction::None)
        word("tied_generator", config.tiedGenerator);
    if (config.decoder.layers > 0) {
        number("target_vocabulary_size", config.targetVocabulary);
        if (config.hasCrossAttention()) {
            word("tied_source_target", config.tiedSourceTarget);
            number("decoder_heads", config.decoder.heads);
            number("decoder_feed_forward_width", config.decoder.feedForwardWidth);
        }
        word("tied_generator", config.tiedGenerator);
    }
    for (const auto& property : architectureProperties())
        if (property.stated == Stated::Yes)
            if (auto text = property.text(config))
                settings.set(property.key, std::move(*text), "the network");
    if (config.maximumPositions > 0)
        number("maximum_positions", config.maximumPositions);
    stateRotation(settings, config);
    if (config.decoder.window > 0) {
        std::vector<std::string> layers;
        for (int layer = 0; layer < config.decoder.layers; ++layer)
            if (config.decoder.isWindowed(layer))
                layers.push_back(std::to_string(layer));
        settings.set("windowed_layers", listed(layers), "the network");
    }
    // If only one of encoder and decoder has a final norm, the tensors have to decide.
    if (!config.hasCrossAttention() || config.encoder.finalNorm == config.decoder.finalNorm)
        word("final_norm", config.firstStack().finalNorm);
}

} // namespace headscope::checkpoint
