#pragma once

#include <QFont>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QStringList>
#include <QTransform>

#include <cstddef>
#include <functional>
#include <variant>
#include <vector>

/// The steps of a RecordedDrawing. Each changes the painter's state or draws.
namespace headscope::widgets::recorded {

struct Hints {
    QPainter::RenderHints on;
    void drawOn(QPainter& painter) const {
        painter.setRenderHints(~on & painter.renderHints(), false);
        painter.setRenderHints(on);
    }
};

struct Clip {
    QPainterPath path;
    Qt::ClipOperation operation;
    void drawOn(QPainter& painter) const {
        if (operation == Qt::NoClip)
            return painter.setClipping(false);
        // setClipRect() is faster, and cuts at the same pixels as a clip that was set as a rectangle.
        const QRectF box = path.boundingRect();
        QPainterPath rectangle;
        rectangle.addRect(box);
        if (path == rectangle)
            painter.setClipRect(box, operation);
        else
            painter.setClipPath(path, operation);
    }
};

struct Area {
    QRegion region;
    Qt::ClipOperation operation;
    void drawOn(QPainter& painter) const {
        operation == Qt::NoClip ? painter.setClipping(false) : painter.setClipRegion(region, operation);
    }
};

struct Clipping {
    bool on;
    void drawOn(QPainter& painter) const { painter.setClipping(on); }
};

struct Opacity {
    qreal value;
    void drawOn(QPainter& painter) const { painter.setOpacity(value); }
};

struct Rectangle {
    QRectF at;
    bool filled; ///< filled with the brush, without an outline
    void drawOn(QPainter& painter) const {
        filled ? painter.fillRect(at, painter.brush()) : painter.drawRect(at);
    }
};

struct Line {
    QLineF at;
    void drawOn(QPainter& painter) const { painter.drawLine(at); }
};

struct Point {
    QPointF at;
    void drawOn(QPainter& painter) const { painter.drawPoint(at); }
};

struct Ellipse {
    QRectF at;
    void drawOn(QPainter& painter) const { painter.drawEllipse(at); }
};

struct Shape {
    QPainterPath path;
    void drawOn(QPainter& painter) const { painter.drawPath(path); }
};

struct Polygon {
    QPolygonF points;
    QPaintEngine::PolygonDrawMode mode;
    void drawOn(QPainter& painter) const {
        if (mode == QPaintEngine::PolylineMode)
            painter.drawPolyline(points);
        else if (mode == QPaintEngine::ConvexMode)
            painter.drawConvexPolygon(points);
        else
            painter.drawPolygon(points,
                                mode == QPaintEngine::WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
    }
};

struct PlacedImage {
    QRectF at;
    QImage image;
    QRectF part;
    void drawOn(QPainter& painter) const { painter.drawImage(at, image, part); }
};

/// Text in a single direction.
struct Letters {
    QPointF at;
    QString text;
    QFont font;
    bool rightToLeft;
    void drawOn(QPainter& painter) const {
        painter.setFont(font);
        painter.setLayoutDirection(rightToLeft ? Qt::RightToLeft : Qt::LeftToRight);
        painter.drawText(at, text);
    }
};

struct Long {
    std::function<void(QPainter&)> draw;
    void drawOn(QPainter& painter) const {
        painter.save();
        draw(painter);
        painter.restore();
    }
};

/// Draws nothing: the values of a map, for documents that show them under the pointer.
struct MapValues {
    QString name;
    QRectF at;
    QRectF window; ///< what `at` shows of the map, in cells
    std::size_t width = 0;
    std::vector<float> values; ///< row by row; NaN: masked
    QStringList rows;          ///< empty: numbers
    QStringList columns;
    void drawOn(QPainter& painter) const;
};

/// Draws nothing: what a page says of some areas under the pointer.
struct AreaWords {
    std::vector<std::pair<QRectF, QString>> areas;
    void drawOn(QPainter& painter) const;
};

struct Pen {
    QPen pen;
    void drawOn(QPainter& painter) const { painter.setPen(pen); }
};

struct Brush {
    QBrush brush;
    void drawOn(QPainter& painter) const { painter.setBrush(brush); }
};

struct BrushOrigin {
    QPointF at;
    void drawOn(QPainter& painter) const { painter.setBrushOrigin(at); }
};

struct Composition {
    QPainter::CompositionMode mode;
    void drawOn(QPainter& painter) const { painter.setCompositionMode(mode); }
};

using Step = std::variant<QTransform, Pen, Brush, BrushOrigin, Composition, Hints, Clip, Area, Clipping,
                          Opacity, Rectangle, Line, Point, Ellipse, Shape, Polygon, PlacedImage, Letters,
                          Long, MapValues, AreaWords>;

} // namespace headscope::widgets::recorded
