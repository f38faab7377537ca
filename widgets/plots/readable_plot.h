#pragma once

#include <QWidget>

#include "widgets/figure_blocks.h"
#include "widgets/map/accessible_map.h"

#include <memory>
#include <optional>

namespace headscope::widgets {

struct Theme;

/// Content of a plot, as a plain value: marks in rows and columns, each with a position and a description.
/// The same function draws screen and figure.
class PlotPicture {
  public:
    virtual ~PlotPicture() = default;
    virtual int rows() const = 0;
    virtual int columns() const = 0;
    virtual void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const = 0;
    /// Rectangle of a mark; empty if it has none.
    virtual QRectF place(MapCell mark, const QRectF& area, const QFont& font) const = 0;
    /// The mark at a point.
    virtual std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const;
    /// The mark that an arrow key goes to. Nothing: along rows and columns; of the mark itself: nowhere.
    virtual std::optional<MapCell> towards(int /*key*/, MapCell /*from*/, const QRectF& /*area*/,
                                           const QFont& /*font*/) const {
        return std::nullopt;
    }
    virtual QString inWords(MapCell mark) const = 0;
    /// Rich text for the tooltip.
    virtual QString card(MapCell mark) const;
    virtual QString rowName(int row) const = 0;
    virtual QString columnName(int column) const = 0;
};

/// `picture` in a figure; null: an empty block.
FigureBlock plotBlock(std::shared_ptr<const PlotPicture> picture, const QFont& font,
                      std::function<QSizeF(double width)> size = shaped(plotShape));

/// Shows a plot whose marks can be hovered, visited with the arrow keys, and read as a table by screen
/// readers.
class ReadablePlot : public QWidget, public ReadableMap {
    Q_OBJECT

  public:
    /// `name` is the accessible name.
    explicit ReadablePlot(const QString& name, QWidget* parent = nullptr);

    /// Null: draws nothing.
    void setPicture(std::shared_ptr<const PlotPicture> picture);
    const std::shared_ptr<const PlotPicture>& picture() const { return picture_; }
    /// An area can be dragged with the mouse, and is marked until Esc, a click, another size or forgetArea().
    void setDraggable(bool isDraggable) { isDraggable_ = isDraggable; }
    void forgetArea();
    /// Where the picture is drawn.
    QRectF area() const;

    int rowCount() const override { return picture_ ? picture_->rows() : 0; }
    int columnCount() const override { return picture_ ? picture_->columns() : 0; }
    QString rowName(int row) const override { return picture_->rowName(row); }
    QString columnName(int column) const override { return picture_->columnName(column); }
    QString cellInWords(MapCell cell) const override { return picture_->inWords(cell); }
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override { return cursor_; }

  Q_SIGNALS:
    /// Description of the mark under the pointer or the cursor; empty if there is none.
    void markDescribed(const QString& words);
    void cursorMoved(std::optional<MapCell> mark);
    /// The user clicked a mark or pressed Enter.
    void markChosen(MapCell mark);
    /// In pixels; empty: no area is marked any more.
    void areaMarked(QRectF area);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent*) override { forgetArea(); }
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    std::optional<MapCell> markAt(QPointF point) const;
    void setCursorMark(std::optional<MapCell> mark);
    void chooseAt(QPointF point);

    std::shared_ptr<const PlotPicture> picture_;
    std::optional<MapCell> cursor_;
    std::optional<MapCell> keyed_; ///< keyboard cursor, shown again when the pointer leaves
    bool isDraggable_ = false;
    std::optional<QPointF> pressed_; ///< where the mouse button went down
    QRectF marked_;                  ///< area
};

} // namespace headscope::widgets
