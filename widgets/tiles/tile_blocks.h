#pragma once

#include <QString>

#include "model/trace/attention_site.h"
#include "model/trace/model_summary.h"

#include <vector>

namespace headscope::widgets {

class HeadTint;

/// Heads that belong together.
struct TileCluster {
    std::vector<trace::HeadAddress> heads;
    std::vector<QString> captions = {}; ///< the same from long to short: the first that fits is written
    friend bool operator==(const TileCluster&, const TileCluster&) = default;
};

/// The heads of one kind.
struct TileBlock {
    trace::AttentionKind kind = trace::AttentionKind::EncoderSelf;
    int columns = 0; ///< 0: as many as there is room for
    std::vector<TileCluster> clusters;
    bool captions = false; ///< a line of words above every cluster

    int count() const;
    /// How many clusters end before a column; 0 if each has whole lines.
    int clustersBefore(int column) const;
    friend bool operator==(const TileBlock&, const TileBlock&) = default;
};

/// Kind by kind, each with layers down and heads across; heads that share keys are clusters. `heads` are in
/// the order of the model, which may be null.
std::vector<TileBlock> blocksAsInTheModel(const trace::ModelSummary* model,
                                          const std::vector<trace::HeadAddress>& heads);
/// Kind by kind, each one cluster: the highest number first; heads without one last, as in the model.
std::vector<TileBlock> blocksInOrder(const std::vector<trace::HeadAddress>& heads, const HeadTint& tint);

} // namespace headscope::widgets
