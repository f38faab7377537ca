#pragma once

#include <QScrollArea>

namespace headscope::widgets {

/// Scrolls content that is larger than its place, in both directions: the content always gets the room it
/// needs, and several areas side by side never need more than there is.
class RoomyArea : public QScrollArea {
  public:
    /// `content` may be null, and set later.
    explicit RoomyArea(QWidget* content, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
};

} // namespace headscope::widgets
