#pragma once

#include "model/analysis/architecture/architecture_blocks.h"

namespace headscope::analysis {

/// "encoder" or "decoder".
std::string stackName(Side side);

/// What flows out of a block with children flows out of the last of them; parameters are theirs together.
void finish(ArchitectureBlock& block);

/// Makes the parts of one model.
class ArchitectureParts {
  public:
    /// `model` outlives the parts.
    explicit ArchitectureParts(const trace::ModelSummary& model) : model_(model) {}

    Axis batch() const { return {Axis::Along::Batch, "N"}; }
    Axis length(Side side) const;
    Axis modelWidth() const { return {Axis::Along::Model, "d_model", model_.modelWidth}; }
    /// Of the residual stream.
    Shape stream(Side side) const { return {batch(), length(side), modelWidth()}; }

    std::string flag(const std::string& key) const { return architectureFlag(model_, key); }
    /// Of a block of the summary; 0 where it has none.
    std::int64_t parametersOf(const std::string& block) const;
    bool has(const std::string& block) const { return parametersOf(block) > 0; }

    ArchitectureBlock norm(Side side, const std::string& role) const;
    ArchitectureBlock add(Side side, const std::string& role) const;
    /// The sublayer, its norm where the scheme puts it, and the residual connection around them.
    void addSublayer(ArchitectureBlock& layer, const trace::SublayerAddress& address) const;

  private:
    ArchitectureBlock attention(const trace::SublayerAddress& address, const std::string& role) const;
    ArchitectureBlock feedForward(const trace::SublayerAddress& address, const std::string& role) const;
    std::int64_t linear(std::int64_t in, std::int64_t out, const std::string& bias) const;

    const trace::ModelSummary& model_;
};

} // namespace headscope::analysis
