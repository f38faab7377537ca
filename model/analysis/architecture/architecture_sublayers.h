#pragma once

#include "model/analysis/architecture/architecture_blocks.h"

namespace headscope::analysis {

/// "encoder" or "decoder".
std::string stackName(Side side);

/// Sets the outputs of a block to those of its last child and adds up the children's parameters.
void finish(ArchitectureBlock& block);

/// Creates the blocks of one model.
class ArchitectureParts {
  public:
    /// `model` must outlive this object.
    explicit ArchitectureParts(const trace::ModelSummary& model) : model_(model) {}

    Axis batch() const { return {Axis::Along::Batch, "N"}; }
    Axis length(Side side) const;
    Axis modelWidth(Side side) const;
    /// Shape of the residual stream.
    Shape stream(Side side) const { return {batch(), length(side), modelWidth(side)}; }

    std::string flag(const std::string& key) const { return model_.property(key); }
    /// A property that the decoder may have in a way of its own.
    std::string flag(Side side, const std::string& key) const;
    /// Parameters of a block in the summary; 0 if the block does not exist.
    std::int64_t parametersOf(const std::string& block) const;
    bool has(const std::string& block) const { return parametersOf(block) > 0; }

    ArchitectureBlock norm(Side side, const std::string& role) const;
    ArchitectureBlock add(Side side, const std::string& role) const;
    /// Adds a sublayer with its norm, placed by the scheme, and the residual connection around them.
    void addSublayer(ArchitectureBlock& layer, const trace::SublayerAddress& address) const;

  private:
    ArchitectureBlock attention(const trace::SublayerAddress& address, const std::string& role) const;
    ArchitectureBlock feedForward(const trace::SublayerAddress& address, const std::string& role) const;
    /// The layer's feed-forward is a mixture of experts.
    bool hasExperts(const trace::SublayerAddress& address) const;
    std::int64_t linear(std::int64_t in, std::int64_t out, const std::string& bias) const;

    const trace::ModelSummary& model_;
};

} // namespace headscope::analysis
