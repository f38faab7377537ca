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

/// Kind of a sublayer that adds to the residual stream.
enum class SublayerKind { EncoderSelf, DecoderSelf, Cross, EncoderFeedForward, DecoderFeedForward };

struct SublayerAddress {
    SublayerKind kind = SublayerKind::EncoderSelf;
    LayerIndex layer;
    friend auto operator<=>(const SublayerAddress&, const SublayerAddress&) = default;
};

/// Returns, for instance, "decoder-ff.1"; attention sublayers are spelled as their site.
std::string toString(const SublayerAddress& address);
/// Inverse of toString(). Returns nullopt if `text` is not a sublayer address.
std::optional<SublayerAddress> parseSublayerAddress(std::string_view text);

/// Multiplies the head's output by a factor, before the output projection. 0 removes the head; 1 leaves every
/// bit unchanged.
struct ScaleHead {
    HeadAddress head;
    double factor = 0;
    friend bool operator==(const ScaleHead&, const ScaleHead&) = default;
};

/// Multiplies the sublayer's contribution to the residual stream, bias included, by a factor. The stream
/// itself is unchanged.
struct ScaleSublayer {
    SublayerAddress sublayer;
    double factor = 0;
    friend bool operator==(const ScaleSublayer&, const ScaleSublayer&) = default;
};

/// Masks one more cell in one head; the other weights of the row grow.
struct BlockCell {
    HeadAddress head;
    std::size_t query = 0;
    std::size_t key = 0;
    friend bool operator==(const BlockCell&, const BlockCell&) = default;
};

/// Uniform: equal weights over the allowed keys. Hard: all weight on the largest (on ties, the lowest index).
/// Key: all weight on one key.
enum class RowPattern { Uniform, Hard, Key };

/// Replaces a row's weights after the softmax. Masked keys get no weight.
struct ForceRow {
    HeadAddress head;
    std::size_t query = 0;
    RowPattern pattern = RowPattern::Uniform;
    std::size_t key = 0; ///< for RowPattern::Key
    friend bool operator==(const ForceRow&, const ForceRow&) = default;
};

/// Replaces the head's output in every row: by its mean over all rows of the sample sentences, or row by row
/// by its output on another sentence. Rows beyond the end of that sentence keep their own output.
struct ReplaceHead {
    HeadAddress head;
    std::optional<std::string> sentence; ///< nullopt: the mean
    friend bool operator==(const ReplaceHead&, const ReplaceHead&) = default;
};

/// Lets the decoder attend to later tokens; padding stays masked. Requires passes over the whole target.
struct LiftMask {
    friend bool operator==(const LiftMask&, const LiftMask&) = default;
};

/// Replaces the scale of q k^T in every head; nullopt: 1, that is no scaling.
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

/// Removes, shuffles or shifts the positions of source and target tokens: which positional vectors are added,
/// or which positions self-attention assumes.
struct ChangePositions {
    PositionChange change = PositionChange::None;
    std::int64_t number = 0; ///< seed of the shuffle, or distance of the shift
    friend bool operator==(const ChangePositions&, const ChangePositions&) = default;
};

using Change = std::variant<ScaleHead, ScaleSublayer, BlockCell, ForceRow, ReplaceHead, LiftMask, ScaleScores,
                            SoftmaxTemperature, ChangePositions>;

/// A user's change to a run. Kept in the list without effect if off.
struct Intervention {
    Change change;
    bool on = true;
    friend bool operator==(const Intervention&, const Intervention&) = default;
};

/// Returns the intervention that removes the head's output.
Intervention withoutHead(const HeadAddress& head);

/// What stands in for the output of a removed head: nothing, its mean over the sample sentences, or its
/// output on another sentence.
struct Ablation {
    enum class Kind { Zero, Mean, Resample } kind = Kind::Zero;
    std::string sentence; ///< of Kind::Resample
    friend bool operator==(const Ablation&, const Ablation&) = default;
};

/// Returns "zero", "mean" or "resample=SENTENCE".
std::string toString(const Ablation& ablation);
/// Inverse of toString(). Returns nullopt if `text` is none of these.
std::optional<Ablation> parseAblation(std::string_view text);
/// Returns the change that removes the head in this way.
Change removal(const HeadAddress& head, const Ablation& ablation);

/// Command line option of a change and its argument, such as {"--scale-head", "cross.2.5=0.5"}. The argument
/// is empty if the option takes none.
struct ChangeOption {
    std::string option;
    std::string argument;
    friend bool operator==(const ChangeOption&, const ChangeOption&) = default;
};
ChangeOption toOption(const Change& change);

/// Inverse of toOption(). Throws trace::Refusal that shows the expected syntax.
Change parseChange(const ChangeOption& option);

/// Returns all options accepted by parseChange().
const std::vector<std::string>& changeOptions();

/// Returns true if rows may depend on later tokens, so that no row can be reused in later steps.
bool breaksCausality(const std::vector<Intervention>& interventions);

/// Returns the changes that are on and have an effect: scaling by 1 has none.
std::vector<Change> effective(const std::vector<Intervention>& interventions);

} // namespace headscope::trace
