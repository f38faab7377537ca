#include "model/checkpoint/generation_config.h"

#include "model/checkpoint/model_folder.h"
#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <array>

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

void checkIds(const std::vector<std::int64_t>& ids, const char* key, std::int64_t vocabulary,
              const std::string& where) {
    for (const auto id : ids)
        if (id < 0 || id >= vocabulary)
            throw Refusal({.what = "The generation settings do not belong to this model",
                           .where = where + ", \"" + key + "\"",
                           .expected = "ids from 0 to " + std::to_string(vocabulary - 1),
                           .found = std::to_string(id),
                           .wayOut = "correct the file, or remove the key"});
}

/// Reads an id, a list of them, or null.
std::vector<std::int64_t> idsAt(const json& config, const char* key, std::int64_t vocabulary,
                                const std::string& where) {
    const auto found = config.find(key);
    if (found == config.end() || found->is_null())
        return {};
    const auto ids = found->is_array() ? files::integersAt(config, key, where)
                                       : std::vector{files::integerAt(config, key, where)};
    checkIds(ids, key, vocabulary, where);
    return ids;
}

std::optional<std::int64_t> idAt(const json& config, const char* key, std::int64_t vocabulary,
                                 const std::string& where) {
    const auto ids = idsAt(config, key, vocabulary, where);
    return ids.empty() ? std::nullopt : std::optional(ids.front());
}

/// Folders of before 2021 say only that the first token is BOS.
std::optional<std::int64_t> forcedFirst(const json& config, std::int64_t vocabulary,
                                        const std::string& where) {
    if (const auto id = idAt(config, "forced_bos_token_id", vocabulary, where))
        return id;
    return files::booleanAt(config, "force_bos_token_to_be_generated", where, false)
               ? idAt(config, "bos_token_id", vocabulary, where)
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

std::vector<std::vector<std::int64_t>> forbiddenRuns(const json& config, std::int64_t vocabulary,
                                                     const std::string& where) {
    std::vector<std::vector<std::int64_t>> runs;
    if (!config.contains("bad_words_ids") || config["bad_words_ids"].is_null())
        return runs;
    for (const auto& run : files::arrayAt(config, "bad_words_ids", where)) {
        runs.push_back(files::integersAt(json{{"bad_words_ids", run}}, "bad_words_ids", where));
        checkIds(runs.back(), "bad_words_ids", vocabulary, where);
        if (runs.back().empty())
            runs.pop_back();
    }
    return runs;
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
    const auto vocabulary = network.targetVocabulary;
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
    decoding.forbidden = forbiddenRuns(config, vocabulary, where);
    decoding.forcedFirst = forcedFirst(config, vocabulary, where);
    decoding.forcedEnd = idAt(config, "forced_eos_token_id", vocabulary, where);
    decoding.suppressed = idsAt(config, "suppress_tokens", vocabulary, where);
    decoding.suppressedFirst = idsAt(config, "begin_suppress_tokens", vocabulary, where);
    decoding.repetitionPenalty = repetitionPenalty(config, where);
    generation.ends = idsAt(config, "eos_token_id", vocabulary, where);
    generation.start = idAt(config, "decoder_start_token_id", vocabulary, where);
    decoding.renormalise = files::booleanAt(config, "renormalize_logits", where, false);
    const int whole = count(config, "max_length", usualLength, where);
    if (const int own = count(config, "max_new_tokens", 0, where); own > 0)
        generation.newTokens = own;
    else if (!isDecoderAlone)
        generation.newTokens = std::max(1, whole - 1); // without the start token
    else if (config.contains("max_length"))
        generation.newTokens = std::max(1, whole); // the prompt, which it includes, is not known yet
    generation.unused = notFollowedIn(config);
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
    const json config = files::parseJson(files::readText(*file, largestConfig), where);
    if (!config.is_object())
        throw Refusal({.what = "The generation settings cannot be read",
                       .where = where,
                       .expected = "a JSON object",
                       .found = config.type_name(),
                       .wayOut = "correct the file, or remove it"});
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
