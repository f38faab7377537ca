#pragma once

#include <QScrollArea>

namespace headscope::widgets {

/// Scrolls what is larger than its place, either way: what stands inside never gets less room than it needs,
/// and several beside each other never need more than there is.
class RoomyArea : public QScrollArea {
  public:
    explicit RoomyArea(QWidget* content, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
};

} // namespace headscope::widgets
