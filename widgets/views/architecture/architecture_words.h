#pragma once

#include <QString>
#include <QStringList>

#include "model/analysis/architecture/architecture_blocks.h"
#include "model/trace/model_flow.h"
#include "model/trace/run.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace headscope::widgets {

/// What is known about a model's architecture and the sentence that runs through it.
struct ArchitectureFacts {
    std::shared_ptr<const trace::ModelSummary> model; ///< null: no model is open
    analysis::Architecture architecture;
    std::shared_ptr<const trace::Run> run;        ///< null: no run
    std::shared_ptr<const trace::ModelFlow> flow; ///< of the run; null: not measured
    QString whyNoFlow;                            ///< error message; empty while it is being measured
    int step = 0;                                 ///< current step of the decoder

    /// Nullopt without a run.
    std::optional<analysis::Lengths> lengths() const {
        if (!run)
            return std::nullopt;
        return analysis::Lengths{.source = static_cast<std::int64_t>(run->source.size()),
                                 .target = static_cast<std::int64_t>(run->target.size())};
    }
    /// Row of the target for the current step; nullopt without one.
    std::optional<std::size_t> shownRow() const {
        const std::size_t row = step;
        return run && step >= 0 && row < run->target.size() && row < run->next.size() ? std::optional(row)
                                                                                      : std::nullopt;
    }
    /// Returns true if a what-if scales the output of the sublayer to 0; false without a sublayer.
    bool isOff(const std::optional<trace::SublayerAddress>& sublayer) const {
        if (!sublayer || !run)
            return false;
        for (const auto& change : trace::effective(run->request.interventions))
            if (const auto* scaled = std::get_if<trace::ScaleSublayer>(&change);
                scaled && scaled->sublayer == *sublayer && scaled->factor == 0)
                return true;
        return false;
    }
    /// Returns true if the trace does not contain this kind of attention.
    bool isNotHeld(const std::optional<trace::SublayerAddress>& sublayer) const {
        using trace::AttentionKind;
        using trace::SublayerKind;
        if (!sublayer || !run || !model || !model->recorded)
            return false;
        const auto holds = [&](AttentionKind kind) { return run->record({kind, 0}) != nullptr; };
        switch (sublayer->kind) {
        case SublayerKind::EncoderSelf:
            return !holds(AttentionKind::EncoderSelf);
        case SublayerKind::DecoderSelf:
            return !holds(AttentionKind::DecoderSelf);
        case SublayerKind::Cross:
            return !holds(AttentionKind::Cross);
        default:
            return false; // a trace holds nothing of feed-forward networks anyway
        }
    }
    /// The same for an attention or a step inside it, and for a stack whose layers are unknown.
    bool isNotHeld(const analysis::ArchitectureBlock& block) const {
        using analysis::BlockKind;
        if (block.kind == BlockKind::Stack)
            return model && model->recorded &&
                   std::none_of(block.children.begin(), block.children.end(),
                                [](const auto& child) { return child.kind == BlockKind::Layer; });
        return block.kind != BlockKind::Add && block.kind != BlockKind::Norm && isNotHeld(block.sublayer);
    }
    /// Returns true if a cross-attention in the block (or anywhere) reads the source.
    bool readsSource(const analysis::ArchitectureBlock& block) const {
        if (block.kind == analysis::BlockKind::CrossAttention)
            return !isOff(block.sublayer) && !isNotHeld(block);
        return std::any_of(block.children.begin(), block.children.end(),
                           [this](const auto& child) { return readsSource(child); });
    }
    bool readsSource() const {
        return std::any_of(architecture.target.begin(), architecture.target.end(),
                           [this](const auto& block) { return readsSource(block); });
    }
    /// The flow of a block that is a whole sublayer; null for its parts, and if not measured.
    const trace::SublayerFlow* measuredAt(const analysis::ArchitectureBlock& block) const {
        using analysis::BlockKind;
        const bool isWhole = block.kind == BlockKind::SelfAttention ||
                             block.kind == BlockKind::CrossAttention || block.kind == BlockKind::FeedForward;
        return isWhole ? flowOf(block) : nullptr;
    }
    /// The flow of the block's sublayer; null if not measured.
    const trace::SublayerFlow* flowOf(const analysis::ArchitectureBlock& block) const {
        if (flow && block.sublayer)
            for (const auto& each : flow->sublayers)
                if (each.sublayer == *block.sublayer)
                    return &each;
        return nullptr;
    }
};

/// Everything known about a block, one or two sentences per line.
QStringList blockInWords(const ArchitectureFacts& facts, const analysis::ArchitectureBlock& block);

/// A number of a block, or a heading above some, which has no value.
struct BlockFact {
    QString name;
    QString value;
};
/// The same as blockInWords(), as rows: shapes, parameters, activations, norms, dead units.
std::vector<BlockFact> blockFacts(const ArchitectureFacts& facts, const analysis::ArchitectureBlock& block);
/// "3 + 3 layers, 8 heads, d_model 256, 7,586,624 parameters".
QString modelInShort(const ArchitectureFacts& facts);

/// Memory of the open model and the run, in one line.
QString memoryInWords(const ArchitectureFacts& facts);

/// Caption of the diagram.
QString architectureCaption(const ArchitectureFacts& facts);
/// Caption of the table.
QString architectureTableCaption(const ArchitectureFacts& facts);

/// "20.4 MB", where 1 MB is a million bytes.
QString bytesInWords(double bytes);

/// Mean of `values`, one per token of a side, without padding; NaN if there are none.
double meanOf(const ArchitectureFacts& facts, analysis::Side side, const std::vector<double>& values);

/// The title in a block, such as "Encoder × 3" or "Masked self-attention".
QString blockTitle(const ArchitectureFacts& facts, const analysis::ArchitectureBlock& block);

/// The title with its place: "Decoder, layer 1: Cross-attention".
QString blockName(const ArchitectureFacts& facts, const analysis::ArchitectureBlock& block);

/// "(N, T, d_model)".
QString tensorInLetters(const analysis::FlowingTensor& tensor);
/// "(N, T, d_model) = (1, 11, 256)"; only letters without a run.
QString tensorInWords(const ArchitectureFacts& facts, const analysis::FlowingTensor& tensor);
/// All outputs of a block.
QString outInWords(const ArchitectureFacts& facts, const analysis::ArchitectureBlock& block,
                   const char* between);

} // namespace headscope::widgets
