#include "widgets/views/architecture/architecture_column.h"

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

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

} // namespace

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

} // namespace headscope::widgets
