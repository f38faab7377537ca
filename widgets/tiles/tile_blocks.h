#pragma once

#include <QString>

#include "model/trace/attention_site.h"
#include "model/trace/model_summary.h"

#include <vector>

namespace headscope::widgets {

class HeadTint;

/// A group of heads.
struct TileCluster {
    std::vector<trace::HeadAddress> heads;
    std::vector<QString> captions = {}; ///< from long to short; the first that fits is drawn
    friend bool operator==(const TileCluster&, const TileCluster&) = default;
};

/// The heads of one kind.
struct TileBlock {
    trace::AttentionKind kind = trace::AttentionKind::EncoderSelf;
    int columns = 0; ///< 0: as many as fit
    std::vector<TileCluster> clusters;
    bool captions = false; ///< a caption line above every cluster

    int count() const;
    /// Returns how many clusters end before a column; 0 if each fills complete lines.
    int clustersBefore(int column) const;
    friend bool operator==(const TileBlock&, const TileBlock&) = default;
};

/// Returns a block per kind, with layers as rows and heads as columns; heads that share keys are clusters.
/// `heads` are in the order of the model. `model` may be null.
std::vector<TileBlock> blocksAsInTheModel(const trace::ModelSummary* model,
                                          const std::vector<trace::HeadAddress>& heads);
/// Returns a block per kind with one cluster: the highest number first; heads without a number last.
std::vector<TileBlock> blocksInOrder(const std::vector<trace::HeadAddress>& heads, const HeadTint& tint);

} // namespace headscope::widgets
