#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace headscope::widgets {

/// Lays out widgets in a row at their preferred width and wraps to further lines, so that large fonts make a
/// bar higher instead of cutting its text. Expanding widgets share the rest of their line.
class FlowLayout : public QLayout {
  public:
    /// Equal: in columns of one width, as many as have room and the last line needs, in lines as high as
    /// their highest widget.
    enum class Widths { Preferred, Equal };
    explicit FlowLayout(QWidget* parent = nullptr, Widths widths = Widths::Preferred);

    void addItem(QLayoutItem* item) override;
    int count() const override { return items_.size(); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;

    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;    ///< of a single line
    QSize minimumSize() const override; ///< of the widest widget
    void setGeometry(const QRect& rect) override;

  private:
    /// Positions the widgets in `rect`, or only measures them. Returns the height.
    int layOut(const QRect& rect, bool measureOnly) const;
    int layOutColumns(const QRect& rect, bool measureOnly) const;

    Widths widths_;
    std::vector<std::unique_ptr<QLayoutItem>> items_;
};

} // namespace headscope::widgets
