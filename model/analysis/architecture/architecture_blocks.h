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
    Positions, ///< stands beside the line: what follows adds it
    Add,       ///< the residual connection, or word + position
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

/// One of the tensors that flow out of a block.
struct FlowingTensor {
    std::string name; ///< such as "Q"; empty for the stream itself
    Shape shape;
};

/// What flows into child `from` is carried past to child `to`: a residual connection, or an attention's V.
struct Bypass {
    std::size_t from = 0;
    std::size_t to = 0;
    FlowingTensor tensor;
};

/// A part of a model, drawn from its configuration. Children follow each other in the order of the pass.
struct ArchitectureBlock {
    BlockKind kind = BlockKind::Stack;
    Side side = Side::Source;
    std::string role;                               ///< unique, such as "encoder.0.self"
    int layer = -1;                                 ///< of what is in a layer, from 0
    std::optional<trace::SublayerAddress> sublayer; ///< of attention, feed-forward, their norm and sum
    std::vector<FlowingTensor> out;
    std::int64_t parameters = 0; ///< of its own and its children's; 0 where parametersAreKnown() is false
    std::vector<Shape> computed; ///< outputs of its operations; empty where it has children
    std::vector<ArchitectureBlock> children;
    std::vector<Bypass> bypasses; ///< among the children
    bool readsMemory = false;     ///< or a child does: the encoder's output enters here
};

/// Two blocks that use the same weights, by role.
using Tie = std::pair<std::string, std::string>;

struct Architecture {
    Shape sourceIn; ///< of the ids; of the vectors where there is no embedding
    Shape targetIn;
    std::vector<ArchitectureBlock> source; ///< in the order of the pass
    std::vector<ArchitectureBlock> target; ///< empty without a decoder
    std::vector<Tie> ties;

    /// Null where there is none.
    const ArchitectureBlock* find(const std::string& role) const;
};

/// A model as its summary describes it; where isBuildKnown() is false, the attention alone. The norms stand
/// where its scheme puts them: "pre" x + f(norm(x)), "post" norm(x + f(x)), "pre-normed-residual" y + f(y)
/// with y = norm(x), "sublayer-output" x + norm(f(x)).
Architecture architectureOf(const trace::ModelSummary& model);

/// False of a trace whose file does not say how its model is built: of that, attention is all that there is.
bool isBuildKnown(const trace::ModelSummary& model);
/// False of a trace whose file does not say how many numbers its model has.
bool parametersAreKnown(const trace::ModelSummary& model);

/// A flag of the summary; empty where it does not say.
std::string architectureFlag(const trace::ModelSummary& model, const std::string& key);

} // namespace headscope::analysis
