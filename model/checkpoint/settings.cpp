#include "model/checkpoint/settings.h"

#include "model/files/findings.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

namespace headscope::checkpoint {

namespace {

using trace::Refusal;

constexpr std::array<std::string_view, 88> keys{"family",
                                                "heads",
                                                "decoder_heads",
                                                "norm",
                                                "norm_kind",
                                                "norm_eps",
                                                "final_norm",
                                                "activation",
                                                "embedding_scale",
                                                "positions",
                                                "position_base",
                                                "position_buckets",
                                                "position_distance",
                                                "maximum_positions",
                                                "score_scale",
                                                "mask_fill",
                                                "tokenizer",
                                                "source_vocabulary",
                                                "target_vocabulary",
                                                "start_id",
                                                "end_id",
                                                "pad_id",
                                                "unknown_id",
                                                "source_prefix",
                                                "source_suffix",
                                                "encoder_layers",
                                                "decoder_layers",
                                                "model_width",
                                                "feed_forward_width",
                                                "decoder_feed_forward_width",
                                                "source_vocabulary_size",
                                                "target_vocabulary_size",
                                                "source_language",
                                                "target_language",
                                                "label_smoothing",
                                                "embedding_norm",
                                                "name",
                                                "embedding_norm_eps",
                                                "positions_if_missing",
                                                "encoder_mask",
                                                "target_padding_masked",
                                                "head_width",
                                                "classes",
                                                "labels",
                                                "tied_source_target",
                                                "tied_generator",
                                                "bias_query_key_value",
                                                "bias_attention_output",
                                                "bias_feed_forward",
                                                "bias_generator",
                                                "bias_norm",
                                                "generation",
                                                "opens_at",
                                                "opens_without_mask",
                                                "embedding_width",
                                                "segments",
                                                "token_prediction",
                                                "classifier_input",
                                                "classifier_activation",
                                                "masked_tokens_activation",
                                                "replaced_tokens_activation",
                                                "key_value_heads",
                                                "feed_forward_gate",
                                                "attention_window",
                                                "use_window",
                                                "windowed_layers",
                                                "window_from_layer",
                                                "full_layer_every",
                                                "layer_kinds",
                                                "rotary_part",
                                                "rotary_scaling",
                                                "rotary_factor",
                                                "rotary_original_length",
                                                "rotary_low",
                                                "rotary_high",
                                                "rotary_length",
                                                "rotary_shares",
                                                "rotary_mscale",
                                                "rotary_truncate",
                                                "query_key_norm",
                                                "parallel_sublayers",
                                                "first_position",
                                                "norm_unit_offset",
                                                "score_cap",
                                                "logit_cap",
                                                "score_divisor",
                                                "window_position_base",
                                                "output_scale"};

template <class Number>
std::optional<Number> parse(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace

bool Settings::isList(std::string_view key) {
    constexpr std::array<std::string_view, 7> lists{"source_prefix", "source_suffix",   "labels",
                                                    "end_id",        "windowed_layers", "layer_kinds",
                                                    "rotary_shares"};
    return std::ranges::find(lists, key) != lists.end();
}

bool Settings::isKnown(std::string_view key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

void Settings::set(const std::string& key, std::string text, std::string origin) {
    values_[key] = {std::move(text), std::move(origin)};
}

std::optional<Settings::Value> Settings::find(const std::string& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
}

bool Settings::hasOption(const std::string& key) {
    static const std::set<std::string> keys{
        "family",     "heads",        "norm",          "final_norm",        "norm_eps",
        "activation", "tokenizer",    "start_id",      "source_vocabulary", "target_vocabulary",
        "end_id",     "pad_id",       "source_prefix", "source_language",   "target_language",
        "unknown_id", "source_suffix"};
    return keys.contains(key);
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
