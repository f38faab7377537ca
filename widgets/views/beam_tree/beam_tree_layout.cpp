#include "widgets/views/beam_tree/beam_tree_layout.h"

#include "model/trace/run_path.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace headscope::widgets {

namespace {

using trace::Fate;
using NodeId = trace::DecodeTree::NodeId;

constexpr double beamTreeLayoutMargin = 12;
constexpr double columnGap = 36; ///< room for the lines
constexpr double rowGap = 8;
constexpr double beamTreeSidePadding = 14;
constexpr double beamTreeTopPadding = 4;

/// The node from which the search started.
std::optional<NodeId> searchRoot(const trace::DecodeTree& tree) {
    for (const auto& node : tree.nodes())
        if (node.search && node.search->step == 0)
            return node.parent;
    return std::nullopt;
}

std::vector<BeamTreeNode> searchedNodes(const trace::Run& run, NodeId root) {
    std::vector<BeamTreeNode> nodes{{.id = root, .kept = true}};
    std::map<NodeId, std::size_t> places{{root, 0}};
    const auto searched = trace::searchedPath(run);
    const auto path = searched ? run.tree.path(run.paths[*searched].leaf) : std::vector<NodeId>();
    const std::set<NodeId> won(path.begin(), path.end());
    for (NodeId id = root + 1; id < run.tree.nodes().size(); ++id) {
        const auto& node = run.tree.node(id);
        const auto parent = node.parent ? places.find(*node.parent) : places.end();
        if (!node.search || parent == places.end())
            continue;
        places[id] = nodes.size();
        nodes.push_back({.id = id,
                         .parent = parent->second,
                         .column = node.search->step + 1,
                         .rank = node.search->rank,
                         .kept = won.contains(id)});
    }
    return nodes;
}

QPainterPath polygon(std::initializer_list<QPointF> points) {
    QPainterPath path;
    path.addPolygon(QPolygonF(QList<QPointF>(points)));
    path.closeSubpath();
    return path;
}

} // namespace

BeamTreeLayout layOutBeamTree(const trace::Run& run,
                              const std::function<double(const trace::Token&)>& labelWidth,
                              double lineHeight) {
    BeamTreeLayout layout;
    const auto root = searchRoot(run.tree);
    if (!root)
        return layout;
    layout.nodes = searchedNodes(run, *root);
    std::map<int, double> widths;
    int ranks = 0;
    for (const auto& node : layout.nodes) {
        auto& width = widths[node.column];
        width = std::max(width, labelWidth(run.tree.node(node.id).token) + 2 * beamTreeSidePadding);
        ranks = std::max(ranks, node.rank + 1);
    }
    std::map<int, double> lefts;
    double left = beamTreeLayoutMargin;
    for (const auto& [column, width] : widths) {
        lefts[column] = left;
        left += width + columnGap;
    }
    const double height = lineHeight + 2 * beamTreeTopPadding;
    for (auto& node : layout.nodes) {
        const double width = labelWidth(run.tree.node(node.id).token) + 2 * beamTreeSidePadding;
        node.box =
            QRectF(lefts[node.column], beamTreeLayoutMargin + node.rank * (height + rowGap), width, height);
    }
    layout.columns = static_cast<int>(widths.size());
    layout.size = QSizeF(left - columnGap + beamTreeLayoutMargin,
                         beamTreeLayoutMargin * 2 + ranks * (height + rowGap) - rowGap);
    return layout;
}

QPainterPath fateShape(Fate fate, const QRectF& box) {
    QPainterPath path;
    const double point = box.height() / 3;
    switch (fate) {
    case Fate::Extended:
        path.addRoundedRect(box, 4, 4);
        break;
    case Fate::Finished:
        path.addRoundedRect(box, box.height() / 2, box.height() / 2);
        break;
    case Fate::Pruned: // cut at the lower right
        path = polygon(
            {box.topLeft(), box.topRight(), box.bottomRight() - QPointF(point * 1.5, 0), box.bottomLeft()});
        break;
    case Fate::EndedTooLow: // pointing down
        path = polygon({box.topLeft(), box.topRight(), box.bottomRight() - QPointF(0, point),
                        QPointF(box.center().x(), box.bottom()), box.bottomLeft() - QPointF(0, point)});
        break;
    case Fate::Displaced: // cut at all corners
        path = polygon({box.topLeft() + QPointF(point, 0), box.topRight() - QPointF(point, 0),
                        QPointF(box.right(), box.center().y()), box.bottomRight() - QPointF(point, 0),
                        box.bottomLeft() + QPointF(point, 0), QPointF(box.left(), box.center().y())});
        break;
    case Fate::Unfinished: // pointing right
        path = polygon({box.topLeft(), box.topRight() - QPointF(point, 0),
                        QPointF(box.right(), box.center().y()), box.bottomRight() - QPointF(point, 0),
                        box.bottomLeft()});
        break;
    }
    return path;
}

} // namespace headscope::widgets
