#pragma once

#include <cstddef>
#include <optional>

namespace headscope::widgets {

/// A figure of a decoding that is shown step by step: laid out for the whole of it, so that nothing moves
/// from one frame to the next, and what is not decoded yet is left empty.
class FilmedFigure {
  public:
    virtual ~FilmedFigure() = default;
    /// The first rows of the target; nothing: all of them, as in any other figure.
    virtual void setRowsDecoded(std::optional<std::size_t> rows) {
        const bool begins = rows && !decoded_;
        decoded_ = rows;
        if (begins)
            measureFilm();
    }

  protected:
    /// What all frames share is measured once for all of them, as it looks at every step: when the film
    /// begins, and whenever something else is shown.
    virtual void measureFilm() {}
    void measureAgain() {
        if (isFilmed())
            measureFilm();
    }
    const std::optional<std::size_t>& rowsDecoded() const { return decoded_; }
    bool isDecoded(std::size_t row) const { return !decoded_ || row < *decoded_; }
    bool isFilmed() const { return decoded_.has_value(); }

  private:
    std::optional<std::size_t> decoded_;
};

} // namespace headscope::widgets
