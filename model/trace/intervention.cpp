#include "model/trace/intervention.h"

#include "model/trace/refusal.h"

#include <array>
#include <charconv>
#include <cmath>

namespace headscope::trace {

namespace {

constexpr std::array<std::pair<SublayerKind, std::string_view>, 5> sublayerNames{{
    {SublayerKind::EncoderSelf, "encoder"},
    {SublayerKind::DecoderSelf, "decoder"},
    {SublayerKind::Cross, "cross"},
    {SublayerKind::EncoderFeedForward, "encoder-ff"},
    {SublayerKind::DecoderFeedForward, "decoder-ff"},
}};

template <class Number>
std::optional<Number> number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::string text(double value) {
    std::array<char, 32> digits{};
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

/// Returns the text before and after the first `separator`; nullopt without one.
std::optional<std::pair<std::string_view, std::string_view>> split(std::string_view text, char separator) {
    const auto at = text.find(separator);
    if (at == std::string_view::npos)
        return std::nullopt;
    return std::pair(text.substr(0, at), text.substr(at + 1));
}

std::optional<double> finite(std::string_view text) {
    const auto value = number<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

// The following functions parse the argument of one option. They return nullopt if it is invalid.

std::optional<Change> parseDisabled(std::string_view argument) {
    if (const auto head = parseHeadAddress(argument))
        return ScaleHead{.head = *head, .factor = 0};
    return std::nullopt;
}

std::optional<Change> parseScaledHead(std::string_view argument) {
    if (const auto parts = split(argument, '='))
        if (const auto head = parseHeadAddress(parts->first))
            if (const auto factor = finite(parts->second))
                return ScaleHead{.head = *head, .factor = *factor};
    return std::nullopt;
}

std::optional<Change> parseScaledSublayer(std::string_view argument) {
    if (const auto parts = split(argument, '='))
        if (const auto sublayer = parseSublayerAddress(parts->first))
            if (const auto factor = finite(parts->second))
                return ScaleSublayer{.sublayer = *sublayer, .factor = *factor};
    return std::nullopt;
}

std::optional<Change> parseBlocked(std::string_view argument) {
    const auto parts = split(argument, ':');
    const auto head = parts ? parseHeadAddress(parts->first) : std::nullopt;
    const auto cell = parts ? split(parts->second, ',') : std::nullopt;
    const auto query = cell ? number<std::size_t>(cell->first) : std::nullopt;
    const auto key = cell ? number<std::size_t>(cell->second) : std::nullopt;
    if (!head || !query || !key)
        return std::nullopt;
    return BlockCell{.head = *head, .query = *query, .key = *key};
}

std::optional<Change> parseForcedRow(std::string_view argument) {
    const auto parts = split(argument, ':');
    const auto head = parts ? parseHeadAddress(parts->first) : std::nullopt;
    const auto row = parts ? split(parts->second, '=') : std::nullopt;
    const auto query = row ? number<std::size_t>(row->first) : std::nullopt;
    if (!head || !query)
        return std::nullopt;
    ForceRow forced{.head = *head, .query = *query};
    if (row->second == "uniform")
        return forced;
    if (row->second == "argmax") {
        forced.pattern = RowPattern::Hard;
        return forced;
    }
    const auto key = number<std::size_t>(row->second);
    if (!key)
        return std::nullopt;
    forced.pattern = RowPattern::Key;
    forced.key = *key;
    return forced;
}

std::optional<Change> parseMean(std::string_view argument) {
    if (const auto head = parseHeadAddress(argument))
        return ReplaceHead{.head = *head};
    return std::nullopt;
}

std::optional<Change> parseResampled(std::string_view argument) {
    if (const auto parts = split(argument, '='); parts && !parts->second.empty())
        if (const auto head = parseHeadAddress(parts->first))
            return ReplaceHead{.head = *head, .sentence = std::string(parts->second)};
    return std::nullopt;
}

std::optional<Change> parseNoMask(std::string_view) {
    return LiftMask{};
}

std::optional<Change> parseNoScaling(std::string_view) {
    return ScaleScores{};
}

std::optional<Change> parseScoreScale(std::string_view argument) {
    if (const auto factor = finite(argument))
        return ScaleScores{.factor = *factor};
    return std::nullopt;
}

std::optional<Change> parseTemperature(std::string_view argument) {
    if (const auto temperature = finite(argument); temperature && *temperature > 0)
        return SoftmaxTemperature{.temperature = *temperature};
    return std::nullopt;
}

std::optional<Change> parsePositions(std::string_view argument) {
    if (argument == "none")
        return ChangePositions{};
    const auto parts = split(argument, ':');
    const auto value = parts ? number<std::int64_t>(parts->second) : std::nullopt;
    if (value && parts->first == "shuffle" && *value >= 0)
        return ChangePositions{.change = PositionChange::Shuffle, .number = *value};
    if (value && parts->first == "shift")
        return ChangePositions{.change = PositionChange::Shift, .number = *value};
    return std::nullopt;
}

constexpr std::string_view resamplePrefix = "resample=";

struct Spelling {
    std::string_view option;
    std::string_view expected;
    std::optional<Change> (*parse)(std::string_view);
};

constexpr std::array<Spelling, 12> spellings{{
    {"--disable-head", "a head such as cross.2.5", parseDisabled},
    {"--scale-head", "a head and a factor such as cross.2.5=0.5", parseScaledHead},
    {"--scale-sublayer", "a sublayer and a factor such as decoder-ff.1=0", parseScaledSublayer},
    {"--block", "a head, its query and key such as cross.2.5:3,4", parseBlocked},
    {"--force-row", "a head, its query and uniform, argmax or a key, such as cross.2.5:3=uniform",
     parseForcedRow},
    {"--mean-head", "a head such as cross.2.5", parseMean},
    {"--resample-head", "a head and another sentence such as \"cross.2.5=The dogs are hungry.\"",
     parseResampled},
    {"--no-mask", "nothing after it", parseNoMask},
    {"--no-scaling", "nothing after it", parseNoScaling},
    {"--score-scale", "a number", parseScoreScale},
    {"--softmax-temperature", "a number above 0", parseTemperature},
    {"--positions", "none, shuffle:SEED or shift:K", parsePositions},
}};

const Spelling* spellingOf(std::string_view option) {
    for (const auto& spelling : spellings)
        if (spelling.option == option)
            return &spelling;
    return nullptr;
}

struct ToOption {
    ChangeOption operator()(const ScaleHead& change) const {
        if (change.factor == 0)
            return {"--disable-head", toString(change.head)};
        return {"--scale-head", toString(change.head) + "=" + text(change.factor)};
    }
    ChangeOption operator()(const ScaleSublayer& change) const {
        return {"--scale-sublayer", toString(change.sublayer) + "=" + text(change.factor)};
    }
    ChangeOption operator()(const BlockCell& change) const {
        return {"--block", toString(change.head) + ":" + std::to_string(change.query) + "," +
                               std::to_string(change.key)};
    }
    ChangeOption operator()(const ForceRow& change) const {
        const auto pattern = change.pattern == RowPattern::Uniform ? "uniform"
                             : change.pattern == RowPattern::Hard  ? "argmax"
                                                                   : std::to_string(change.key);
        return {"--force-row", toString(change.head) + ":" + std::to_string(change.query) + "=" + pattern};
    }
    ChangeOption operator()(const ReplaceHead& change) const {
        if (!change.sentence)
            return {"--mean-head", toString(change.head)};
        return {"--resample-head", toString(change.head) + "=" + *change.sentence};
    }
    ChangeOption operator()(const LiftMask&) const { return {"--no-mask", {}}; }
    ChangeOption operator()(const ScaleScores& change) const {
        return change.factor ? ChangeOption{"--score-scale", text(*change.factor)}
                             : ChangeOption{"--no-scaling", {}};
    }
    ChangeOption operator()(const SoftmaxTemperature& change) const {
        return {"--softmax-temperature", text(change.temperature)};
    }
    ChangeOption operator()(const ChangePositions& change) const {
        switch (change.change) {
        case PositionChange::Shuffle:
            return {"--positions", "shuffle:" + std::to_string(change.number)};
        case PositionChange::Shift:
            return {"--positions", "shift:" + std::to_string(change.number)};
        case PositionChange::None:
            break;
        }
        return {"--positions", "none"};
    }
};

bool doesNothing(const Change& change) {
    if (const auto* scaled = std::get_if<ScaleHead>(&change))
        return scaled->factor == 1;
    if (const auto* scaled = std::get_if<ScaleSublayer>(&change))
        return scaled->factor == 1;
    if (const auto* softmax = std::get_if<SoftmaxTemperature>(&change))
        return softmax->temperature == 1;
    const auto* positions = std::get_if<ChangePositions>(&change);
    return positions && positions->change == PositionChange::Shift && positions->number == 0;
}

} // namespace

std::string toString(const SublayerAddress& address) {
    std::string text;
    for (const auto& [kind, name] : sublayerNames)
        if (kind == address.kind)
            text = name;
    return text + "." + std::to_string(address.layer);
}

std::optional<SublayerAddress> parseSublayerAddress(std::string_view text) {
    const auto parts = split(text, '.');
    for (const auto& [kind, name] : sublayerNames)
        if (parts && parts->first == name)
            if (const auto layer = number<int>(parts->second); layer && !parts->second.starts_with('-'))
                return SublayerAddress{kind, *layer};
    return std::nullopt;
}

Intervention withoutHead(const HeadAddress& head) {
    return {.change = ScaleHead{.head = head, .factor = 0}};
}

std::string toString(const Ablation& ablation) {
    switch (ablation.kind) {
    case Ablation::Kind::Mean:
        return "mean";
    case Ablation::Kind::Resample:
        return std::string(resamplePrefix) + ablation.sentence;
    case Ablation::Kind::Zero:
        break;
    }
    return "zero";
}

std::optional<Ablation> parseAblation(std::string_view text) {
    if (text == "zero")
        return Ablation();
    if (text == "mean")
        return Ablation{.kind = Ablation::Kind::Mean};
    if (text.starts_with(resamplePrefix) && text.size() > resamplePrefix.size())
        return Ablation{.kind = Ablation::Kind::Resample,
                        .sentence = std::string(text.substr(resamplePrefix.size()))};
    return std::nullopt;
}

Change removal(const HeadAddress& head, const Ablation& ablation) {
    if (ablation.kind == Ablation::Kind::Zero)
        return withoutHead(head).change;
    return ReplaceHead{.head = head,
                       .sentence = ablation.kind == Ablation::Kind::Mean ? std::nullopt
                                                                         : std::optional(ablation.sentence)};
}

ChangeOption toOption(const Change& change) {
    return std::visit(ToOption(), change);
}

Change parseChange(const ChangeOption& option) {
    const auto* spelling = spellingOf(option.option);
    if (!spelling)
        throw Refusal({.what = "There is no such change",
                       .where = option.option,
                       .expected = "one of the what-if options",
                       .found = option.option,
                       .wayOut = "see --help"});
    if (const auto change = spelling->parse(option.argument))
        return *change;
    throw Refusal({.what = "The change cannot be read",
                   .where = option.option,
                   .expected = std::string(spelling->expected),
                   .found = "\"" + option.argument + "\"",
                   .wayOut = "write it like the example; layers, heads, queries and keys count from 0"});
}

const std::vector<std::string>& changeOptions() {
    static const std::vector<std::string> options = [] {
        std::vector<std::string> all;
        for (const auto& spelling : spellings)
            all.emplace_back(spelling.option);
        return all;
    }();
    return options;
}

bool breaksCausality(const std::vector<Intervention>& interventions) {
    for (const auto& change : effective(interventions))
        if (std::holds_alternative<LiftMask>(change))
            return true;
    return false;
}

std::vector<Change> effective(const std::vector<Intervention>& interventions) {
    std::vector<Change> changes;
    for (const auto& [change, on] : interventions)
        if (on && !doesNothing(change))
            changes.push_back(change);
    return changes;
}

} // namespace headscope::trace
