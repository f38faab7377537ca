#pragma once

#include <QPainterPath>
#include <QRectF>
#include <QSizeF>

#include "model/trace/run.h"

#include <functional>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// A hypothesis of a beam search and its position in the picture.
struct BeamTreeNode {
    trace::DecodeTree::NodeId id = 0;
    std::optional<std::size_t> parent; ///< index in the list; nullopt for the root
    int column = 0;                    ///< 0 for the root, then one per step
    int rank = 0;                      ///< among all continuations of the step, from 0
    bool kept = false;                 ///< part of the winning hypothesis
    QRectF box;
};

/// Layout of a beam search: one column per step from left to right, more probable hypotheses higher.
struct BeamTreeLayout {
    std::vector<BeamTreeNode> nodes; ///< parents before children; empty if nothing was searched
    QSizeF size;
    int columns = 0;
};

/// Lays out the search of the path requested last. `labelWidth` measures the label of a token.
BeamTreeLayout layOutBeamTree(const trace::Run& run,
                              const std::function<double(const trace::Token&)>& labelWidth,
                              double lineHeight);

/// Fates differ in shape, not only in colour.
QPainterPath fateShape(trace::Fate fate, const QRectF& box);

} // namespace headscope::widgets
