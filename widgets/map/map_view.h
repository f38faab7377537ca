#pragma once

#include <QPixmap>
#include <QWidget>

#include "widgets/drawing/token_label.h"
#include "widgets/map/accessible_map.h"
#include "widgets/selection.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

struct Theme;

/// Maps of cells on the screen: pointer, wheel, keys, zoom, tooltips, and the table that readers are told of.
/// A derived class lays them out, draws them with functions that also draw figures, and names cells.
class MapView : public QWidget, public ReadableMap {
    Q_OBJECT

  public:
    /// `name` is the accessible name. Pointer and keys change the focus of `selection`, which outlives the
    /// view; null: of a selection of its own, for cells that are not tokens.
    MapView(const QString& name, Selection* selection, QWidget* parent);

    /// The visible part in cells (x: columns, y: rows); empty: all of it.
    QRectF zoom() const { return window_; }
    /// The same as left, top, width and height; empty where all of it is visible.
    std::vector<double> zoomSides() const;
    void setZoomSides(const std::vector<double>& sides);
    /// Where the cells are. Empty where there is no map, or several, which cannot be zoomed.
    const MapLayout& mapLayout() const { return layout_; }
    std::optional<MapCell> cellAt(QPoint position) const { return layout_.cellAt(QPointF(position)); }

    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override { return cellOf(selection_->hover()); }
    std::optional<MapCell> cellUnder(QPoint point) const override;

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown);
    /// Shows all of the map again.
    void fit() { setZoom({}); }
    /// Shows a part of it; all, where the map is smaller.
    void setZoom(const QRectF& window);

  Q_SIGNALS:
    /// What is under the pointer or the cursor, in words; empty when there is nothing.
    void cellDescribed(const QString& words);
    /// A person has zoomed or moved; not emitted by setZoom() or for another map.
    void zoomedByHand();
    // Of a view with a selection of its own:
    /// The pointer or a key has moved the cursor; nothing when it has left.
    void cursorMoved(std::optional<MapCell> cell);
    /// Click or Enter.
    void cellClicked(MapCell cell);

  protected:
    /// What a tooltip says, and the area that it is about; without one it is shown at the pointer.
    struct Words {
        QString text;
        QRect area;
    };

    /// Everything that hovering does not change, on the background. It is kept until pictureChanged().
    virtual void paintStill(QPainter& painter, const Theme& theme) const = 0;
    /// What follows the focus.
    virtual void paintMoving(QPainter& painter, const Theme& theme) const = 0;
    /// What the pointer lights there: a cell, or the row or column of a label.
    virtual TokenFocus focusAt(QPointF position) const = 0;
    virtual TokenFocus focusOf(MapCell cell) const;
    virtual Words wordsAt(QPointF position) const = 0;
    /// What readers are told of the focus.
    virtual QString litInWords() const;
    /// The cell that the first arrow key shows; nothing: it moves from the first cell.
    virtual std::optional<MapCell> entry() const { return MapCell{}; }
    /// Whether the map has this part.
    virtual bool hasPart(const QRectF& window) const;
    /// Draws anew. Where the layout may be another one, derived classes set it first.
    virtual void pictureChanged();
    virtual void focusMoved();
    /// Keys have moved the cursor.
    virtual void goTo(MapCell cell);

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

    /// In a selection of its own.
    static std::optional<MapCell> cellOf(const TokenFocus& focus);
    TokenLabelStyle labelStyle() const { return {.font = font(), .spaceMarks = spaceMarks_}; }
    const QPixmap& still() const { return still_; }

    Selection* const selection_;
    MapLayout layout_;
    QRectF window_; ///< in cells; empty: all

  private:
    void windowChanged();
    void look(const QRectF& window);
    bool ownsSelection() const { return selection_->parent() == this; }
    void tellCursor();
    void pin(const TokenFocus& there);

    std::optional<MapCell> told_; ///< the cursor that others know of
    bool spaceMarks_ = true;
    QPixmap still_;
    std::optional<QPointF> dragFrom_;
    bool dragged_ = false;
};

} // namespace headscope::widgets
