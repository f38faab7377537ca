#pragma once

#include <QWidget>

#include "widgets/map/accessible_map.h"

#include <memory>
#include <optional>

namespace headscope::widgets {

struct Theme;

/// What a plot shows, a plain value: marks in rows and columns, each with a place and with words. The same
/// draws the screen and the figure.
class PlotPicture {
  public:
    virtual ~PlotPicture() = default;
    virtual int rows() const = 0;
    virtual int columns() const = 0;
    virtual void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const = 0;
    /// Where a mark stands; empty where it has no place.
    virtual QRectF place(MapCell mark, const QRectF& area, const QFont& font) const = 0;
    /// The mark that a point means.
    virtual std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const;
    virtual QString inWords(MapCell mark) const = 0;
    virtual QString rowName(int row) const = 0;
    virtual QString columnName(int column) const = 0;
};

/// Shows a picture whose marks can be pointed at, gone through with the arrow keys, and read as a table.
class ReadablePlot : public QWidget, public ReadableMap {
    Q_OBJECT

  public:
    /// `name` is the accessible name.
    explicit ReadablePlot(const QString& name, QWidget* parent = nullptr);

    /// Null: nothing is drawn.
    void setPicture(std::shared_ptr<const PlotPicture> picture);
    const std::shared_ptr<const PlotPicture>& picture() const { return picture_; }

    int rowCount() const override { return picture_ ? picture_->rows() : 0; }
    int columnCount() const override { return picture_ ? picture_->columns() : 0; }
    QString rowName(int row) const override { return picture_->rowName(row); }
    QString columnName(int column) const override { return picture_->columnName(column); }
    QString cellInWords(MapCell cell) const override { return picture_->inWords(cell); }
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override { return cursor_; }

  Q_SIGNALS:
    /// The mark under the pointer or the cursor, in words; empty when there is none.
    void markDescribed(const QString& words);
    void cursorMoved(std::optional<MapCell> mark);
    /// Click or Enter.
    void markChosen(MapCell mark);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    QRectF area() const;
    std::optional<MapCell> markAt(QPointF point) const;
    void setCursorMark(std::optional<MapCell> mark);

    std::shared_ptr<const PlotPicture> picture_;
    std::optional<MapCell> cursor_;
    std::optional<MapCell> keyed_; ///< where the keys are: the cursor again once the pointer has left
};

} // namespace headscope::widgets
