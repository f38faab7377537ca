#pragma once

#include "widgets/view.h"

namespace headscope::widgets {

/// A view without a place in the window, of which `render` draws the figure.
class FigureView : public View {
    Q_OBJECT

  public:
    using View::View;
    QSize sizeHint() const override { return {720, 260}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace headscope::widgets
