#include "model/checkpoint/generation_config.h"

#include "model/checkpoint/foreign_ids.h"
#include "model/checkpoint/model_folder.h"
#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::checkpoint {

namespace {

using nlohmann::json;
using trace::BeamRule;
using trace::Refusal;

/// Unsupported options of generate() that affect decoding, with their neutral values.
const std::array<std::pair<const char*, json>, 9>& notFollowed() {
    static const std::array<std::pair<const char*, json>, 9> options{{
        {"encoder_repetition_penalty", 1.0},
        {"encoder_no_repeat_ngram_size", 0},
        {"diversity_penalty", 0.0},
        {"num_beam_groups", 1},
        {"penalty_alpha", nullptr},
        {"typical_p", 1.0},
        {"min_p", nullptr},
        {"exponential_decay_length_penalty", nullptr},
        {"sequence_bias", nullptr},
    }};
    return options;
}

BeamRule beamRule(const json& config, const std::string& where) {
    const auto found = config.find("early_stopping");
    if (found == config.end() || found->is_null() || *found == false)
        return BeamRule::GenerateHeuristic;
    if (*found == true)
        return BeamRule::GenerateEarly;
    if (*found == "never")
        return BeamRule::GenerateNever;
    throw Refusal({.what = "The generation settings cannot be used",
                   .where = where + ", \"early_stopping\"",
                   .expected = "true, false or \"never\"",
                   .found = found->dump(-1, ' ', false, json::error_handler_t::replace),
                   .wayOut = "correct the file, or remove the key"});
}

int count(const json& config, const char* key, int otherwise, const std::string& where) {
    constexpr int most = 1'000'000;
    const auto value = files::integerAt(config, key, where, otherwise);
    if (value < 0 || value > most)
        throw Refusal({.what = "The generation settings cannot be used",
                       .where = where + ", \"" + key + "\"",
                       .expected = "a number from 0 to " + std::to_string(most),
                       .found = std::to_string(value),
                       .wayOut = "correct the file, or remove the key"});
    return value;
}

/// Reads the ids of a configuration. Those outside the vocabulary, which a smaller model keeps of the larger
/// one that its configuration was made for, are left out and noted.
class IdReader {
  public:
    IdReader(const json& config, std::int64_t vocabulary, const std::string& where)
        : config_(config), vocabulary_(vocabulary), where_(where) {}

    /// Reads an id, a list of them, or null.
    std::vector<std::int64_t> all(const char* key) {
        const auto found = config_.find(key);
        if (found == config_.end() || found->is_null())
            return {};
        auto ids = found->is_array() ? files::integersAt(config_, key, where_)
                                     : std::vector{files::integerAt(config_, key, where_)};
        std::erase_if(ids, [&](std::int64_t id) { return !holds(id, key); });
        return ids;
    }

    std::optional<std::int64_t> one(const char* key) {
        const auto ids = all(key);
        return ids.empty() ? std::nullopt : std::optional(ids.front());
    }

    std::vector<std::vector<std::int64_t>> runs(const char* key) {
        std::vector<std::vector<std::int64_t>> runs;
        if (!config_.contains(key) || config_[key].is_null())
            return runs;
        for (const auto& run : files::arrayAt(config_, key, where_)) {
            auto ids = files::integersAt(json{{key, run}}, key, where_);
            if (!ids.empty() && std::ranges::all_of(ids, [&](std::int64_t id) { return holds(id, key); }))
                runs.push_back(std::move(ids));
        }
        return runs;
    }

    std::vector<std::string> notes() && { return std::move(notes_); }

  private:
    bool holds(std::int64_t id, const char* key) {
        const bool isInside = id >= 0 && id < vocabulary_;
        if (!isInside)
            notes_.push_back(outsideVocabulary(key, id, vocabulary_, where_));
        return isInside;
    }

    const json& config_;
    std::int64_t vocabulary_;
    const std::string& where_;
    std::vector<std::string> notes_;
};

/// Folders of before 2021 say only that the first token is BOS.
std::optional<std::int64_t> forcedFirst(IdReader& ids, const json& config, const std::string& where) {
    if (const auto id = ids.one("forced_bos_token_id"))
        return id;
    return files::booleanAt(config, "force_bos_token_to_be_generated", where, false) ? ids.one("bos_token_id")
                                                                                     : std::nullopt;
}

double repetitionPenalty(const json& config, const std::string& where) {
    const double penalty = files::numberAt(config, "repetition_penalty", where, 1.0);
    if (penalty <= 0)
        throw Refusal({.what = "The generation settings cannot be used",
                       .where = where + ", \"repetition_penalty\"",
                       .expected = "a number above 0",
                       .found = std::to_string(penalty),
                       .wayOut = "correct the file, or remove the key"});
    return penalty;
}

std::string notFollowedIn(const json& config) {
    std::string unused;
    for (const auto& [key, neutral] : notFollowed())
        if (const auto found = config.find(key);
            found != config.end() && !found->is_null() && *found != neutral)
            unused += (unused.empty() ? "" : ", ") + std::string(key) + ": " +
                      found->dump(-1, ' ', false, json::error_handler_t::replace);
    return unused;
}

Generation parseGeneration(const json& config, const network::NetworkConfig& network,
                           const std::string& where) {
    IdReader ids(config, network.targetVocabulary, where);
    const bool isDecoderAlone = network.encoder.layers == 0;
    constexpr int usualLength = 20; // default of generate(), including the start token
    constexpr int usualTopK = 50;
    Generation generation;
    auto& decoding = generation.decoding;
    decoding.beam = count(config, "num_beams", 1, where);
    decoding.lengthPenalty = files::numberAt(config, "length_penalty", where, 1.0);
    // generate() does not count the end token; the search does.
    const int newTokens = count(config, "min_new_tokens", 0, where);
    decoding.minimumLength = newTokens > 0 ? newTokens + 1 : 0;
    decoding.minimumTotal = count(config, "min_length", 0, where);
    decoding.noRepeat = count(config, "no_repeat_ngram_size", 0, where);
    generation.samples = files::booleanAt(config, "do_sample", where, false);
    decoding.temperature = files::numberAt(config, "temperature", where, 1.0);
    decoding.topK = count(config, "top_k", generation.samples ? usualTopK : 0, where);
    decoding.topP = files::numberAt(config, "top_p", where, 1.0);
    decoding.rule = beamRule(config, where);
    decoding.forbidden = ids.runs("bad_words_ids");
    decoding.forcedFirst = forcedFirst(ids, config, where);
    decoding.forcedEnd = ids.one("forced_eos_token_id");
    decoding.suppressed = ids.all("suppress_tokens");
    decoding.suppressedFirst = ids.all("begin_suppress_tokens");
    decoding.repetitionPenalty = repetitionPenalty(config, where);
    generation.ends = ids.all("eos_token_id");
    generation.start = ids.one("decoder_start_token_id");
    decoding.renormalise = files::booleanAt(config, "renormalize_logits", where, false);
    const int whole = count(config, "max_length", usualLength, where);
    if (const int own = count(config, "max_new_tokens", 0, where); own > 0)
        generation.newTokens = own;
    else if (!isDecoderAlone)
        generation.newTokens = std::max(1, whole - 1); // without the start token
    else if (config.contains("max_length"))
        generation.newTokens = std::max(1, whole); // the prompt, which it includes, is not known yet
    generation.unused = notFollowedIn(config);
    generation.notes = std::move(ids).notes();
    return generation;
}

} // namespace

Generation readGeneration(const ModelFolder& folder, const Settings& settings,
                          const network::NetworkConfig& network) {
    if (settings.textOr("generation", "") != "hugging-face")
        return {};
    const auto file = folder.generation ? folder.generation : folder.config;
    if (!file)
        return parseGeneration(json::object(), network, folder.weights.string());
    const auto where = file->string();
    json config = files::parseJson(files::readText(*file, largestConfig), where);
    if (!config.is_object())
        throw Refusal({.what = "The generation settings cannot be read",
                       .where = where,
                       .expected = "a JSON object",
                       .found = config.type_name(),
                       .wayOut = "correct the file, or remove it"});
    const json ofDecoder = config.value("decoder", json());
    for (const auto& [key, value] : ofDecoder.items()) // what is not said of the whole model
        if (ofDecoder.is_object() && (!config.contains(key) || config[key].is_null()))
            config[key] = value;
    return parseGeneration(config, network, where);
}

std::string generationConfig(const Generation& generation) {
    const auto& decoding = generation.decoding;
    nlohmann::ordered_json config{{"num_beams", decoding.beam},
                                  {"length_penalty", decoding.lengthPenalty},
                                  {"max_new_tokens", generation.newTokens},
                                  {"min_new_tokens", std::max(0, decoding.minimumLength - 1)},
                                  {"min_length", decoding.minimumTotal},
                                  {"no_repeat_ngram_size", decoding.noRepeat},
                                  {"do_sample", generation.samples},
                                  {"temperature", decoding.temperature},
                                  {"top_k", decoding.topK},
                                  {"top_p", decoding.topP},
                                  {"bad_words_ids", decoding.forbidden},
                                  {"renormalize_logits", decoding.renormalise}};
    if (decoding.rule == BeamRule::GenerateNever)
        config["early_stopping"] = "never";
    else
        config["early_stopping"] = decoding.rule == BeamRule::GenerateEarly;
    const auto add = [&](const char* key, const auto& value) {
        if (value != std::decay_t<decltype(value)>())
            config[key] = value;
    };
    if (decoding.forcedFirst)
        config["forced_bos_token_id"] = *decoding.forcedFirst;
    if (decoding.forcedEnd)
        config["forced_eos_token_id"] = *decoding.forcedEnd;
    if (generation.start)
        config["decoder_start_token_id"] = *generation.start;
    add("eos_token_id", generation.ends);
    add("suppress_tokens", decoding.suppressed);
    add("begin_suppress_tokens", decoding.suppressedFirst);
    config["repetition_penalty"] = decoding.repetitionPenalty;
    return config.dump(4) + "\n";
}

} // namespace headscope::checkpoint
