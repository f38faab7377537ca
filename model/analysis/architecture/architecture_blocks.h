#pragma once

#include "model/analysis/architecture/tensor_shape.h"
#include "model/trace/intervention.h"
#include "model/trace/model_summary.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::analysis {

enum class BlockKind {
    Embedding,
    Positions, ///< drawn beside the stream; the next block adds it
    Add,       ///< a residual addition, or word + position
    Norm,
    Stack,
    Layer,
    SelfAttention,
    CrossAttention,
    FeedForward,
    // Inside attention.
    Projections,
    Scores,
    Softmax,
    WeightedSum,
    OutputProjection,
    // Inside a feed-forward.
    Router,
    Widen,
    Activation,
    Narrow,
    // After the stacks.
    Generator,
    LogSoftmax,
    MaxPooling,
    Classifier,
};

enum class Side { Source, Target };

/// An output tensor of a block.
struct FlowingTensor {
    std::string name; ///< such as "Q"; empty for the residual stream
    Shape shape;
};

/// A connection from the input of child `from` to child `to`: a residual connection, or V in attention.
struct Bypass {
    std::size_t from = 0;
    std::size_t to = 0;
    FlowingTensor tensor;
    bool isInner = false; ///< drawn on the side of the other column: there is another one outside
};

/// A part of a model in the architecture diagram. Children are in order of the forward pass.
struct ArchitectureBlock {
    BlockKind kind = BlockKind::Stack;
    Side side = Side::Source;
    std::string role;                               ///< unique, such as "encoder.0.self"
    int layer = -1;                                 ///< from 0; -1 outside of layers
    std::optional<trace::SublayerAddress> sublayer; ///< of attention, feed-forward, their norm and addition
    std::vector<FlowingTensor> out;
    std::int64_t parameters = 0; ///< including children; 0 if parametersAreKnown() is false
    std::vector<Shape> computed; ///< outputs of the block's operations; empty if it has children
    std::vector<ArchitectureBlock> children;
    std::vector<Bypass> bypasses; ///< between children
    bool readsMemory = false;     ///< the block or a child reads the encoder's output
    bool isFedByBypass = false;   ///< reads the end of a bypass instead of the output of the child before it
};

/// Roles of two blocks that share weights.
using Tie = std::pair<std::string, std::string>;

struct Architecture {
    Shape sourceIn; ///< shape of the ids; of the vectors if there is no embedding
    Shape targetIn;
    std::vector<ArchitectureBlock> source; ///< in order of the forward pass
    std::vector<ArchitectureBlock> target; ///< empty without a decoder
    std::vector<Tie> ties;

    /// Returns null if there is no such block.
    const ArchitectureBlock* find(const std::string& role) const;
};

/// Returns the diagram of a model; only its attention if isBuildKnown() is false. Norms are placed by the
/// model's scheme: "pre" x + f(norm(x)), "post" norm(x + f(x)), "pre-normed-residual" y + f(y) with
/// y = norm(x), "sublayer-output" x + norm(f(x)), "parallel" x + f(norm(x)) + g(norm(x)) with g the
/// feed-forward.
Architecture architectureOf(const trace::ModelSummary& model);

/// False for a trace without architecture settings; only its attention is known.
bool isBuildKnown(const trace::ModelSummary& model);
/// False for a trace without a parameter count.
bool parametersAreKnown(const trace::ModelSummary& model);

} // namespace headscope::analysis
