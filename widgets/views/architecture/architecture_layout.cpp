#include "widgets/views/architecture/architecture_layout.h"

#include "widgets/views/architecture/architecture_column.h"

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

using analysis::Side;
using LineKind = ArchitectureLine::Kind;

constexpr double architectureLayoutMargin = 16;
constexpr double middle = 40;      ///< between the columns, for the encoder's output
constexpr double beforeTrunk = 14; ///< distance to the vertical part of that line

/// Label of the encoder's output where it branches off.
struct MemoryLabel {
    QStringList lines;
    double width = 0;
};

MemoryLabel memoryLabel(const analysis::Architecture& architecture, const ArchitectureText& text) {
    MemoryLabel label;
    if (!architecture.source.empty() && !architecture.source.back().out.empty())
        label.lines = inTwoLines(text.tensor(architecture.source.back().out.front()));
    for (const QString& line : label.lines)
        label.width = std::max(label.width, text.width(line) + 2);
    return label;
}

/// Lines from the top of the encoder to every block that reads its output.
void addMemory(ArchitectureLayout& layout, const ArchitectureColumn& source, const ArchitectureColumn& target,
               const MemoryLabel& label, double lineHeight) {
    const double trunk = source.bounds().right() + beforeTrunk;
    const double high = static_cast<double>(label.lines.size()) * lineHeight;
    const QPointF from = source.top();
    for (const auto& [door, reader] : target.memoryDoors()) {
        ArchitectureLine line{.kind = LineKind::Memory, .side = Side::Target, .label = label.lines};
        line.points = {from, QPointF(trunk, from.y()), QPointF(trunk, door.y()), door};
        line.labelArea = QRectF(trunk + 6, door.y() - 3 - high, label.width, high);
        line.reader = reader;
        layout.lines.push_back(std::move(line));
    }
}

void addTies(ArchitectureLayout& layout, const analysis::Architecture& architecture,
             const ArchitectureText& text) {
    const double words = text.width(text.tie) + 2;
    for (const auto& [one, other] : architecture.ties) {
        const auto a = layout.boxOf(one);
        const auto b = layout.boxOf(other);
        if (!a || !b)
            continue;
        const QRectF first = layout.boxes[*a].area;
        const QRectF second = layout.boxes[*b].area;
        ArchitectureLine line{
            .kind = LineKind::Tie, .side = Side::Target, .head = false, .label = {text.tie}};
        line.alignment = Qt::AlignHCenter;
        if (first.center().x() < second.left()) {
            line.points = {QPointF(first.right(), first.center().y()),
                           QPointF(second.left(), second.center().y())};
            line.labelArea = QRectF((first.right() + second.left() - words) / 2,
                                    first.center().y() - text.lineHeight - 2, words, text.lineHeight);
        } else {
            const double x = layout.size.width() - architectureLayoutMargin - text.lineHeight - 4;
            line.points = {QPointF(first.right(), first.center().y()), QPointF(x, first.center().y()),
                           QPointF(x, second.center().y()), QPointF(second.right(), second.center().y())};
            line.upright = true;
            line.labelArea =
                QRectF(x + 3, second.center().y(), text.lineHeight, first.center().y() - second.center().y());
        }
        layout.lines.push_back(std::move(line));
    }
}

void add(ArchitectureLayout& layout, const ArchitectureColumn& column) {
    layout.boxes.insert(layout.boxes.end(), column.boxes().begin(), column.boxes().end());
    layout.lines.insert(layout.lines.end(), column.lines().begin(), column.lines().end());
}

bool ties(const analysis::Architecture& architecture, const std::string& role) {
    return std::ranges::any_of(architecture.ties, [&](const auto& tie) { return tie.second == role; });
}

} // namespace

QStringList inTwoLines(const QStringList& tensor) {
    if (tensor.size() != 1)
        return tensor;
    const auto equals = tensor.front().indexOf(QStringLiteral(" = "));
    return equals < 0 ? tensor : QStringList{tensor.front().left(equals), tensor.front().mid(equals + 1)};
}

std::optional<std::size_t> ArchitectureLayout::boxAt(QPointF point) const {
    for (std::size_t i = boxes.size(); i-- > 0;)
        if (boxes[i].area.contains(point))
            return i;
    return std::nullopt;
}

std::optional<std::size_t> ArchitectureLayout::boxOf(const std::string& role) const {
    const auto found =
        std::ranges::find_if(boxes, [&](const ArchitectureBox& box) { return box.block->role == role; });
    return found == boxes.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - boxes.begin()));
}

std::optional<std::size_t> ArchitectureLayout::nearestTo(const std::string& role) const {
    for (std::string name = role; !name.empty();) {
        if (const auto found = boxOf(name))
            return found;
        const auto dot = name.rfind('.');
        name = dot == std::string::npos ? std::string() : name.substr(0, dot);
    }
    return std::nullopt;
}

std::size_t ArchitectureLayout::neighbour(std::size_t box, int along, int across) const {
    const auto side = boxes.at(box).block->side;
    if (across == 0) { // boxes of a column are in the order of the forward pass
        const std::size_t next = box + static_cast<std::size_t>(along); // -1 wraps around to an invalid index
        return next < boxes.size() && boxes[next].block->side == side ? next : box;
    }
    if ((across > 0) == (side == Side::Target))
        return box;
    std::size_t best = box;
    double nearest = 1e9;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const double distance = std::abs(boxes[i].title.center().y() - boxes[box].title.center().y());
        if (boxes[i].block->side != side && distance < nearest) {
            nearest = distance;
            best = i;
        }
    }
    return best;
}

ArchitectureLayout layOutArchitecture(const analysis::Architecture& architecture,
                                      const std::set<std::string>& unfolded, const ArchitectureText& text) {
    ArchitectureLayout layout;
    const bool hasSource = !architecture.source.empty();
    const bool hasTarget = !architecture.target.empty();
    const bool twoColumns = hasSource && hasTarget;
    const MemoryLabel memory = memoryLabel(architecture, text);
    ArchitectureColumn source(Side::Source, unfolded, text);
    if (hasSource)
        source.build({"", architecture.sourceIn}, architecture.source, !hasTarget);
    ArchitectureColumn target(Side::Target, unfolded, text);
    if (hasTarget)
        target.build({"", architecture.targetIn}, architecture.target, true);
    const double height = std::max(source.bounds().height(), target.bounds().height());
    double right = 0;
    if (hasSource) {
        source.moveBy({architectureLayoutMargin - source.bounds().left(), architectureLayoutMargin + height});
        right = source.bounds().right();
    }
    if (hasTarget) {
        double gap = hasSource ? std::max(middle, beforeTrunk + memory.width + 12) : architectureLayoutMargin;
        if (hasSource && ties(architecture, "target_embedding"))
            gap = std::max(gap, text.width(text.tie) + 2 * architectureLayoutMargin);
        target.moveBy({right + gap - target.bounds().left(), architectureLayoutMargin + height});
        right = target.bounds().right();
    }
    if (ties(architecture, "generator"))
        right += 2 * architectureLayoutMargin + text.lineHeight;
    layout.size = {right + architectureLayoutMargin, height + 2 * architectureLayoutMargin};
    add(layout, source);
    add(layout, target);
    layout.sourceFoot = source.foot();
    layout.targetFoot = target.foot();
    layout.head = hasTarget ? target.head() : source.head();
    if (twoColumns)
        addMemory(layout, source, target, memory, text.lineHeight);
    addTies(layout, architecture, text);
    return layout;
}

} // namespace headscope::widgets
