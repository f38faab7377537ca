#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace headscope::widgets {

/// Widgets beside each other, as wide as they want to be, and in a further line where there is no room: large
/// text makes a bar higher instead of cutting its words. What is expanding takes what is left of its line.
class FlowLayout : public QLayout {
  public:
    explicit FlowLayout(QWidget* parent = nullptr);

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;

    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;    ///< of one line
    QSize minimumSize() const override; ///< of the widest widget
    void setGeometry(const QRect& rect) override;

  private:
    /// Puts the widgets there, or only measures. Returns the height.
    int layOut(const QRect& rect, bool measureOnly) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
};

} // namespace headscope::widgets
