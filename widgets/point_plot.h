#pragma once

#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

namespace headscope::widgets {

struct Theme;

/// One mark for each of 0, 1, 2, ... over a logarithmic axis.
struct Points {
    std::vector<double> values; ///< above 0; what is not has no mark
    std::vector<bool> hollow;   ///< [values]; empty: all are filled
    QString xTitle;
    QString yTitle;
    std::function<QString(int)> describe; ///< a mark in words
};

/// Draws and reads out points. The arrow keys go from one to the next, Home and End to the ends.
class PointPlot : public QWidget {
    Q_OBJECT

  public:
    /// `name` is the accessible name.
    explicit PointPlot(const QString& name, QWidget* parent = nullptr);

    void setPoints(Points points);
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;

  Q_SIGNALS:
    /// The mark under the pointer or the cursor, in words; empty when there is none.
    void pointDescribed(const QString& words);
    void cursorMoved(std::optional<int> index);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void setPointCursor(std::optional<int> index);

    Points points_;
    std::optional<int> cursor_;
};

} // namespace headscope::widgets
