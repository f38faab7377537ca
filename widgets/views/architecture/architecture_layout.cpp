#include "widgets/views/architecture/architecture_layout.h"

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

/// Builds one column of the figure upwards from y = 0, with its main line at x = 0. Residual connections run
/// on the outside (left of the encoder, right of the decoder), labels on the inside.
class ArchitectureColumn {
  public:
    ArchitectureColumn(analysis::Side side, const std::set<std::string>& unfolded,
                       const ArchitectureText& text);

    /// `ends`: the output at the top is the model's answer; reserve room for it.
    void build(const analysis::FlowingTensor& in, const std::vector<analysis::ArchitectureBlock>& blocks,
               bool ends);

    /// Everything drawn, including text; all y are negative or 0.
    QRectF bounds() const { return bounds_; }
    const std::vector<ArchitectureBox>& boxes() const { return boxes_; }
    const std::vector<ArchitectureLine>& lines() const { return lines_; }
    /// Where the encoder's output enters a block that reads it, on its inner side.
    struct Door {
        QPointF at;
        const analysis::ArchitectureBlock* reader = nullptr;
    };
    const std::vector<Door>& memoryDoors() const { return doors_; }
    const QRectF& foot() const { return foot_; }
    const QRectF& head() const { return head_; }
    /// End of the main line.
    QPointF top() const { return top_; }
    void moveBy(QPointF by);

  private:
    /// Start of a range of boxes and lines.
    struct Mark {
        std::size_t box = 0;
        std::size_t line = 0;
    };
    Mark mark() const { return {boxes_.size(), lines_.size()}; }
    QRectF extentSince(const Mark& mark) const;

    void place(const analysis::ArchitectureBlock& block, int depth);
    void placeFrame(const analysis::ArchitectureBlock& block, int depth);
    void placeBeside(const analysis::ArchitectureBlock& block, int depth);
    void placeChildren(const analysis::ArchitectureBlock& block, int depth);
    void climb(const std::vector<analysis::FlowingTensor>& tensors, bool head);
    /// Starts the line into a sublayer where its residual connection leaves.
    void splitLastLine(double y);
    void endLastLine(double y);
    void removeLastLabel();
    void addBypass(const analysis::Bypass& bypass, double from, double to, const Mark& since);
    bool isUnfolded(const analysis::ArchitectureBlock& block) const;
    double outside() const { return side_ == analysis::Side::Source ? -1 : 1; }
    double boxHeight() const { return text_.lineHeight + 12; }

    analysis::Side side_;
    const std::set<std::string>& unfolded_;
    const ArchitectureText& text_;
    double boxWidth_ = 0;
    double y_ = 0; ///< current top of the column
    std::vector<ArchitectureBox> boxes_;
    std::vector<ArchitectureLine> lines_;
    std::vector<Door> doors_;
    std::optional<trace::SublayerAddress> part_; ///< sublayer of the blocks being placed
    QRectF bounds_;
    QRectF foot_;
    QRectF head_;
    QPointF top_;
};

using analysis::ArchitectureBlock;
using analysis::BlockKind;
using analysis::FlowingTensor;
using analysis::Side;

constexpr double framePadding = 14;
constexpr double entry = 22; ///< in a frame, below its first block, where residual connections leave
constexpr double bypassGap = 16;
constexpr double besideGap = 28; ///< length of the arrow from the positions to the sum
constexpr double architectureColumnLabelGap = 8;

double widestTitle(const std::vector<ArchitectureBlock>& blocks, const ArchitectureText& text) {
    double width = 0;
    for (const auto& block : blocks) {
        if (block.kind != BlockKind::Add && block.kind != BlockKind::Positions)
            width = std::max(width, text.width(text.title(block)));
        width = std::max(width, widestTitle(block.children, text));
    }
    return width;
}

/// The line into a child, or the child itself.
enum class Entering { Nothing, Block };

/// The sublayer bypassed there: between where a residual connection leaves and where it joins.
std::optional<trace::SublayerAddress> partAt(const ArchitectureBlock& block, std::size_t child,
                                             Entering entering) {
    for (const auto& bypass : block.bypasses)
        if (bypass.from <= child &&
            (child < bypass.to || (entering == Entering::Block && child == bypass.to)))
            return block.children[std::min(child, bypass.to - 1)].sublayer;
    return std::nullopt;
}

QRectF leftwards(double x, double y, double width, double height, double direction) {
    return direction > 0 ? QRectF(x, y, width, height) : QRectF(x - width, y, width, height);
}

ArchitectureColumn::ArchitectureColumn(Side side, const std::set<std::string>& unfolded,
                                       const ArchitectureText& text)
    : side_(side), unfolded_(unfolded), text_(text) {}

bool ArchitectureColumn::isUnfolded(const ArchitectureBlock& block) const {
    return !block.children.empty() && unfolded_.contains(block.role);
}

QRectF ArchitectureColumn::extentSince(const Mark& mark) const {
    QRectF extent;
    for (std::size_t i = mark.box; i < boxes_.size(); ++i)
        extent |= boxes_[i].area;
    for (std::size_t i = mark.line; i < lines_.size(); ++i) {
        extent |= lines_[i].points.boundingRect().adjusted(-1, -1, 1, 1);
        extent |= lines_[i].labelArea;
    }
    return extent;
}

void ArchitectureColumn::build(const FlowingTensor& in, const std::vector<ArchitectureBlock>& blocks,
                               bool ends) {
    boxWidth_ = std::max(widestTitle(blocks, text_) + 5 * framePadding, 10 * text_.lineHeight);
    const double height = text_.lineHeight + 10;
    foot_ = QRectF(-boxWidth_ / 2, -height, boxWidth_, height);
    y_ = foot_.top();
    std::vector<FlowingTensor> flowing{in};
    for (const auto& block : blocks) {
        if (block.kind == BlockKind::Positions) {
            placeBeside(block, 0); // added by the next block
            continue;
        }
        climb(flowing, !isUnfolded(block));
        place(block, 0);
        flowing = block.out;
    }
    climb(flowing, ends);
    top_ = {0, y_};
    bounds_ = extentSince({}) | foot_;
    if (ends)
        bounds_.setTop(bounds_.top() - height);
    const double half = std::min(-bounds_.left(), bounds_.right());
    foot_ = QRectF(-half, -height, 2 * half, height);
    head_ = QRectF(-half, y_ - height, 2 * half, height);
}

/// Extends the main line upwards, with the tensors as labels.
void ArchitectureColumn::climb(const std::vector<FlowingTensor>& tensors, bool head) {
    ArchitectureLine line{.side = side_, .head = head};
    double width = 0;
    for (const auto& tensor : tensors)
        line.label += text_.tensor(tensor);
    for (const QString& words : line.label)
        width = std::max(width, text_.width(words));
    const double height = static_cast<double>(line.label.size()) * text_.lineHeight;
    const double gap = height + 16;
    line.points = {QPointF(0, y_), QPointF(0, y_ - gap)};
    line.labelArea =
        leftwards(-outside() * architectureColumnLabelGap, y_ - height - 5, width + 2, height, -outside());
    line.alignment = outside() < 0 ? Qt::AlignLeft : Qt::AlignRight;
    line.part = part_;
    lines_.push_back(std::move(line));
    y_ -= gap;
}

void ArchitectureColumn::place(const ArchitectureBlock& block, int depth) {
    if (isUnfolded(block))
        return placeFrame(block, depth);
    const bool sum = block.kind == BlockKind::Add;
    const double height = sum ? text_.lineHeight * 1.15 : boxHeight();
    const double width = sum ? height : boxWidth_;
    const QRectF area(-width / 2, y_ - height, width, height);
    boxes_.push_back({.block = &block, .area = area, .title = area, .depth = depth, .part = part_});
    if (block.readsMemory)
        doors_.push_back({{-outside() * width / 2, area.center().y()}, &block});
    y_ = area.top();
}

/// The block after the positions is the sum that adds them: the arrow ends at its height.
void ArchitectureColumn::placeBeside(const ArchitectureBlock& block, int depth) {
    const double sum = text_.lineHeight * 1.15;
    const QStringList words = text_.tensor(block.out.front());
    const double high = static_cast<double>(words.size()) * text_.lineHeight;
    const double centre = y_ - (high + 16) - sum / 2; // centre of the circle placed next
    const double width = text_.width(text_.title(block)) + 2 * framePadding;
    const double near = outside() * (sum / 2 + besideGap);
    const QRectF area = leftwards(near, centre - boxHeight() / 2, width, boxHeight(), outside());
    boxes_.push_back({.block = &block, .area = area, .title = area, .depth = depth});
    ArchitectureLine line{.side = side_, .label = words};
    line.points = {QPointF(near, centre), QPointF(outside() * sum / 2, centre)};
    double label = 0;
    for (const QString& each : words)
        label = std::max(label, text_.width(each) + 2);
    line.labelArea = leftwards(near, area.bottom() + 2, label, high, outside());
    line.alignment = outside() < 0 ? Qt::AlignRight : Qt::AlignLeft;
    lines_.push_back(std::move(line));
}

void ArchitectureColumn::placeFrame(const ArchitectureBlock& block, int depth) {
    const double bottom = y_;
    const std::size_t place = boxes_.size();
    boxes_.push_back({.block = &block, .depth = depth, .unfolded = true, .part = part_});
    const Mark inside = mark();
    placeChildren(block, depth + 1);
    QRectF extent = extentSince(inside);
    const double header = text_.lineHeight + 8;
    const double title = text_.width(text_.title(block)) + 3.5 * framePadding;
    // The main line must not cross the title.
    extent.setLeft(std::min({extent.left(), -boxWidth_ / 2, -title}));
    extent.setRight(std::max(extent.right(), boxWidth_ / 2));
    const double top = extent.top() - header - 4;
    lines_.push_back(
        {.side = side_, .points = {QPointF(0, y_), QPointF(0, top)}, .head = false, .part = part_});
    ArchitectureBox& frame = boxes_[place];
    frame.area =
        QRectF(QPointF(extent.left() - framePadding, top), QPointF(extent.right() + framePadding, bottom));
    frame.title =
        QRectF(frame.area.left() + framePadding / 2, top, -frame.area.left() - framePadding / 2 - 4, header);
    y_ = top;
}

void ArchitectureColumn::splitLastLine(double y) {
    ArchitectureLine before = lines_.back();
    before.points.back() = lines_.back().points.front() = QPointF(0, y);
    before.head = false;
    before.label.clear();
    before.part.reset();
    lines_.push_back(std::move(before));
}

/// What flows there goes on in a bypass, which has the label.
void ArchitectureColumn::endLastLine(double y) {
    lines_.back().points.back() = QPointF(0, y);
    lines_.back().head = false;
    removeLastLabel();
}

void ArchitectureColumn::removeLastLabel() {
    lines_.back().label.clear();
    lines_.back().labelArea = {};
}

void ArchitectureColumn::placeChildren(const ArchitectureBlock& block, int depth) {
    std::vector<double> taken; ///< where the input of each child can branch off
    std::vector<double> joins; ///< where a child can be entered from the side
    std::vector<Mark> before;
    const auto outer = part_;
    for (std::size_t i = 0; i < block.children.size(); ++i) {
        const auto& child = block.children[i];
        before.push_back(mark());
        const auto leavesHere = [i](const auto& bypass) { return bypass.from == i; };
        part_ = outer ? outer : partAt(block, i, Entering::Block);
        if (i == 0) {
            ArchitectureLine line{.side = side_, .head = !isUnfolded(child), .part = part_};
            line.points = {QPointF(0, y_), QPointF(0, y_ - entry)};
            taken.push_back(y_ - entry / 2);
            lines_.push_back(std::move(line));
            y_ -= entry;
        } else {
            taken.push_back(y_ - 9);
            climb(block.children[i - 1].out, !isUnfolded(child));
        }
        if (child.isFedByBypass)
            endLastLine(taken.back());
        else if (!outer && std::ranges::any_of(block.bypasses, leavesHere))
            splitLastLine(taken.back());
        const double bottom = y_;
        part_ = outer ? outer : partAt(block, i, Entering::Nothing);
        place(child, depth);
        joins.push_back((bottom + y_) / 2);
    }
    part_ = outer;
    for (const auto& bypass : block.bypasses) {
        addBypass(bypass, taken[bypass.from], joins[bypass.to], before[bypass.from]);
        if (block.children[bypass.to].isFedByBypass) // a branch of the one around it, which has the label
            removeLastLabel();
    }
}

/// Leads around everything placed since `since`, into the side of the block it joins.
void ArchitectureColumn::addBypass(const analysis::Bypass& bypass, double from, double to,
                                   const Mark& since) {
    const double side = bypass.isInner ? -outside() : outside();
    double reach = boxWidth_ / 2;
    double end = 0;
    for (std::size_t i = since.box; i < boxes_.size(); ++i) {
        const QRectF& area = boxes_[i].area;
        if (area.top() < from && area.bottom() > to) // between where it leaves and where it joins
            reach = std::max(reach, side < 0 ? -area.left() : area.right());
        if (area.top() < to && area.bottom() > to)
            end = std::max(end, area.width() / 2);
    }
    const double x = side * (reach + bypassGap);
    ArchitectureLine line{.kind = ArchitectureLine::Kind::Bypass, .side = side_};
    line.points = {QPointF(0, from), QPointF(x, from), QPointF(x, to), QPointF(side * end, to)};
    line.part = part_;
    const double length = from - to;
    const auto fits = [&](const QStringList& lines) {
        return std::ranges::all_of(lines,
                                   [&](const QString& words) { return text_.width(words) + 4 <= length; });
    };
    const QStringList whole = text_.tensor(bypass.tensor);
    const QStringList lines = inTwoLines(whole);
    line.label = fits(whole) ? whole : fits(lines) ? lines : lines.mid(0, 1);
    if (!fits(line.label)) {
        line.label.clear();
    } else {
        line.upright = true;
        line.alignment = Qt::AlignHCenter;
        line.labelArea = leftwards(x + side * 2, to,
                                   static_cast<double>(line.label.size()) * text_.lineHeight, length, side);
    }
    lines_.push_back(std::move(line));
}

void ArchitectureColumn::moveBy(QPointF by) {
    for (auto& box : boxes_) {
        box.area.translate(by);
        box.title.translate(by);
    }
    for (auto& line : lines_) {
        line.points.translate(by);
        line.labelArea.translate(by);
    }
    for (auto& door : doors_)
        door.at += by;
    for (QRectF* area : {&bounds_, &foot_, &head_})
        area->translate(by);
    top_ += by;
}

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
    return found == boxes.end() ? std::nullopt : std::optional<std::size_t>(found - boxes.begin());
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
