#pragma once

#include <QString>

#include "model/analysis/architecture/architecture_blocks.h"
#include "model/trace/model_flow.h"
#include "model/trace/run.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <variant>

namespace headscope::widgets {

/// What is known of a model's architecture and of the sentence that runs through it.
struct ArchitectureFacts {
    std::shared_ptr<const trace::ModelSummary> model; ///< null: nothing is open
    analysis::Architecture architecture;
    std::shared_ptr<const trace::Run> run;        ///< null: nothing runs through it
    std::shared_ptr<const trace::ModelFlow> flow; ///< of the run; null: not measured
    QString whyNoFlow;                            ///< in words; empty where it is being measured
    int step = 0;                                 ///< of the decoder that is looked at

    /// Nothing without a run.
    std::optional<analysis::Lengths> lengths() const {
        if (!run)
            return std::nullopt;
        return analysis::Lengths{.source = static_cast<std::int64_t>(run->source.size()),
                                 .target = static_cast<std::int64_t>(run->target.size())};
    }
    /// Row of the target; nothing without one.
    std::optional<std::size_t> shownRow() const {
        const auto row = static_cast<std::size_t>(step);
        return run && step >= 0 && row < run->target.size() && row < run->next.size() ? std::optional(row)
                                                                                      : std::nullopt;
    }
    /// A person scaled what the sublayer adds to 0; never where there is none.
    bool isOff(const std::optional<trace::SublayerAddress>& sublayer) const {
        if (!sublayer || !run)
            return false;
        for (const auto& change : trace::effective(run->request.interventions))
            if (const auto* scaled = std::get_if<trace::ScaleSublayer>(&change);
                scaled && scaled->sublayer == *sublayer && scaled->factor == 0)
                return true;
        return false;
    }
    /// Attention of a kind that the trace does not have.
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
            return false; // of feed-forward networks nothing is held
        }
    }
    /// The same of an attention, a step inside it, or a stack of whose layers nothing is known.
    bool isNotHeld(const analysis::ArchitectureBlock& block) const {
        using analysis::BlockKind;
        if (block.kind == BlockKind::Stack)
            return model && model->recorded &&
                   std::none_of(block.children.begin(), block.children.end(),
                                [](const auto& child) { return child.kind == BlockKind::Layer; });
        return block.kind != BlockKind::Add && block.kind != BlockKind::Norm && isNotHeld(block.sublayer);
    }
    /// A cross-attention in the block, or in any, reads the source.
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
    /// What flows through a block that is a sublayer itself; null of its parts, and where it is not known.
    const trace::SublayerFlow* measuredAt(const analysis::ArchitectureBlock& block) const {
        using analysis::BlockKind;
        const bool isWhole = block.kind == BlockKind::SelfAttention ||
                             block.kind == BlockKind::CrossAttention || block.kind == BlockKind::FeedForward;
        return isWhole ? flowOf(block) : nullptr;
    }
    /// Of a block's sublayer; null where it is not known.
    const trace::SublayerFlow* flowOf(const analysis::ArchitectureBlock& block) const {
        if (flow && block.sublayer)
            for (const auto& each : flow->sublayers)
                if (each.sublayer == *block.sublayer)
                    return &each;
        return nullptr;
    }
};

} // namespace headscope::widgets
