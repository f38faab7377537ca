#pragma once

#include "widgets/views/architecture/architecture_layout.h"

namespace headscope::widgets {

/// Builds one column of the figure upwards from y = 0, its line at x = 0. "Outside" is where residual
/// connections run: left of the encoder, right of the decoder; labels stand inside.
class ArchitectureColumn {
  public:
    ArchitectureColumn(analysis::Side side, const std::set<std::string>& unfolded,
                       const ArchitectureText& text);

    /// `ends`: what comes out at the top is the model's answer, which has its place there.
    void build(const analysis::FlowingTensor& in, const std::vector<analysis::ArchitectureBlock>& blocks,
               bool ends);

    /// Everything drawn, with room for words; all y are negative or 0.
    QRectF bounds() const { return bounds_; }
    const std::vector<ArchitectureBox>& boxes() const { return boxes_; }
    const std::vector<ArchitectureLine>& lines() const { return lines_; }
    /// Where the encoder's output enters, at the inside of the blocks that read it.
    struct Door {
        QPointF at;
        const analysis::ArchitectureBlock* reader = nullptr;
    };
    const std::vector<Door>& memoryDoors() const { return doors_; }
    const QRectF& foot() const { return foot_; }
    const QRectF& head() const { return head_; }
    /// Where the line ends.
    QPointF top() const { return top_; }
    void moveBy(QPointF by);

  private:
    /// Of what has been placed from somewhere on.
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
    /// The line into a sublayer begins where its residual connection leaves.
    void splitLastLine(double y);
    void addBypass(const analysis::Bypass& bypass, double from, double to, const Mark& since);
    bool isUnfolded(const analysis::ArchitectureBlock& block) const;
    double outside() const { return side_ == analysis::Side::Source ? -1 : 1; }
    double boxHeight() const { return text_.lineHeight + 12; }

    analysis::Side side_;
    const std::set<std::string>& unfolded_;
    const ArchitectureText& text_;
    double boxWidth_ = 0;
    double y_ = 0; ///< how far the column has been built
    std::vector<ArchitectureBox> boxes_;
    std::vector<ArchitectureLine> lines_;
    std::vector<Door> doors_;
    std::optional<trace::SublayerAddress> part_; ///< of what is placed
    QRectF bounds_;
    QRectF foot_;
    QRectF head_;
    QPointF top_;
};

} // namespace headscope::widgets
