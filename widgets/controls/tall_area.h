#pragma once

#include <QScrollArea>

namespace headscope::widgets {

/// Scrolls what is higher than its place, never what is wider: large text must not make the window higher
/// than the screen.
class TallArea : public QScrollArea {
  public:
    explicit TallArea(QWidget* content, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override;
};

} // namespace headscope::widgets
