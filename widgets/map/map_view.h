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

/// Maps of cells on the screen: pointer, wheel, keys, zoom, tooltips, and the accessible table. A derived
/// class lays them out, draws them with functions that also draw figures, and describes cells.
class MapView : public QWidget, public ReadableMap {
    Q_OBJECT

  public:
    /// `name` is the accessible name. Pointer and keys change the focus of `selection`, which must outlive
    /// the view. If null, the view creates a separate selection, for cells that are not tokens.
    MapView(const QString& name, Selection* selection, QWidget* parent);

    /// The visible part in cells (x: columns, y: rows); empty: all of it.
    QRectF zoom() const { return window_; }
    /// zoom() as left, top, width and height; empty if all of it is visible.
    std::vector<double> zoomSides() const;
    void setZoomSides(const std::vector<double>& sides);
    /// Positions of the cells. Empty if there is no map, or several maps, which cannot be zoomed.
    const MapLayout& mapLayout() const { return layout_; }
    std::optional<MapCell> cellAt(QPoint position) const { return layout_.cellAt(QPointF(position)); }

    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override { return cellOf(selection_->hover()); }
    std::optional<MapCell> cellUnder(QPoint point) const override;

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown);
    /// Shows all of the map again.
    void fit() { setZoom({}); }
    /// Shows a part of the map; all of it if the map does not contain this part.
    void setZoom(const QRectF& window);

  Q_SIGNALS:
    /// Description of the cell under the pointer or cursor; empty if there is none.
    void cellDescribed(const QString& words);
    /// The user has zoomed or panned. Not emitted by setZoom() or if another map is shown.
    void zoomedByHand();
    // Emitted only by views with a separate selection.
    /// The pointer or a key has moved the cursor; nothing if it has left.
    void cursorMoved(std::optional<MapCell> cell);
    /// Click or Enter.
    void cellClicked(MapCell cell);

  protected:
    /// Text of a tooltip, and the area for which it is valid. Without an area it is shown at the pointer.
    struct Words {
        QString text;
        QRect area;
    };

    /// Paints everything that does not depend on the focus. The result is cached until pictureChanged().
    virtual void paintStill(QPainter& painter, const Theme& theme) const = 0;
    /// Paints the marks of the focus.
    virtual void paintMoving(QPainter& painter, const Theme& theme) const = 0;
    /// The cell at a position, or the row or column of its label.
    virtual TokenFocus focusAt(QPointF position) const = 0;
    virtual TokenFocus focusOf(MapCell cell) const;
    virtual Words wordsAt(QPointF position) const = 0;
    /// Description of the focus for screen readers.
    virtual QString litInWords() const;
    /// Where the cursor appears at the first arrow key; nothing: the key moves it from cell (0, 0).
    virtual std::optional<MapCell> entry() const { return MapCell{}; }
    /// True if the map contains this part.
    virtual bool hasPart(const QRectF& window) const;
    /// Discards the cached picture. Derived classes compute their layout first.
    virtual void pictureChanged();
    /// Called if the focus or its description has changed.
    virtual void focusMoved();
    /// Moves the cursor, as keys do.
    virtual void goTo(MapCell cell);
    /// Where the tooltip of `area` begins: below it, so that a row remains readable, but not far from
    /// `point`.
    static QPoint belowOf(const QPoint& point, const QRect& area);

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

    /// The cell of a focus of the separate selection.
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

    std::optional<MapCell> told_; ///< last cell of cursorMoved()
    bool spaceMarks_ = true;
    QPixmap still_;
    std::optional<QPointF> dragFrom_;
    bool dragged_ = false;
};

} // namespace headscope::widgets
