#pragma once

#include <QString>

namespace headscope::widgets {

/// A figure that needs more than the shown run.
class FigureNeeds {
  public:
    virtual ~FigureNeeds() = default;
    /// If there is no figure, explains in a sentence or two what is missing.
    virtual QString whyNoFigure() const = 0;
};

} // namespace headscope::widgets
