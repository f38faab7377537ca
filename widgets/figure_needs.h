#pragma once

#include <QString>

namespace headscope::widgets {

/// A figure that needs more than the run that is shown.
class FigureNeeds {
  public:
    virtual ~FigureNeeds() = default;
    /// Where there is no figure: what is missing, in a sentence or two.
    virtual QString whyNoFigure() const = 0;
};

} // namespace headscope::widgets
