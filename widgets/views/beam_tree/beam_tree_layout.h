#pragma once

#include <QPainterPath>
#include <QRectF>
#include <QSizeF>

#include "model/trace/run.h"

#include <functional>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// One hypothesis of a beam search, where it stands in the picture.
struct BeamTreeNode {
    trace::DecodeTree::NodeId id = 0;
    std::optional<std::size_t> parent; ///< its place in the list; nothing for where the search began
    int column = 0;                    ///< 0 where the search began, then one a step
    int rank = 0;                      ///< among all continuations of the step, from 0
    bool kept = false;                 ///< part of the hypothesis that won
    QRectF box;
};

/// A search as a picture: time from left to right, one column a step, the more probable the higher.
struct BeamTreeLayout {
    std::vector<BeamTreeNode> nodes; ///< parents before their children; empty where nothing was searched
    QSizeF size;
    int columns = 0;

    std::optional<std::size_t> nodeAt(QPointF point) const;
    std::optional<std::size_t> placeOf(trace::DecodeTree::NodeId id) const;
    /// The neighbour one column or one rank away, the nearest by rank in its column; the node itself at the
    /// edge.
    std::size_t neighbour(std::size_t place, int columns, int ranks) const;
};

/// What was searched for the path that was asked for last. `labelWidth` measures a token's label.
BeamTreeLayout layOutBeamTree(const trace::Run& run,
                              const std::function<double(const trace::Token&)>& labelWidth,
                              double lineHeight);

/// Every fate has an outline of its own, so that colour need not tell them apart.
QPainterPath fateShape(trace::Fate fate, const QRectF& box);

} // namespace headscope::widgets
