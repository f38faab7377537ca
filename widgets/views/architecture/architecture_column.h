#pragma once

#include "widgets/views/architecture/architecture_layout.h"

namespace headscope::widgets {

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

} // namespace headscope::widgets
