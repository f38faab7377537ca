#pragma once

#include "model/trace/attention_site.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headscope::trace {

/// One sublayer of a layer, which adds to the residual stream.
enum class SublayerKind { EncoderSelf, DecoderSelf, Cross, EncoderFeedForward, DecoderFeedForward };

struct SublayerAddress {
    SublayerKind kind = SublayerKind::EncoderSelf;
    int layer = 0;
    friend auto operator<=>(const SublayerAddress&, const SublayerAddress&) = default;
};

/// "decoder-ff.1"; attention is spelled as its site.
std::string toString(const SublayerAddress& address);
/// The reverse; nothing of what is none.
std::optional<SublayerAddress> parseSublayerAddress(std::string_view text);

/// The head's output times a factor, before the output projection: 0 removes it, 1 changes no bit.
struct ScaleHead {
    HeadAddress head;
    double factor = 0;
    friend bool operator==(const ScaleHead&, const ScaleHead&) = default;
};

/// What the sublayer adds to the residual stream, its bias included, times a factor; the stream itself stays.
struct ScaleSublayer {
    SublayerAddress sublayer;
    double factor = 0;
    friend bool operator==(const ScaleSublayer&, const ScaleSublayer&) = default;
};

/// One more closed cell of the mask, in one head: the row's other weights grow.
struct BlockCell {
    HeadAddress head;
    std::size_t query = 0;
    std::size_t key = 0;
    friend bool operator==(const BlockCell&, const BlockCell&) = default;
};

/// Even weights over the open keys; all weight on the largest (the lowest index of equal ones); all on one
/// key.
enum class RowPattern { Uniform, Hard, Key };

/// A row's weights replaced, after the softmax. Closed keys get no weight.
struct ForceRow {
    HeadAddress head;
    std::size_t query = 0;
    RowPattern pattern = RowPattern::Uniform;
    std::size_t key = 0; ///< for RowPattern::Key
    friend bool operator==(const ForceRow&, const ForceRow&) = default;
};

/// The head's output replaced in every row: by its mean over all rows of the sample sentences, or by its
/// output on another sentence, row by row (rows beyond that sentence's keep their own).
struct ReplaceHead {
    HeadAddress head;
    std::optional<std::string> sentence; ///< nothing: the mean
    friend bool operator==(const ReplaceHead&, const ReplaceHead&) = default;
};

/// The decoder sees later tokens too; padding stays closed. Needs whole passes.
struct LiftMask {
    friend bool operator==(const LiftMask&, const LiftMask&) = default;
};

/// Another factor for q k^T in every head; nothing: 1, no scaling at all.
struct ScaleScores {
    std::optional<double> factor;
    friend bool operator==(const ScaleScores&, const ScaleScores&) = default;
};

/// softmax(s / temperature) in every head.
struct SoftmaxTemperature {
    double temperature = 1;
    friend bool operator==(const SoftmaxTemperature&, const SoftmaxTemperature&) = default;
};

enum class PositionChange { None, Shuffle, Shift };

/// Where the tokens of source and target stand: nowhere, in another order, or further on. That is which
/// vectors are added, or what self-attention takes for their places.
struct ChangePositions {
    PositionChange change = PositionChange::None;
    std::int64_t number = 0; ///< the seed of a shuffle, the distance of a shift
    friend bool operator==(const ChangePositions&, const ChangePositions&) = default;
};

using Change = std::variant<ScaleHead, ScaleSublayer, BlockCell, ForceRow, ReplaceHead, LiftMask, ScaleScores,
                            SoftmaxTemperature, ChangePositions>;

/// What a person changed in a run; off: kept in the list, and without effect.
struct Intervention {
    Change change;
    bool on = true;
    friend bool operator==(const Intervention&, const Intervention&) = default;
};

/// The head's output taken away.
Intervention withoutHead(const HeadAddress& head);

/// The command line's option for a change and its argument, such as {"--scale-head", "cross.2.5=0.5"}; the
/// argument is empty where the option has none.
struct ChangeOption {
    std::string option;
    std::string argument;
    friend bool operator==(const ChangeOption&, const ChangeOption&) = default;
};
ChangeOption toOption(const Change& change);

/// The reverse. Throws trace::Refusal that says how the argument is written.
Change parseChange(const ChangeOption& option);

/// All options that parseChange() knows.
const std::vector<std::string>& changeOptions();

/// True if rows may depend on later tokens: nothing can be kept from step to step.
bool breaksCausality(const std::vector<Intervention>& interventions);

/// Only those that are on and do something: scaling by 1 does nothing.
std::vector<Change> effective(const std::vector<Intervention>& interventions);

} // namespace headscope::trace
