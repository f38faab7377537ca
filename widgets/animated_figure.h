#pragma once

#include <cstddef>
#include <optional>

namespace headscope::widgets {

/// A figure that can be animated step by step: its layout is that of the complete decoding, so that nothing
/// moves between frames, and rows not decoded yet stay empty.
class AnimatedFigure {
  public:
    virtual ~AnimatedFigure() = default;
    /// Number of decoded target rows in the current frame; empty: all, as in any other figure.
    virtual void setRowsDecoded(std::optional<std::size_t> rows) {
        const bool begins = rows && !decoded_;
        decoded_ = rows;
        if (begins)
            measureAnimation();
    }

  protected:
    /// Measures what all frames share. Called once when the animation starts and whenever something else is
    /// shown, as it examines every step.
    virtual void measureAnimation() {}
    void measureAgain() {
        if (isAnimated())
            measureAnimation();
    }
    const std::optional<std::size_t>& rowsDecoded() const { return decoded_; }
    bool isDecoded(std::size_t row) const { return !decoded_ || row < *decoded_; }
    bool isAnimated() const { return decoded_.has_value(); }

  private:
    std::optional<std::size_t> decoded_;
};

} // namespace headscope::widgets
