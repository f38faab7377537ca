#pragma once

#include <QScrollArea>

namespace headscope::widgets {

/// Scrolls vertically only, so that large fonts do not make the window higher than the screen.
class TallArea : public QScrollArea {
    Q_OBJECT

  public:
    explicit TallArea(QWidget* content, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override;
};

} // namespace headscope::widgets
