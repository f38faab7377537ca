#include "model/checkpoint/settings.h"

#include "model/files/findings.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

namespace headscope::checkpoint {

namespace {

using trace::Refusal;

struct Key {
    std::string_view name;
    bool isList = false;
    bool hasOption = false; ///< of the command line
};
constexpr auto keys = std::to_array<Key>({{.name = "family", .hasOption = true},
                                          {.name = "heads", .hasOption = true},
                                          {.name = "decoder_heads"},
                                          {.name = "prefix"},
                                          {.name = "dataset"},
                                          {.name = "norm", .hasOption = true},
                                          {.name = "norm_kind"},
                                          {.name = "norm_eps", .hasOption = true},
                                          {.name = "final_norm", .hasOption = true},
                                          {.name = "activation", .hasOption = true},
                                          {.name = "embedding_scale"},
                                          {.name = "positions"},
                                          {.name = "position_base"},
                                          {.name = "relative_bias"},
                                          {.name = "position_buckets"},
                                          {.name = "position_distance"},
                                          {.name = "position_terms", .isList = true},
                                          {.name = "maximum_positions"},
                                          {.name = "score_scale"},
                                          {.name = "mask_fill"},
                                          {.name = "tokenizer", .hasOption = true},
                                          {.name = "tokenizer_pattern", .hasOption = true},
                                          {.name = "source_vocabulary", .hasOption = true},
                                          {.name = "target_vocabulary", .hasOption = true},
                                          {.name = "start_id", .hasOption = true},
                                          {.name = "end_id", .isList = true, .hasOption = true},
                                          {.name = "pad_id", .hasOption = true},
                                          {.name = "unknown_id", .hasOption = true},
                                          {.name = "source_prefix", .isList = true, .hasOption = true},
                                          {.name = "source_suffix", .isList = true, .hasOption = true},
                                          {.name = "encoder_layers"},
                                          {.name = "decoder_layers"},
                                          {.name = "model_width"},
                                          {.name = "feed_forward_width"},
                                          {.name = "decoder_feed_forward_width"},
                                          {.name = "source_vocabulary_size"},
                                          {.name = "target_vocabulary_size"},
                                          {.name = "source_language", .hasOption = true},
                                          {.name = "target_language", .hasOption = true},
                                          {.name = "label_smoothing"},
                                          {.name = "embedding_norm"},
                                          {.name = "name"},
                                          {.name = "embedding_norm_eps"},
                                          {.name = "positions_if_missing"},
                                          {.name = "encoder_mask"},
                                          {.name = "target_padding_masked"},
                                          {.name = "head_width"},
                                          {.name = "classes"},
                                          {.name = "labels", .isList = true},
                                          {.name = "tied_source_target"},
                                          {.name = "tied_generator"},
                                          {.name = "bias_query_key_value"},
                                          {.name = "bias_attention_output"},
                                          {.name = "bias_feed_forward"},
                                          {.name = "bias_generator"},
                                          {.name = "bias_norm"},
                                          {.name = "generation"},
                                          {.name = "opens_at"},
                                          {.name = "opens_without_mask"},
                                          {.name = "embedding_width"},
                                          {.name = "target_embedding_width"},
                                          {.name = "norm_before"},
                                          {.name = "decoder_norm"},
                                          {.name = "decoder_norm_eps"},
                                          {.name = "decoder_embedding_norm"},
                                          {.name = "decoder_activation"},
                                          {.name = "decoder_width"},
                                          {.name = "decoder_segments"},
                                          {.name = "decoder_first_position"},
                                          {.name = "decoder_maximum_positions"},
                                          {.name = "generator_activation"},
                                          {.name = "tied_stacks"},
                                          {.name = "segments"},
                                          {.name = "token_prediction"},
                                          {.name = "model_class", .isList = true},
                                          {.name = "problem_type"},
                                          {.name = "classifier_input"},
                                          {.name = "classifier_activation"},
                                          {.name = "masked_tokens_activation"},
                                          {.name = "replaced_tokens_activation"},
                                          {.name = "key_value_heads"},
                                          {.name = "feed_forward_gate"},
                                          {.name = "attention_window"},
                                          {.name = "use_window"},
                                          {.name = "windowed_layers", .isList = true},
                                          {.name = "window_from_layer"},
                                          {.name = "full_layer_every"},
                                          {.name = "layer_kinds", .isList = true},
                                          {.name = "rotary_part"},
                                          {.name = "rotary_width"},
                                          {.name = "rotary_pairs"},
                                          {.name = "rotary_scaling"},
                                          {.name = "rotary_factor"},
                                          {.name = "rotary_original_length"},
                                          {.name = "rotary_low"},
                                          {.name = "rotary_high"},
                                          {.name = "rotary_length"},
                                          {.name = "rotary_shares", .isList = true},
                                          {.name = "rotary_mscale"},
                                          {.name = "rotary_mscale_all"},
                                          {.name = "rotary_truncate"},
                                          {.name = "query_key_norm"},
                                          {.name = "parallel_sublayers"},
                                          {.name = "first_position"},
                                          {.name = "norm_unit_offset"},
                                          {.name = "score_cap"},
                                          {.name = "logit_cap"},
                                          {.name = "score_divisor"},
                                          {.name = "window_position_base"},
                                          {.name = "output_scale"},
                                          {.name = "logit_divisor"},
                                          {.name = "residual_scale"},
                                          {.name = "bias_exponent"},
                                          {.name = "experts"},
                                          {.name = "experts_per_token"},
                                          {.name = "expert_width"},
                                          {.name = "shared_expert_width"},
                                          {.name = "expert_weights_normalised"},
                                          {.name = "expert_layers", .isList = true},
                                          {.name = "expert_layer_every"},
                                          {.name = "dense_layers", .isList = true}});

const Key* find(std::string_view name) {
    const auto found = std::ranges::find(keys, name, &Key::name);
    return found == keys.end() ? nullptr : &*found;
}

template <class Number>
std::optional<Number> parse(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace

bool Settings::isKnown(std::string_view key) {
    return checkpoint::find(key) != nullptr;
}

bool Settings::isList(std::string_view key) {
    const auto* known = checkpoint::find(key);
    return known && known->isList;
}

bool Settings::hasOption(const std::string& key) {
    const auto* known = checkpoint::find(key);
    return known && known->hasOption;
}

void Settings::set(const std::string& key, std::string text, std::string origin) {
    values_[key] = {std::move(text), std::move(origin)};
}

std::optional<Settings::Value> Settings::find(const std::string& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
}

void Settings::refuse(const std::string& key, const std::string& expected) const {
    const auto value = find(key);
    std::string option = "--" + key;
    std::replace(option.begin(), option.end(), '_', '-');
    const std::string written = "write \"" + key + "\" into a headscope.json beside the weights";
    const bool isGiven = value && value->origin.starts_with("--");
    throw Refusal({.what = value ? "The model's setting \"" + key + "\" cannot be used"
                                 : "The model does not say its \"" + key + "\"",
                   .where = value ? value->origin
                                  : "neither the weights nor a config.json or headscope.json beside them",
                   .expected = expected,
                   .found = value ? "\"" + files::printable(value->text) + "\"" : "nothing",
                   .wayOut = isGiven          ? "give another " + option
                             : hasOption(key) ? "give " + option + ", or " + written
                                              : written});
}

std::string Settings::text(const std::string& key) const {
    const auto value = find(key);
    if (!value)
        refuse(key, "a value");
    return value->text;
}

std::string Settings::textOr(const std::string& key, const std::string& otherwise) const {
    const auto value = find(key);
    return value ? value->text : otherwise;
}

std::optional<std::int64_t> Settings::integer(const std::string& key) const {
    const auto value = find(key);
    if (!value)
        return std::nullopt;
    const auto number = parse<std::int64_t>(value->text);
    if (!number || *number < 0)
        refuse(key, "a whole number from 0 on");
    return number;
}

std::optional<double> Settings::number(const std::string& key) const {
    const auto value = find(key);
    if (!value)
        return std::nullopt;
    const auto number = parse<double>(value->text);
    if (!number || !std::isfinite(static_cast<float>(*number)))
        refuse(key, "a number that float32 can hold");
    return number;
}

std::optional<double> Settings::numberWithin(const std::string& key, double least, double most) const {
    const auto number = this->number(key);
    if (number && (*number < least || *number > most)) {
        std::ostringstream expected;
        expected << "a number from " << least << " to " << most;
        refuse(key, expected.str());
    }
    return number;
}

std::optional<bool> Settings::yesOrNo(const std::string& key) const {
    const auto value = find(key);
    if (!value)
        return std::nullopt;
    if (value->text == "yes" || value->text == "true")
        return true;
    if (value->text == "no" || value->text == "false")
        return false;
    refuse(key, "yes or no");
}

std::vector<std::int64_t> Settings::integers(const std::string& key) const {
    std::vector<std::int64_t> numbers;
    for (const auto& item : items(key)) {
        const auto number = parse<std::int64_t>(item);
        if (!number || *number < 0)
            refuse(key, "whole numbers from 0 on, separated by commas");
        numbers.push_back(*number);
    }
    return numbers;
}

std::vector<double> Settings::numbers(const std::string& key) const {
    std::vector<double> numbers;
    for (const auto& item : items(key)) {
        const auto number = parse<double>(item);
        if (!number || !std::isfinite(static_cast<float>(*number)))
            refuse(key, "numbers that float32 can hold, separated by commas");
        numbers.push_back(*number);
    }
    return numbers;
}

std::vector<std::string> Settings::items(const std::string& key) const {
    std::vector<std::string> items;
    const auto value = find(key);
    if (!value || value->text == noItems)
        return items;
    std::string_view rest = value->text;
    while (true) {
        const auto comma = rest.find(',');
        items.emplace_back(rest.substr(0, comma));
        if (comma == rest.npos)
            return items;
        rest.remove_prefix(comma + 1);
    }
}

} // namespace headscope::checkpoint
